package import Imagery

/// The destination of a recording's frames. Created with the first frame; used by one thread.
package protocol RecordingTrack: AnyObject {
  /// Adds a frame.
  /// - Parameter time: the time from the first frame's exposure to this frame's, in nanoseconds; greater than for the previous frame.
  /// - Throws: `damaged` for a frame that is left out; the recording continues.
  func append(_ frame: Frame, at time: Int64) throws(RecordingTrackError)
  /// Ends the track after the last frame.
  func finish() throws(RecordingError)
  /// Ends the track because nothing more can be written; the playable part is kept.
  func abandon()
  /// The number of added frames that are not in the file, after `abandon()`.
  var lostFrames: Int { get }

  /// Whether the latest frame of a camera's Motion JPEG, which is otherwise copied, was encoded anew.
  var hasReencoded: Bool { get }
  /// The number of written bytes.
  var byteCount: Int64 { get }
  var facts: RecordingFacts { get }
}

/// The properties of the pictures that a track writes.
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

/// The kind of recording for a path that is no video: it goes into a folder. The only kind is a corpus, in the module `CorpusRecording`.
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
