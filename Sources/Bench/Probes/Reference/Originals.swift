import Capture
import Corpora
import Imagery
package import Replay
import System

/// The expected content of photos: for a recording the frame's own file, for other sources the frame as it was delivered.
package enum Originals {
  case recorded(RecordedFrames)
  case delivered(DeliveredFrames)

  /// Returns the original of the frame with this number, which a photo states.
  /// - Throws: if the original cannot be read, or was not kept.
  package func picture(_ sequence: UInt32) throws -> ReferencePicture {
    switch self {
    case .recorded(let frames): return try frames.picture(sequence)
    case .delivered(let frames):
      guard let image = frames.image(sequence) else {
        throw ReferenceError(
          description: "cannot compare frame \(sequence): it was not kept; report this as a defect")
      }
      return try ReferencePicture(decoding: image)
    }
  }

  /// Keeps the frames of the photos that will now be taken, until they are compared, however long encoding takes.
  package func hold() {
    if case .delivered(let frames) = self { frames.hold() }
  }

  /// A description of the originals, for the reader.
  package var summary: String {
    switch self {
    case .recorded(let frames):
      "the frame's own file in the corpus \(frames.name), decoded by libjpeg-turbo straight to RGB"
    case .delivered:
      "the frame as the source delivered it, converted in double precision (no recording, so the right "
        + "colours are unknown)"
    }
  }
}

/// The files of a recording, by the number that a frame has when it is played. They are looked up in the track, of which nothing is kept.
package struct RecordedFrames {
  private let corpus: Corpus
  private let seconds: Int?
  /// Number of different frame numbers in a lap, after which they start again at 0.
  private let lap: UInt32

  package var name: String { corpus.manifest.name }

  package init(_ source: ReplaySource) throws {
    corpus = source.corpus
    seconds = source.options.seconds
    var last: UInt32 = 0
    _ = try Self.first(in: corpus, seconds) { frame in
      last = max(last, frame.sequence)
      return false
    }
    lap = last &+ 1
  }

  private static func first(
    in corpus: Corpus, _ seconds: Int?, where isWanted: (CorpusFrame) -> Bool
  ) throws -> CorpusFrame? {
    let track = try corpus.track()
    while let event = try track.next() {
      if let seconds, Duration.nanoseconds(event.time) >= .seconds(seconds) { return nil }
      if case .frame(let frame) = event.kind, isWanted(frame) { return frame }
    }
    return nil
  }

  package func picture(_ sequence: UInt32) throws -> ReferencePicture {
    let wanted = lap == 0 ? sequence : sequence % lap
    guard let frame = try Self.first(in: corpus, seconds, where: { $0.sequence == wanted }) else {
      throw ReferenceError(
        description:
          "cannot compare frame \(sequence): the corpus \(name) has none of that number; "
          + "check it with `swiftwing corpus verify`")
    }
    let file = try corpus.frame(frame.file)
    switch frame.encoding {
    case .jpeg, .png: return try ReferencePicture(file: file.bytes)
    case .raw: return try ReferencePicture(exactly: corpus.image(frame))
    }
  }
}
