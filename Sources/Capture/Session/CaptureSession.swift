public import Imagery
import Locking

/// How a session behaves; what it captures is its source, where it goes are its outputs.
public struct SessionConfiguration: Sendable {
  /// Chooses among what the camera offers; nil when nothing will do.
  public var chooseFormat: @Sendable ([CameraFormat]) -> CameraFormat? = {
    FormatFinder().best(of: $0)
  }
  /// A start longer than this shows as `loading` (COLD-3).
  public var slowStart = Duration.milliseconds(100)
  /// Nobody did anything for this long: pause (PWR-1). Nil never pauses.
  public var inactivityTimeout: Duration? = .seconds(30)
  /// A stream without a frame for this long, and for five frame intervals, is restarted. Webcams in the dark go down to
  /// a few frames a second, so a shorter time would restart a camera that is only slow.
  public var stallTimeout = Duration.milliseconds(500)
  /// A stream whose first frame has not come by then is restarted; until then a start shows as `loading`. Some cameras need
  /// seconds to wake. What this one needed before is remembered: it is given twice that where that is longer, at most four
  /// times this. A stream that was restarted because it stalled is given less where the camera is known to be quick: also
  /// twice what it needed, but at least `stallTimeout`, and twice as much with every start in vain. A camera that never had a
  /// picture is given up after three starts.
  public var firstFrameTimeout = Duration.seconds(5)
  public var rotation = RotationPolicy()

  public init() {}
}

/// When the steps of the latest start were reached: cold start by stages.
public struct StartTimeline: Hashable, Sendable {
  /// `start()` or `prewarm()` was called.
  public var requested: MonotonicTime?
  /// The device is open, its format set, its buffers allocated.
  public var prepared: MonotonicTime?
  public var started: MonotonicTime?
  /// The first frame came from the driver.
  public var firstFrame: MonotonicTime?
}

