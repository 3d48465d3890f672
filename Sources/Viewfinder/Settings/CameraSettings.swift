/// What a user has chosen for the camera, once for all programs: each property is one key of the settings file.
package struct CameraSettings: Hashable, Sendable {
  /// The picture that is wanted; the camera delivers the nearest that it has.
  package enum Resolution: String, Sendable, CaseIterable {
    case uhd = "4K"
    case fullHD = "1080p"
    case hd = "720p"

    /// In pixels.
    package var size: (width: Int, height: Int) {
      switch self {
      case .uhd: (3840, 2160)
      case .fullHD: (1920, 1080)
      case .hd: (1280, 720)
      }
    }
  }

  /// What recordings are encoded in.
  package enum Codec: String, Sendable, CaseIterable {
    case hevc = "HEVC"
    case h264 = "H.264"
    /// The camera's own JPEG pictures, copied.
    case mjpeg = "MJPEG"
    /// Loses nothing.
    case ffv1 = "FFV1"
    case proRes = "ProRes 422 HQ"
  }

  /// What a button of the viewfinder does.
  package enum Ability: String, Sendable, CaseIterable {
    case none = "None"
    case lockExposure = "Lock Exposure"
    case shutterPriority = "Shutter Priority"
  }

  package var resolution = Resolution.uhd
  package var codec = Codec.hevc
  /// Frames a second, 1...240.
  package var frameRate = 30.0
  /// A 10-bit BT.2020 logarithmic format, where the camera has one.
  package var isLogEnabled = false
  /// The look is made part of recordings and photos, not only shown.
  package var isLookBakedIn = false
  /// The path of the `.cube` file that was active last; empty for none.
  package var look = ""
  package var isTorchEnabled = false
  /// 0.001...1.
  package var torchLevel = 1.0
  package var isExposureLockedWhileRecording = false
  package var isWhiteBalanceLockedWhileRecording = false
  package var isStabilizationEnabled = false
  package var isDebugEnabled = true
  package var isExposureWheelVisible = false
  package var isDebugOverlayVisible = false
  package var firstButton = Ability.none
  package var secondButton = Ability.none

  /// Every default.
  package init() {}

  /// Seconds from frame to frame as a fraction. The rates of television, 23.976 and the like, are 1001-based: 1001/24000 s.
  package var frameInterval: (numerator: Int, denominator: Int) {
    let whole = frameRate.rounded()
    if frameRate == whole { return (1, Int(whole)) }
    let next = frameRate.rounded(.up)
    if abs(next * 1000 / 1001 - frameRate) < 0.005 { return (1001, Int(next) * 1000) }
    return (1000, Int((frameRate * 1000).rounded()))
  }
}
