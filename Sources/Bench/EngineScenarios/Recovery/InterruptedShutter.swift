import Capture
import Corpora
import Harness
import Imagery
import Probes
import System

/// INT-1, the shutter: photos requested before, during and after each trouble of a recording, in virtual time, so that every run waits for the
/// same frames.
struct InterruptedShutter {
  /// A trouble, and the answers to the requests around it.
  struct Trial: Sendable {
    /// The reason of the published interruption. Nil if none was published.
    var published: InterruptionReason?
    /// The answer to the photo that waited for its frame when the trouble came.
    var pending: Answer?
    /// The answers to requests while the session was interrupted.
    var refused: [Answer] = []
    /// The answer to a request after the session ran again.
    var after: Answer?
  }

  enum Answer: Hashable, Sendable, CustomStringConvertible {
    case photo, none
    case error(String)

    var description: String {
      switch self {
      case .photo: "a photo"
      case .none: "no answer"
      case .error(let text): text
      }
    }
  }

  let rig: Rig
  let source: any CameraSource
  let corpus: Corpus
  private let clock = VirtualClock()

  init(rig: Rig, source: any CameraSource, corpus: Corpus) {
    self.rig = rig
    self.source = source
    self.corpus = corpus
  }

  /// Returns a trial for each trouble of a kind.
  func trials(_ kind: CorpusTruth.Fault.Kind) async throws -> [Trial] {
    let session = CaptureSession(source: source, configuration: .unattended, clock: clock)
    let output = rig.makePhotoOutput(clock: clock)
    await session.add(output)
    let shutter = PressedShutter(session, output, clock: clock)
    return try await session.ending {
      try await session.start()
      let began = try await origin(session, output)
      var trials: [Trial] = []
      for fault in try corpus.truth()?.faults ?? [] where fault.kind == kind {
        trials.append(try await trial(fault, began, shutter: shutter, session: session))
      }
      return trials
    }
  }

  private func trial(
    _ fault: CorpusTruth.Fault, _ began: MonotonicTime, shutter: PressedShutter, session: CaptureSession
  ) async throws -> Trial {
    let interval = corpus.manifest.frameInterval.duration
    let start = began + .nanoseconds(fault.time)
    try await pass(until: start + interval * -4)
    // The last photo before the trouble, which a broken session might return again.
    _ = try await shutter.taken()
    // Requests a photo when the nearest frame is the next one, which never comes. A stall begins after its last frame, so there the request
    // is made an interval later.
    try await pass(until: fault.kind == .stall ? start + interval : start + interval / -8)
    let waiting = try await shutter.pressed()
    var trial = Trial()
    trial.published = try await untilInterrupted(session)
    trial.pending = await waiting.answer(soon: trial.published != nil)
    let end = start + .nanoseconds(fault.durationNanoseconds)
    while case .interrupted = await session.state, clock.now() < end + .seconds(2) {
      trial.refused.append(await (try await shutter.pressed()).answer(soon: true))
      guard trial.refused.last != Answer.none else { break }
      try await pass(until: clock.now() + .milliseconds(100))
    }
    trial.after = try await shutter.taken()
    return trial
  }

  /// Returns the time of the track's zero. It is derived from the exposure of a photographed frame, since the arrival of a frame may be
  /// late.
  private func origin(_ session: CaptureSession, _ output: PhotoOutput) async throws -> MonotonicTime {
    for _ in 0..<10_000 {
      guard await session.state.acceptsPhotos else {
        try await pass(until: clock.now() + .milliseconds(1))
        continue
      }
      let shutter = VirtualShutter(
        session: session, output: output, clock: clock, interval: corpus.manifest.frameInterval.duration)
      guard let frame = try await shutter.photos([PressedShutter.settings]).first?.frame else { break }
      return MonotonicTime(nanoseconds: frame.exposureTime.nanoseconds - (try time(of: frame.sequence)))
    }
    throw Unsupported(
      "the recording \(corpus.manifest.name) gave no frame in 10 s; check it with `swiftwing corpus verify`")
  }

  /// Returns the time of a frame in nanoseconds on the track's clock.
  private func time(of sequence: UInt32) throws -> Int64 {
    let event = try corpus.track().first { event in
      if case .frame(let frame) = event.kind { frame.sequence == sequence } else { false }
    }
    guard let event else {
      throw Unsupported(
        "the recording \(corpus.manifest.name) has no frame \(sequence); "
          + "check it with `swiftwing corpus verify`")
    }
    return event.time
  }

  private func pass(until time: MonotonicTime) async throws {
    await clock.run(for: max(.zero, time - clock.now()))
    try Task.checkCancellation()
  }

  private func untilInterrupted(_ session: CaptureSession) async throws -> InterruptionReason? {
    for _ in 0..<1500 {
      if case .interrupted(let reason) = await session.state { return reason }
      try await pass(until: clock.now() + .milliseconds(1))
    }
    return nil
  }
}
