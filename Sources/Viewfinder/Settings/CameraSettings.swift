/// A user's settings for the camera, shared by all programs. Each property is a key of the settings file.
package struct CameraSettings: Hashable, Sendable {
  /// The requested picture size. The camera delivers the nearest size that it has.
  package enum Resolution: String, Sendable, CaseIterable {
    case uhd = "4K"
    case fullHD = "1080p"
    case hd = "720p"

    /// The size in pixels.
    package var size: (width: Int, height: Int) {
      switch self {
      case .uhd: (3840, 2160)
      case .fullHD: (1920, 1080)
      case .hd: (1280, 720)
      }
    }
  }

  /// The encoding of recordings.
  package enum Codec: String, Sendable, CaseIterable {
    case hevc = "HEVC"
    case h264 = "H.264"
    /// The camera's own JPEG pictures, copied.
    case mjpeg = "MJPEG"
    /// Lossless.
    case ffv1 = "FFV1"
    case proRes = "ProRes 422 HQ"
  }

  /// The action of a button of the viewfinder.
  package enum Ability: String, Sendable, CaseIterable {
    case none = "None"
    case lockExposure = "Lock Exposure"
    case shutterPriority = "Shutter Priority"
  }

  package var resolution = Resolution.uhd
  package var codec = Codec.hevc
  /// Frames per second, 1...240.
  package var frameRate = 30.0
  /// Whether to use a 10-bit BT.2020 logarithmic format, if the camera has one.
  package var isLogEnabled = false
  /// Whether the look is applied to recordings and photos, not only to the display.
  package var isLookBakedIn = false
  /// The path of the `.cube` file that was last active. Empty for none.
  package var look = ""
  package var isTorchEnabled = false
  /// The brightness of the torch, 0.001...1.
  package var torchLevel = 1.0
  package var isExposureLockedWhileRecording = false
  package var isWhiteBalanceLockedWhileRecording = false
  package var isStabilizationEnabled = false
  package var isDebugEnabled = true
  package var isExposureWheelVisible = false
  package var isDebugOverlayVisible = false
  package var firstButton = Ability.none
  package var secondButton = Ability.none

  /// Creates settings with the default values.
  package init() {}
}
