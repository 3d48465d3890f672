import Capture
import Corpora
import Imagery

/// A track event, with its time including earlier laps.
struct TimedEvent {
  let time: Duration
  let kind: CorpusEvent.Kind

  var isFrame: Bool {
    if case .frame = kind { true } else { false }
  }
}

/// A reader of a track from its start and, when looping, repeatedly: times and sequence numbers continue.
struct TrackPlayer {
  private let corpus: Corpus
  private let options: ReplayOptions
  private var track: CorpusTrack
  private var lap = Duration.zero
  private var lapSequence: UInt32 = 0
  private var lastSequence: UInt32 = 0
  private var hasFrames = false
  /// The time of the last event of the lap, in nanoseconds of the track.
  private var lastTime: Int64 = 0

  init(corpus: Corpus, options: ReplayOptions) throws(CameraError) {
    self.corpus = corpus
    self.options = options
    track = try TrackPlayer.track(of: corpus)
  }

  /// Returns the next event. Nil at the end.
  mutating func next() throws(CameraError) -> TimedEvent? {
    while true {
      if let event = try read() { return shifted(event) }
      guard options.loops, hasFrames else { return nil }
      track = try TrackPlayer.track(of: corpus)
      // A lap that took no time would never end for a camera that skips what it missed.
      lap += max(
        options.span(of: corpus), .nanoseconds(lastTime), corpus.manifest.frameInterval.duration)
      lapSequence = lastSequence &+ 1
    }
  }

  private mutating func shifted(_ event: CorpusEvent) -> TimedEvent {
    lastTime = event.time
    var kind = event.kind
    if case .frame(var frame) = kind {
      frame.sequence = lapSequence &+ frame.sequence
      lastSequence = frame.sequence
      hasFrames = true
      kind = .frame(frame)
    }
    return TimedEvent(time: (lap + .nanoseconds(event.time)) / options.speed, kind: kind)
  }

  private func read() throws(CameraError) -> CorpusEvent? {
    do throws(CorpusError) {
      let event = try track.next()
      guard let seconds = options.seconds, let event else { return event }
      return Duration.nanoseconds(event.time) < .seconds(seconds) ? event : nil
    } catch {
      throw .invalidSource("corpus:\(corpus.manifest.name)", reason: error.clause)
    }
  }

  private static func track(of corpus: Corpus) throws(CameraError) -> CorpusTrack {
    do throws(CorpusError) { return try corpus.track() } catch {
      throw .invalidSource("corpus:\(corpus.manifest.name)", reason: error.clause)
    }
  }
}
