import Imagery
import System

/// One press of the shutter: its time, its settings, and its answer.
struct PhotoRequest: Sendable {
  let pressed: MonotonicTime
  let settings: PhotoSettings
  /// The camera of the session, for the photo's metadata.
  let camera: CameraDescription?
  let answer: PhotoAnswer
  /// The full photo that follows, if this request is for its proxy.
  var later: LaterPhoto?
  /// A filter for frames; nil accepts all.
  var accepts: (@Sendable (Frame) -> Bool)?
}

/// The photo that follows a proxy.
struct LaterPhoto: Sendable {
  let settings: PhotoSettings
  let answer: PhotoAnswer
}

struct PhotoJob: Sendable {
  let frame: Frame
  let request: PhotoRequest
}
