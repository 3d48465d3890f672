import Console
import Harness
import Imagery
import Recording
import RemoteControl
import Settings

/// What a recording is to have beside its options: the look, and what the settings file says of torch and locks.
struct RecordWishes {
  var look: ColorLookup?
  var conditions = RecordingConditions()

  /// - Parameters:
  ///   - look: a `.cube` file, which comes before that of the settings.
  ///   - path: where is recorded to; a corpus has no look.
  ///   - settings: what the user has chosen for all programs.
  /// - Throws: why a look cannot be used.
  init(look: String?, path: String, settings: CameraSettings) throws {
    conditions = RecordingConditions(settings)
    if let look {
      self.look = try Self.read(look)
    } else if settings.isLookBakedIn, !settings.look.isEmpty, RecordingOutput.isVideo(path) {
      self.look = try Self.read(
        settings.look,
        " The settings name it (lastLUT): choose another one there, or record with `--no-settings`.")
    }
  }

  /// Those of the file; what is wrong with it is told.
  static func settings() throws -> CameraSettings {
    let reading = try SettingsFile().read()
    for warning in reading.warnings { Terminal.tell("note: \(warning)") }
    return reading.settings
  }

  private static func read(_ path: String, _ origin: String = "") throws -> ColorLookup {
    do throws(LookupError) { return try ColorLookup(file: path) } catch {
      throw Failure("cannot use \(path): \(error)\(origin)", .usage)
    }
  }
}
