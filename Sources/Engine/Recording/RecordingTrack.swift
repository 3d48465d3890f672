import Capture
package import Imagery

/// What a recording is written to. Made with its first frame; used by one thread.
package protocol RecordingTrack: AnyObject {
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
package struct RecordingFacts: Sendable {
  package var codec: RecordingCodec?
  package var isCopied: Bool
  package var size: PixelSize
  package var orientation: Orientation

  package init(codec: RecordingCodec?, isCopied: Bool, size: PixelSize, orientation: Orientation) {
    self.codec = codec
    self.isCopied = isCopied
    self.size = size
    self.orientation = orientation
  }
}

/// How a recording whose path is that of no video is written: into a folder. The room `CorpusRecording` has the one that there is, a corpus.
public struct RecordingFolder: Sendable {
  package typealias Begin =
    @Sendable (
      _ settings: RecordingSettings, _ path: String, _ first: Frame, _ format: ImageFormat,
      _ interval: FrameInterval
    ) throws(RecordingError) -> any RecordingTrack
  /// Called with the first frame; the format is that of the frames, with the size of their stored pixels.
  let begin: Begin

  package init(begin: @escaping Begin) { self.begin = begin }
}

package enum RecordingTrackError: Error {
  /// The picture cannot be decoded.
  case damaged(ImageError)
  case failed(RecordingError)
}
