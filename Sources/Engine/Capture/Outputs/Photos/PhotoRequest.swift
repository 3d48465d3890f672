import Imagery
import System

/// One press of the shutter: what is wanted, when it was pressed, and who is answered.
struct PhotoRequest: Sendable {
  let pressed: MonotonicTime
  let settings: PhotoSettings
  /// The camera of the session, for the photo's metadata.
  let camera: CameraDescription?
  let answer: PhotoAnswer
  /// The photo that is to follow, where this is its proxy.
  var later: LaterPhoto?
  /// Frames that will not do are left out.
  var accepts: (@Sendable (Frame) -> Bool)?
}

/// The photo that follows a proxy.
struct LaterPhoto: Sendable {
  let settings: PhotoSettings
  let answer: PhotoAnswer
}

/// A frame for a request.
struct PhotoJob: Sendable {
  let frame: Frame
  let request: PhotoRequest
}
