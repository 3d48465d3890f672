import Imagery
import Video4Linux

/// One thing that a camera claims: a pixel format at a size and, where it says so, a frame interval.
struct CameraMode: Hashable, Sendable, CustomStringConvertible {
  var fourCC: FourCC
  var size: FrameSize
  /// Nil where the device has none of its own.
  var interval: TimePerFrame?

  /// The same picture, whatever its pace.
  func hasSamePicture(as other: CameraMode) -> Bool { fourCC == other.fourCC && size == other.size }

  var picture: String { "\(fourCC) \(size)" }

  var description: String {
    guard let interval else { return picture }
    let rate = (interval.framesPerSecond * 100).rounded() / 100
    return "\(picture) at \(rate) fps"
  }
}
