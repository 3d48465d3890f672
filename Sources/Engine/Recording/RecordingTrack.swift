import Capture
import Imagery

/// What a recording is written to. Made with its first frame; used by one thread.
protocol RecordingTrack: AnyObject {
  /// Adds a frame.
  /// - Parameter time: of its exposure since the first frame's, in nanoseconds; greater than that of the frame before.
  /// - Throws: `damaged` for a frame that is left out; the recording goes on.
  func append(_ frame: Frame, at time: Int64) throws(RecordingTrackError)
  /// The last frame has come.
  func finish() throws(RecordingError)
  /// Nothing more can be written: what can be played is kept.
  func abandon()
  /// Frames that were added and are not in the file, once it was abandoned.
  var lostFrames: Int { get }

  /// The latest frame, of a camera's Motion JPEG that is copied otherwise, was encoded anew.
  var hasReencoded: Bool { get }
  /// Bytes that are written.
  var byteCount: Int64 { get }
  /// What is told of it when it has ended.
  var facts: RecordingFacts { get }
}

/// What a track knows of what it writes.
struct RecordingFacts: Sendable {
  var codec: RecordingCodec?
  var isCopied: Bool
  var size: PixelSize
  var orientation: Orientation
}

enum RecordingTrackError: Error {
  /// The picture cannot be decoded.
  case damaged(ImageError)
  case failed(RecordingError)
}
