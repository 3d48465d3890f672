import Console
import Harness
import Imagery
import Recording
import RemoteControl
import Settings

/// The look of a recording, and the torch and the locks that the settings file requests for recordings.
struct RecordWishes {
  var look: ColorLookup?
  var conditions = RecordingConditions()

  /// Reads the look.
  /// - Parameters:
  ///   - look: a `.cube` file, which takes precedence over the settings.
  ///   - path: the destination of the recording. A corpus has no look.
  ///   - settings: the user's settings for all programs.
  /// - Throws: the reason why the look cannot be used.
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

  /// Returns the settings of the user's file, and reports what is wrong with it.
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
