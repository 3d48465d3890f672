import Capture
import Imagery
import Recording
import Settings

/// The settings that determine the camera's format.
struct FormatWish: Hashable, Sendable {
  var resolution: CameraSettings.Resolution
  var frameRate: Double
  var isLog: Bool

  init(_ settings: CameraSettings) {
    resolution = settings.resolution
    frameRate = settings.frameRate
    isLog = settings.isLogEnabled
  }

  var finder: FormatFinder {
    let (width, height) = resolution.size
    var finder = FormatFinder(size: PixelSize(width: width, height: height), framesPerSecond: frameRate)
    finder.isLog = isLog
    return finder
  }
}

extension ViewfinderHub {
  /// Requests the format of the settings from the camera, if they have changed since the last request. At first the defaults count as requested,
  /// so that a user who changed nothing gets the engine's own choice. During a recording the format stays.
  /// - Returns: the reason why the format is not the requested one, for a person; nil if it is, or if nothing was requested.
  @discardableResult func applyFormat() async -> String? {
    let wish = FormatWish(facts.settings)
    guard wish != askedFormat else { return nil }
    guard recorder.current == .idle else { return "the format changes when the recording has ended" }
    askedFormat = wish
    let finder = wish.finder
    do throws(SessionError) {
      try await session.configure { setup in
        setup.configuration.chooseFormat = { finder.best(of: $0) }
      }
    } catch { return "\(error)" }
    guard let formats = facts.camera?.formats, let choice = finder.choice(of: formats),
      !choice.differences.isEmpty
    else { return nil }
    return "\(choice.differences.joined(separator: "; "))"
  }
}

extension RecordingCodec {
  /// The codec of the settings. Nil for their default, which leaves the choice to what the camera delivers.
  init?(_ choice: CameraSettings.Codec) {
    guard choice != CameraSettings().codec else { return nil }
    switch choice {
    case .hevc: self = .hevc
    case .h264: self = .h264
    case .mjpeg: self = .mjpeg
    case .ffv1: self = .ffv1
    case .proRes: self = .prores
    }
  }
}
