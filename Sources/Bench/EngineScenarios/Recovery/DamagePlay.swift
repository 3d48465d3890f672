import Capture
import Corpora
import Harness
import Imagery
import Probes
import System

/// A recording with faults, played in virtual time until the first fault that lasts. Each frame up to then is either sound and must be shown, or
/// damaged and must be reported and not shown.
struct DamagePlay {
  let rig: Rig
  let source: any CameraSource
  let corpus: Corpus

  struct Log: Sendable {
    /// The numbers of the sound frames in the recording.
    var sound: Set<UInt32> = []
    /// The numbers of the damaged frames in the recording.
    var damaged: Set<UInt32> = []
    /// The numbers of the recording's frames that were shown, in order.
    var shown: [UInt32] = []
    /// Number of frames that were reported as damaged or could not be drawn.
    var told = 0
    var interruptions: [SessionState] = []
  }

  /// Number of frames at the end that are not checked, because a slow camera has not shown them yet.
  private static let margin = 5

  func log() async throws -> Log {
    let (faults, interval) = (try corpus.truth()?.faults ?? [], corpus.manifest.frameInterval.duration)
    let whole = corpus.manifest.durationNanoseconds
    let end = faults.filter { $0.durationNanoseconds > 0 }.map(\.time).min() ?? whole
    var log = Log()
    let damaged = Set(faults.compactMap(\.file))
    let track = try corpus.track()
    while let event = try track.next() {
      guard case .frame(let frame) = event.kind,
        Duration.nanoseconds(event.time) + interval * Self.margin < Duration.nanoseconds(end)
      else { continue }
      if damaged.contains(frame.file) {
        log.damaged.insert(frame.sequence)
      } else {
        log.sound.insert(frame.sequence)
      }
    }
    try await play(for: .nanoseconds(end), interval, &log)
    return log
  }

  private func play(for duration: Duration, _ interval: Duration, _ log: inout Log) async throws {
    let clock = VirtualClock()
    let play = await Play(
      source: source, chart: nil, size: PixelSize(width: 160, height: 120), interval: interval, rig: rig,
      clock: clock)
    let states = await StateLog(of: play.session)
    try await play.session.start()
    await clock.run(for: duration)
    try Task.checkCancellation()
    log.told = await play.session.damagedFrames + play.preview.totals.failed
    await play.stop()
    await states.finish()
    let known = log.sound.union(log.damaged)
    log.shown = play.log.all.map(\.frame.sequence).filter { known.contains($0) }
    log.interruptions = states.all.filter(\.isInterruption).map(\.state)
  }
}

extension DamagePlay.Log {
  /// The mistake found in the play, as a clause. Nil if there is none.
  var complaint: String? {
    let missing = sound.subtracting(shown)
    if let first = shown.first(where: damaged.contains) { return "frame \(first) is damaged and was shown" }
    if !missing.isEmpty { return "\(missing.count) of \(sound.count) sound frames were never shown" }
    if Set(shown).count < shown.count { return "a frame was shown twice" }
    if told != damaged.count { return "\(damaged.count) frames are damaged, and \(told) were reported" }
    return interruptions.first.map { "reported as trouble: \($0)" }
  }
}
