import Corpora
import Imagery

/// A track event with the time it has when laps before it are counted.
struct TimedEvent {
  let time: Duration
  let kind: CorpusEvent.Kind

  var isFrame: Bool {
    if case .frame = kind { true } else { false }
  }
}

/// Reads a track from its start, and, when looping, again and again: times and sequence numbers go on.
struct TrackPlayer {
  private let corpus: Corpus
  private let loops: Bool
  private let speed: Int
  private var track: CorpusTrack
  private var lap = Duration.zero
  private var lapSequence: UInt32 = 0
  private var lastSequence: UInt32 = 0
  private var hasFrames = false

  /// - Parameter speed: how many times as fast as recorded, at least 1.
  init(corpus: Corpus, loops: Bool, speed: Int = 1) throws(CameraError) {
    self.corpus = corpus
    self.loops = loops
    self.speed = speed
    track = try TrackPlayer.track(of: corpus)
  }

  /// The next event; nil at the end.
  mutating func next() throws(CameraError) -> TimedEvent? {
    while true {
      if let event = try read() { return shifted(event) }
      guard loops, hasFrames else { return nil }
      track = try TrackPlayer.track(of: corpus)
      lap += .nanoseconds(corpus.manifest.durationNanoseconds)
      lapSequence = lastSequence &+ 1
    }
  }

  private mutating func shifted(_ event: CorpusEvent) -> TimedEvent {
    var kind = event.kind
    if case .frame(var frame) = kind {
      frame.sequence = lapSequence &+ frame.sequence
      lastSequence = frame.sequence
      hasFrames = true
      kind = .frame(frame)
    }
    return TimedEvent(time: (lap + .nanoseconds(event.time)) / speed, kind: kind)
  }

  private func read() throws(CameraError) -> CorpusEvent? {
    do throws(CorpusError) { return try track.next() } catch {
      throw .invalidSource("corpus:\(corpus.manifest.name)", reason: error.clause)
    }
  }

  private static func track(of corpus: Corpus) throws(CameraError) -> CorpusTrack {
    do throws(CorpusError) { return try corpus.track() } catch {
      throw .invalidSource("corpus:\(corpus.manifest.name)", reason: error.clause)
    }
  }
}
