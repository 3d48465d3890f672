import Capture
import Corpora
import Harness
import Imagery
import Probes
import System

/// All observations from playing a recording with trouble.
struct TroubleLog: Sendable {
  /// The time of the track's zero.
  let origin: MonotonicTime
  let interval: Duration
  let faults: [CorpusTruth.Fault]
  let states: [StateMark]
  let pictures: [Presentation]
  let presses: [ShutterPress]

  func time(_ nanoseconds: Int64) -> MonotonicTime { origin + .nanoseconds(nanoseconds) }
}

/// A play of a recording with trouble, while photos are requested continuously.
struct TroublePlay {
  let rig: Rig
  let corpus: Corpus
  let source: any CameraSource

  static let bundled = "corpus:trouble"
  /// Number of cameras that are played at once, each with its own session. One camera would give only one figure per trouble.
  static let cameras = 6

  /// Returns one log per camera. The cameras start a fraction of a frame interval apart, so that they do not all wake at the same time.
  static func logs(_ rig: Rig) async throws -> [TroubleLog] {
    let play = try TroublePlay(rig)
    let step = play.corpus.manifest.frameInterval.duration / cameras
    return try await withThrowingTaskGroup(of: TroubleLog.self) { group in
      for camera in 0..<cameras {
        group.addTask {
          try await Task.sleep(for: step * camera)
          return try await play.run()
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  init(_ rig: Rig) throws {
    self.rig = rig
    guard let corpus = try rig.corpus(orBundled: Self.bundled), let truth = try corpus.truth(),
      !truth.faults.isEmpty
    else {
      throw Unsupported(
        "only a corpus whose truth.json lists faults can be judged here; name one, such as `\(Self.bundled)`")
    }
    self.corpus = corpus
    source = try rig.source(orBundled: Self.bundled)
  }

  func run() async throws -> TroubleLog {
    let interval = corpus.manifest.frameInterval.duration
    let play = await Play(
      source: source, chart: nil, size: PixelSize(width: 640, height: 480), interval: interval, rig: rig)
    let photos = rig.makePhotoOutput(clock: SystemClock())
    await play.session.add(photos)
    let presses = Collected<ShutterPress>()
    let states = await StateLog(of: play.session)
    try await play.session.start()
    let started = await play.session.timeline.started ?? .now()
    let pressing = Task { await press(photos, session: play.session, presses: presses) }
    let end = started + .nanoseconds(corpus.manifest.durationNanoseconds) + .milliseconds(500)
    while MonotonicTime.now() < end, await play.session.state != .ended {
      try await Task.sleep(for: .milliseconds(20))
    }
    pressing.cancel()
    await pressing.value
    await play.session.stop()
    await states.finish()
    return TroubleLog(
      origin: origin(of: play.log.all) ?? started, interval: interval,
      faults: try corpus.truth()?.faults ?? [],
      states: states.all, pictures: play.log.all, presses: presses.all)
  }

  /// Returns the time of the track's zero, derived from the timestamps of the first picture.
  private func origin(of pictures: [Presentation]) -> MonotonicTime? {
    guard let first = pictures.first else { return nil }
    let event = try? corpus.track().first { event in
      if case .frame(let frame) = event.kind { frame.sequence == first.frame.sequence } else { false }
    }
    guard let event else { return nil }
    let scene = first.frame.sceneTime(interval: corpus.manifest.frameInterval.duration)
    return MonotonicTime(nanoseconds: scene.nanoseconds - event.time)
  }

  /// Requests a photo every 40 ms, in any state. Each request must be answered.
  private func press(
    _ output: PhotoOutput, session: CaptureSession, presses: Collected<ShutterPress>
  ) async {
    await withTaskGroup(of: Void.self) { group in
      while !Task.isCancelled {
        group.addTask { await Self.pressOnce(output, session: session, presses: presses) }
        try? await Task.sleep(for: .milliseconds(40))
      }
    }
  }

  private static func pressOnce(
    _ output: PhotoOutput, session: CaptureSession, presses: Collected<ShutterPress>
  ) async {
    let (pressed, state) = (MonotonicTime.now(), await session.state)
    var settings = PhotoSettings()
    settings.longSide = 320
    var failure: SessionError?
    do { _ = try await session.capturePhoto(settings, from: output) } catch {
      failure = error as? SessionError
    }
    let answered = MonotonicTime.now()
    presses.add(
      ShutterPress(
        pressed: pressed, answered: answered, state: state, error: failure, stateAfter: await session.state))
  }
}
