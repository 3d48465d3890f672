public import Imagery
import Locking

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
  private var machine = SessionMachine()
  /// What `start()` made and `stop()` ends.
  private var life: Life?
  private var haveOutputsBegun = false
  /// A `stop()` under way.
  private var ending: Task<Void, Never>?
  /// How often `stop()` was called.
  private var stops = 0
  private var timers: [TimerKind: Scheduled] = [:]
  private var photoOutputs: [PhotoOutput] = []
  private var observers: [Int: AsyncStream<SessionState>.Continuation] = [:]
  private var nextObserver = 0
  private var settled = Waiters<Void>()
  /// Presses that resumed the session and wait for its picture.
  private var presses = Waiters<SessionState>()
  /// The session resumes because somebody did something.
  private var isWaking = false

  /// The camera, once it has been opened.
  public private(set) var camera: CameraDescription?
  /// The format it delivers, once it has been prepared.
  public private(set) var format: CameraFormat?
  public private(set) var timeline = StartTimeline()
  /// Frames that came without a usable picture since the session was made.
  public private(set) var damagedFrames = 0

  private enum TimerKind: Hashable { case slowStart, inactivity }

  /// The capture thread runs, and what it says is listened to.
  private struct Life {
    let notify: AsyncStream<CaptureNotice>.Continuation
    let listener: Task<Void, Never>
  }

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
  }

  /// A session that nobody holds ends by itself, soon: whoever must know when the device is free calls `stop()`.
  deinit {
    life?.notify.finish()
    for observer in observers.values { observer.finish() }
    let (capture, router) = (life == nil ? nil : capture, haveOutputsBegun ? router : nil)
    capture?.abandonReturn()
    // Threads are waited for, perhaps for a frame, and who let go of the session may be one of them.
    EngineThread.detached(name: "session-end") {
      capture?.end()
      router?.end()
    }
  }

  public var state: SessionState { machine.state }

  // MARK: Outputs

  /// Adds an output, one of the engine's or one of your own; frames reach it from the next one on. It begins and ends with the
  /// session, each time, or begins now if that has begun: where the process has no thread left for it, the session fails and says
  /// so, and `start()` tries again. An output belongs to one session, which has it once however often it is added. What it calls holds
  /// that session weakly, or both live for ever.
  public func add(_ output: any FrameOutput) {
    if let photos = output as? PhotoOutput, !photoOutputs.contains(where: { $0 === photos }) {
      photoOutputs.append(photos)
    }
    router.add(output)
    guard life != nil else { return }
    do throws(ResourceShortage) { try router.begin() } catch {
      apply(.refused(CameraError(error, source: source.specification)))
    }
  }

  // MARK: Asking

  /// Opens the device and allocates everything, so that `start()` only has to start the stream.
  public func prewarm() async throws(SessionError) { try await ask(.prewarm) }

  /// Starts delivering frames. Returns when the stream runs or the session is interrupted; throws what only the user
  /// can mend, a process without threads or descriptors included. A session that was stopped starts again, with its outputs.
  /// When the task is cancelled it throws `cancelled` at once; what was asked for goes on, as it does after `prewarm()` and
  /// `foreground()`.
  public func start() async throws(SessionError) { try await ask(.start) }

  /// Ends everything: photos under way are answered, threads have ended and the device is closed when it returns, and streams
  /// of states have ended. Outputs still finish what they have at hand, however long that takes, and hold up no other task
  /// meanwhile. `start()` starts the session again.
  public func stop() async {
    stops += 1
    apply(.stop)
    let task = ending ?? Task { await end() }
    ending = task
    await task.value
  }

  private func end() async {
    await waitUntilSettled()
    if let life {
      self.life = nil
      let capture = capture
      await EngineThread.aside(name: "session-end") { capture.end() }
      life.notify.finish()
      await life.listener.value
    }
    if haveOutputsBegun {
      haveOutputsBegun = false
      let router = router
      await EngineThread.aside(name: "session-end") { router.end() }
    }
    for observer in observers.values { observer.finish() }
    (observers, ending) = ([:], nil)
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

  /// Takes a photo of the frame nearest to now. A session that is paused for inactivity resumes, and the photo is of its first
  /// frame.
  /// - Throws: `SessionError` when the session has no picture or loses it, or does not have this output; `ImageError` when the
  ///   picture is bad; `CancellationError` when the task is cancelled, at once.
  public func capturePhoto(
    _ settings: PhotoSettings = PhotoSettings(), from output: PhotoOutput
  ) async throws -> CapturedPhoto {
    guard photoOutputs.contains(where: { $0 === output }) else { throw SessionError.outputNotAdded }
    let pressed = clock.now()
    if isWaking || machine.state == .paused(.inactivity) { try await waitForPicture() }
    guard machine.state == .running else { throw SessionError.captureRefused(machine.state) }
    apply(.activity)
    return try await output.capture(settings, pressed: pressed)
  }

  private func waitForPicture() async throws {
    guard presses.count < PhotoOutput.pendingLimit else {
      throw SessionError.tooManyPhotos(limit: PhotoOutput.pendingLimit)
    }
    try Task.checkCancellation()
    apply(.activity)
    let id = presses.newID()
    let state = await withTaskCancellationHandler {
      await withCheckedContinuation { presses.add($0, as: id) }
    } onCancel: {
      Task { await self.cancelPress(id) }
    }
    switch state {
    case nil: throw CancellationError()
    case .interrupted(let reason): throw SessionError.captureInterrupted(reason)
    case .failed(let error): throw SessionError.camera(error)
    case .idle: throw SessionError.captureCancelled
    default: break
    }
  }

  private func cancelPress(_ id: Int) { presses.cancel(id) }

  /// Presses that wait for the picture of a session that resumes.
  var waitingPresses: Int { presses.count }

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
    if Task.isCancelled { throw .cancelled }
    let before = stops
    while let ending { await ending.value }
    // Stopped after it was asked for.
    guard stops == before else { return }
    if event != .foreground { try beginThreads() }
    timeline = StartTimeline(requested: clock.now())
    apply(event)
    guard await isSettledUnlessCancelled() else { throw .cancelled }
    if let failure = machine.failure { throw .camera(failure) }
  }

  // MARK: Carrying messages

  /// Starts the threads that do not run yet; what has been started ends with the session.
  private func beginThreads() throws(SessionError) {
    do throws(ResourceShortage) {
      haveOutputsBegun = true
      try router.begin()
      if life == nil { life = try beginLife() }
    } catch {
      let failure = CameraError(error, source: source.specification)
      apply(.refused(failure))
      throw .camera(failure)
    }
  }

  private func beginLife() throws(ResourceShortage) -> Life {
    let (notices, notify) = AsyncStream.makeStream(of: CaptureNotice.self)
    let clock = clock
    try capture.begin(
      source: source, choice: configuration.chooseFormat, router: router,
      patience: PicturePatience(
        firstFrame: configuration.firstFrameTimeout, stall: configuration.stallTimeout)
    ) { notice in
      clock.workBegan()
      notify.yield(notice)
    }
    let listener = Task { [weak self] in
      for await notice in notices {
        await self?.take(notice)
        clock.workEnded()
      }
    }
    return Life(notify: notify, listener: listener)
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
    if machine.state != before { tell(machine.state, after: before) }
    if machine.isSettled { settled.tell(()) }
  }

  private func tell(_ state: SessionState, after before: SessionState) {
    for observer in observers.values { observer.yield(state) }
    let isStarting = state == .starting || state == .loading
    isWaking = isStarting && (isWaking || before == .paused(.inactivity))
    if !isStarting { presses.tell(state) }
  }

  private func perform(_ action: SessionAction) {
    switch action {
    case .prepare: capture.post(.prepare)
    case .start: capture.post(.start)
    case .stop: capture.post(.stop)
    case .close: capture.post(.close)
    case .awaitReturn(let reason): capture.post(.awaitReturn(reason))
    case .abandonReturn: capture.abandonReturn()
    case .failPhotos(let error): for output in photoOutputs { output.fail(with: error) }
    case .armSlowStart: arm(.slowStart, after: configuration.slowStart, .startIsSlow)
    case .disarmSlowStart: timers.removeValue(forKey: .slowStart)?.cancel()
    case .armInactivity:
      if let timeout = configuration.inactivityTimeout { arm(.inactivity, after: timeout, .inactive) }
    case .disarmInactivity: timers.removeValue(forKey: .inactivity)?.cancel()
    }
  }

  private func arm(_ kind: TimerKind, after delay: Duration, _ event: SessionEvent) {
    timers[kind]?.cancel()
    timers[kind] = clock.schedule(at: clock.now() + delay) { [weak self] in await self?.apply(event) }
  }

  private func waitUntilSettled() async {
    guard !machine.isSettled else { return }
    let id = settled.newID()
    _ = await withCheckedContinuation { settled.add($0, as: id) }
  }

  private func isSettledUnlessCancelled() async -> Bool {
    guard !machine.isSettled else { return true }
    let id = settled.newID()
    let news: Void? = await withTaskCancellationHandler {
      await withCheckedContinuation { settled.add($0, as: id) }
    } onCancel: {
      Task { await self.cancelWait(id) }
    }
    return news != nil
  }

  private func cancelWait(_ id: Int) { settled.cancel(id) }
}