/// One camera, its states and its outputs: the counterpart of `AVCaptureSession`.
///
/// States are decided by a value (`SessionMachine`), the device is touched by one thread (`CaptureThread`), frames go
/// from there straight to the outputs. The actor only carries messages between the three.
public actor CaptureSession {
  public nonisolated let rotation: RotationCoordinator
  private nonisolated let router: FrameRouter
  private nonisolated let clock: any CaptureClock
  private let source: any CameraSource
  private let configuration: SessionConfiguration
  private let capture: CaptureThread
  private let notices: AsyncStream<CaptureNotice>
  private let notify: AsyncStream<CaptureNotice>.Continuation
  private var machine = SessionMachine()
  private var isThreadRunning = false
  private var listener: Task<Void, Never>?
  private var timers: [TimerKind: Scheduled] = [:]
  private var photoOutputs: [PhotoOutput] = []
  private var observers: [Int: AsyncStream<SessionState>.Continuation] = [:]
  private var nextObserver = 0
  private var settled: [CheckedContinuation<Void, Never>] = []

  /// The camera, once it has been opened.
  public private(set) var camera: CameraDescription?
  /// The format it delivers, once it has been prepared.
  public private(set) var format: CameraFormat?
  public private(set) var timeline = StartTimeline()
  /// Frames that came without a usable picture since the session was made.
  public private(set) var damagedFrames = 0

  private enum TimerKind: Hashable { case slowStart, inactivity }

  public init(
    source: any CameraSource, configuration: SessionConfiguration = SessionConfiguration(),
    clock: any CaptureClock = SystemClock()
  ) {
    self.source = source
    self.configuration = configuration
    self.clock = clock
    rotation = RotationCoordinator(policy: configuration.rotation)
    let capture = CaptureThread(clock: clock)
    self.capture = capture
    router = FrameRouter(
      rotation: rotation, record: PictureRecord { [weak capture] in capture?.noteJudged() })
    (notices, notify) = AsyncStream.makeStream(of: CaptureNotice.self)
  }

  /// A session that nobody holds ends by itself, soon: whoever must know when the device is free calls `stop()`.
  deinit {
    notify.finish()
    for observer in observers.values { observer.finish() }
    let (capture, router) = (isThreadRunning ? capture : nil, router)
    capture?.abandonReturn()
    // Threads are waited for, perhaps for a frame, and who let go of the session may be one of them.
    EngineThread.detached(name: "session-end") {
      capture?.end()
      router.end()
    }
  }

  public var state: SessionState { machine.state }

  // MARK: Outputs

  /// Adds an output; frames reach it from the next one on. It ends with the session. Its thread starts with the session, or
  /// if that has begun now: where there is none to be had, the session fails and says so, and `start()` tries again.
  public func add(_ output: PreviewOutput) { add(frameOutput: output) }
  public func add(_ output: AnalysisOutput) { add(frameOutput: output) }
  public func add(_ output: PhotoOutput) {
    photoOutputs.append(output)
    add(frameOutput: output)
  }

  private func add(frameOutput output: any FrameOutput) {
    router.add(output)
    guard isThreadRunning else { return }
    do throws(ResourceShortage) { try output.begin() } catch {
      apply(.refused(CameraError(error, source: source.specification)))
    }
  }

  // MARK: Asking

  /// Opens the device and allocates everything, so that `start()` only has to start the stream.
  public func prewarm() async throws(SessionError) { try await ask(.prewarm) }

  /// Starts delivering frames. Returns when the stream runs or the session is interrupted; throws what only the user
  /// can mend, a process without threads or descriptors included.
  public func start() async throws(SessionError) { try await ask(.start) }

  /// Ends everything: photos under way are answered, threads have ended and the device is closed when it returns. The
  /// outputs ended too; a session is started again by making a new one.
  public func stop() async {
    apply(.stop)
    await waitUntilSettled()
    if isThreadRunning {
      isThreadRunning = false
      capture.end()
    }
    notify.finish()
    await listener?.value
    listener = nil
    router.end()
    for observer in observers.values { observer.finish() }
    observers = [:]
  }

  /// The program is no longer looked at: the device is let go.
  public func background() async {
    apply(.background)
    await waitUntilSettled()
  }

  /// The program is looked at again: the stream resumes.
  public func foreground() async throws(SessionError) { try await ask(.foreground) }

  /// The user did something: an inactivity pause ends, or is put off.
  public func noteActivity() { apply(.activity) }

  /// Takes a photo of the frame nearest to now.
  /// - Throws: `SessionError` when the session has no picture or loses it; `ImageError` when the picture is bad.
  public func capturePhoto(
    _ settings: PhotoSettings = PhotoSettings(), from output: PhotoOutput
  ) async throws -> CapturedPhoto {
    let pressed = clock.now()
    guard machine.state.acceptsPhotos else { throw SessionError.captureRefused(machine.state) }
    apply(.activity)
    return try await output.capture(settings, pressed: pressed)
  }

  /// The present state and every one after it.
  public func states() -> AsyncStream<SessionState> {
    let (stream, continuation) = AsyncStream.makeStream(of: SessionState.self)
    let id = nextObserver
    nextObserver += 1
    observers[id] = continuation
    continuation.yield(machine.state)
    continuation.onTermination = { [weak self] _ in Task { await self?.removeObserver(id) } }
    return stream
  }

  private func removeObserver(_ id: Int) { observers[id] = nil }

  private func ask(_ event: SessionEvent) async throws(SessionError) {
    do throws(ResourceShortage) { try beginThreads() } catch {
      let failure = CameraError(error, source: source.specification)
      apply(.refused(failure))
      throw .camera(failure)
    }
    timeline = StartTimeline(requested: clock.now())
    apply(event)
    await waitUntilSettled()
    if let failure = machine.failure { throw .camera(failure) }
  }

  // MARK: Carrying messages

  /// Starts the threads that do not run yet; what has been started ends with the session.
  private func beginThreads() throws(ResourceShortage) {
    try router.begin()
    guard !isThreadRunning else { return }
    let (notify, clock) = (notify, clock)
    try capture.begin(
      source: source, choice: configuration.chooseFormat, router: router,
      patience: PicturePatience(
        firstFrame: configuration.firstFrameTimeout, stall: configuration.stallTimeout)
    ) { notice in
      clock.workBegan()
      notify.yield(notice)
    }
    isThreadRunning = true
    listener = Task { [weak self, notices] in
      for await notice in notices {
        await self?.take(notice)
        clock.workEnded()
      }
    }
  }

  private func take(_ notice: CaptureNotice) {
    switch notice {
    case .event(let event):
      note(event)
      apply(event)
    case .prepared(let camera, let format):
      (self.camera, self.format) = (camera, format)
      rotation.setMount(camera.mount)
    case .damagedFrame: damagedFrames += 1
    case .arrived(let time): timeline.firstFrame = timeline.firstFrame ?? time
    }
  }

  private func note(_ event: SessionEvent) {
    switch event {
    case .prepared: timeline.prepared = clock.now()
    case .started: timeline.started = clock.now()
    default: break
    }
  }

  private func apply(_ event: SessionEvent) {
    let before = machine.state
    let actions = machine.apply(event)
    for action in actions { perform(action) }
    if machine.state != before {
      for observer in observers.values { observer.yield(machine.state) }
    }
    if machine.isSettled {
      let waiting = settled
      settled = []
      for continuation in waiting { continuation.resume() }
    }
  }

  private func perform(_ action: SessionAction) {
    switch action {
    case .prepare: capture.post(.prepare)
    case .start: capture.post(.start)
    case .stop: capture.post(.stop)
    case .close: capture.post(.close)
    case .awaitReturn(let reason): capture.post(.awaitReturn(reason))
    case .abandonReturn: capture.abandonReturn()
    case .failPhotos(let reason): failPhotos(reason)
    case .armSlowStart: arm(.slowStart, after: configuration.slowStart, .startIsSlow)
    case .disarmSlowStart: timers.removeValue(forKey: .slowStart)?.cancel()
    case .armInactivity:
      if let timeout = configuration.inactivityTimeout { arm(.inactivity, after: timeout, .inactive) }
    case .disarmInactivity: timers.removeValue(forKey: .inactivity)?.cancel()
    }
  }

  private func failPhotos(_ reason: InterruptionReason?) {
    let error = reason.map { SessionError.captureInterrupted($0) } ?? .captureCancelled
    for output in photoOutputs { output.fail(with: error) }
  }

  private func arm(_ kind: TimerKind, after delay: Duration, _ event: SessionEvent) {
    timers[kind]?.cancel()
    timers[kind] = clock.schedule(at: clock.now() + delay) { [weak self] in await self?.apply(event) }
  }

  private func waitUntilSettled() async {
    guard !machine.isSettled else { return }
    await withCheckedContinuation { settled.append($0) }
  }
}
