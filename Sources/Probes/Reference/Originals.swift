import Capture
import Corpora
import Imagery
package import Replay

/// What a photo should look like: of a recording the frame's own file, of anything else the frame as it was delivered.
package enum Originals {
  case recorded(RecordedFrames)
  case delivered(DeliveredFrames)

  /// Of the frame that a photo says it is of.
  /// - Throws: when it cannot be read, or is not there any more.
  package func picture(_ sequence: UInt32) throws -> ReferencePicture {
    switch self {
    case .recorded(let frames): return try frames.picture(sequence)
    case .delivered(let frames):
      guard let image = frames.image(sequence) else {
        throw ReferenceError(description: "cannot compare frame \(sequence): it was not kept")
      }
      return try ReferencePicture(decoding: image)
    }
  }

  /// Photos are about to be taken: their frames are not to go before they are compared, however long encoding takes.
  package func hold() {
    if case .delivered(let frames) = self { frames.hold() }
  }

  /// What photos are compared with, for the reader.
  package var summary: String {
    switch self {
    case .recorded(let frames):
      "the frame's own file in the corpus \(frames.name), decoded by libjpeg-turbo straight to RGB"
    case .delivered:
      "the frame as the source delivered it, converted in double precision (no recording, so nothing tells what it should have been)"
    }
  }
}

/// The files of a recording by the number that a frame has when it is played.
package struct RecordedFrames {
  private let corpus: Corpus
  private let frames: [UInt32: CorpusFrame]
  /// Numbers in a lap.
  private let lap: UInt32

  package var name: String { corpus.manifest.name }

  package init(_ source: ReplaySource) throws {
    corpus = source.corpus
    var frames: [UInt32: CorpusFrame] = [:]
    for event in try corpus.track().remaining() {
      if let seconds = source.options.seconds, Duration.nanoseconds(event.time) >= .seconds(seconds) { break }
      if case .frame(let frame) = event.kind { frames[frame.sequence] = frame }
    }
    self.frames = frames
    lap = (frames.keys.max() ?? 0) + 1
  }

  package func picture(_ sequence: UInt32) throws -> ReferencePicture {
    guard let frame = frames[sequence % lap] else {
      throw ReferenceError(
        description: "cannot compare frame \(sequence): the corpus \(name) has none of that number")
    }
    let file = try corpus.frame(frame.file)
    switch frame.encoding {
    case .jpeg, .png: return try ReferencePicture(file: file.bytes)
    case .raw: return try ReferencePicture(exactly: corpus.image(frame))
    }
  }
}
