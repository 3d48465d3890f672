import Video4Linux

/// A claimed mode: a pixel format at a size and, if the camera claims one, a frame interval.
struct CameraMode: Hashable, Sendable, CustomStringConvertible {
  var fourCC: FourCC
  var size: FrameSize
  /// The frame interval. Nil if the device has none of its own.
  var interval: TimePerFrame?

  /// Returns whether both modes have the same pixel format and size.
  func hasSamePicture(as other: CameraMode) -> Bool { fourCC == other.fourCC && size == other.size }

  var picture: String { "\(fourCC) \(size)" }

  var description: String {
    guard let interval else { return picture }
    let rate = (interval.framesPerSecond * 100).rounded() / 100
    return "\(picture) at \(rate) fps"
  }
}
