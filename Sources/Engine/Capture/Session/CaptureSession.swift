import Log
import System

/// One camera, its states and its outputs: the counterpart of `AVCaptureSession`.
///
/// ```swift
/// let session = CaptureSession(source: V4L2Source(path: "/dev/video0"))
/// let photos = PhotoOutput()
/// await session.add(photos)
/// try await session.start()
/// for await state in await session.states() where state.acceptsPhotos { break }
/// let photo = try await session.capturePhoto(from: photos).photo
/// await session.stop()
/// ```
///
/// A state machine without side effects (`SessionMachine`) decides the states, one thread (`CaptureThread`) uses the device, and frames go
/// from there straight to the outputs. The actor only carries messages between the three.
public actor CaptureSession {
  /// Orients the frames; an app may report to it how the device is held.
  public nonisolated let rotation: RotationCoordinator
  nonisolated let router: FrameRouter
  nonisolated let clock: any CaptureClock
  nonisolated let news = SessionNews()
  let capture: CaptureThread
  /// The source and the configuration to use. The router keeps the outputs.
  var plan: SessionSetup
  /// The setup to restore if a change fails.
  var fallback: SessionSetup?
  /// The error of the last change; nil again once it has been reported.
  var rejection: CameraError?
  var machine = SessionMachine()
  /// The running threads and tasks, from `start()` to `stop()`.
  var life: Life?
  private var haveOutputsBegun = false
  /// A running `stop()`.
  var ending: Task<Void, Never>?
  /// A running `configure`.
  var changing: Task<SessionError?, Never>?
  /// The number of calls of `stop()`.
  private var stops = 0
  private var timers: [TimerKind: Scheduled] = [:]
  private var settled = Waiters<Void>()
  /// Presses that resumed the session and wait for its picture.
  var presses = Waiters<SessionState>()
  /// Whether the session resumes because of an activity.
  var isWaking = false
  /// A still under way.
  var still: Task<StillPhoto, any Error>?
  /// Whether the restarts of the stream for the still are hidden.
  var hidesRestarts = false
  /// A bracket under way.
  var bracket: Task<[BracketShot], any Error>?
  /// Calls that wait for the end of a still or a bracket.
  var turns = Waiters<Void>()
  /// Stills that wait for the first picture of a stream.
  var streams = Waiters<Void>()
  /// The interruption under way.
  var interruption: SessionInterruption?
  /// The camera's format that `chooseFormat` chose.
  var wish: CameraFormat?

  /// The camera, once it has been opened.
  public private(set) var camera: CameraDescription?
  /// The format that the camera delivers, once it has been prepared.
  public private(set) var format: CameraFormat?
  /// The times at which the steps of the latest start were reached.
  public internal(set) var timeline = StartTimeline()
  /// The number of frames without a usable picture since the session was made.
  public private(set) var damagedFrames = 0
  /// The state of the controls. Nothing is read from a device before somebody operates it or listens (``controlStates()``). From then on
  /// the state follows the device, by default at least twice a second unless the device answers slowly.
  public internal(set) var controls = ControlsState()
  /// The number of the update in `controls`; an update with a smaller number is out of date.
  var controlsNumber = 0

  private enum TimerKind: Hashable { case slowStart, inactivity }

  /// The running capture thread, and the task that listens to its notices.
  struct Life {
    let notify: AsyncStream<CaptureNotice>.Continuation
    let listener: Task<Void, Never>
  }

  /// - Parameters:
  ///   - source: the camera; nothing is opened before `prewarm()` or `start()`.
  ///   - clock: the session's clock: the real one, except in tests.
  public init(
    source: any CameraSource, configuration: SessionConfiguration = SessionConfiguration(),
    clock: any CaptureClock = SystemClock()
  ) {
    plan = SessionSetup(source: source, configuration: configuration)
    self.clock = clock
    rotation = RotationCoordinator()
    configuration.apply(to: rotation)
    let capture = CaptureThread(clock: clock)
    self.capture = capture
    router = FrameRouter(
      rotation: rotation, record: PictureRecord { [weak capture] in capture?.noteJudged() })
  }

  /// A session that nobody holds ends by itself soon. A caller that must know when the device is free calls `stop()`.
  deinit {
    life?.notify.finish()
    news.finish()
    rotation.finish()
    let (capture, router) = (life == nil ? nil : capture, haveOutputsBegun ? router : nil)
    capture?.abandonReturn()
    // Joining the threads may take as long as a frame, and the session may have been released on one of them. So another thread joins them.
    NamedThread.detached(name: "session-end") {
      capture?.end()
      router?.end()
    }
  }

  /// The state to show to the user.
  public var state: SessionState { shown(machine.state) }

  // MARK: Outputs

  /// Adds an output, the engine's or your own; it gets frames from the next one on. It begins and ends with the
  /// session, each time, or begins now if the session has begun. If the process has no thread left for the output, the session fails with
  /// `noResources`, and `start()` tries again. An output belongs to one session; adding it again has no effect. Its callbacks must hold
  /// the session weakly, or neither is ever freed. `configure` adds several outputs at once, and removes them.
  public func add(_ output: any FrameOutput) {
    router.add(output)
    guard life != nil else { return }
    do throws(ResourceShortage) { try router.begin() } catch {
      apply(.refused(CameraError(error, source: plan.source.specification)))
    }
  }

  var photoOutputs: [PhotoOutput] { router.all.compactMap { $0 as? PhotoOutput } }

  // MARK: Requests

  /// Opens the device and allocates everything, so that `start()` only has to start the stream.
  public func prewarm() async throws(SessionError) { try await ask(.prewarm) }

  /// Starts delivering frames. Returns when the stream runs or the session is interrupted. Throws errors that only the user
  /// can fix, including a lack of threads or descriptors. A session that was stopped starts again, with its outputs.
  /// If the task is cancelled, it throws `cancelled` at once; the start itself continues. The same applies to `prewarm()` and
  /// `foreground()`.
  public func start() async throws(SessionError) { try await ask(.start) }

  /// Ends the session. When it returns, photos under way are answered, threads have ended, the device is closed, and the
  /// session's event streams have ended. Outputs still finish their present work, however long that takes, without blocking other tasks.
  /// `start()` starts the session again.
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
      await NamedThread.aside(name: "session-end") { capture.end() }
      life.notify.finish()
      await life.listener.value
    }
    if haveOutputsBegun {
      haveOutputsBegun = false
      let router = router
      await NamedThread.aside(name: "session-end") { router.end() }
    }
    finishNews()
    ending = nil
  }

  /// Closes the device, because the program went to the background.
  public func background() async {
    apply(.background)
    await waitUntilSettled()
  }

  /// Resumes the stream, because the program is in the foreground again.
  public func foreground() async throws(SessionError) { try await ask(.foreground) }

  /// Notes that the user did something: ends an inactivity pause, or restarts its timer.
  public func noteActivity() { apply(.activity) }

  private func ask(_ event: SessionEvent) async throws(SessionError) {
    if Task.isCancelled { throw .cancelled }
    let before = stops
    while let ending { await ending.value }
    // Give up this request if `stop()` was called after it.
    guard stops == before else { return }
    if event != .foreground { try beginThreads() }
    timeline = StartTimeline(requested: clock.now())
    apply(event)
    guard await isSettledUnlessCancelled() else { throw .cancelled }
    if let failure = machine.failure { throw .camera(failure) }
  }

  // MARK: Carrying messages

  /// Starts the threads that do not run yet; they end with the session.
  private func beginThreads() throws(SessionError) {
    do throws(ResourceShortage) {
      haveOutputsBegun = true
      try router.begin()
      if life == nil { life = try beginLife() }
    } catch {
      let failure = CameraError(error, source: plan.source.specification)
      apply(.refused(failure))
      throw .camera(failure)
    }
  }

  private func beginLife() throws(ResourceShortage) -> Life {
    let (notices, notify) = AsyncStream.makeStream(of: CaptureNotice.self)
    let clock = clock
    try capture.begin(plan.capture, router: router) { notice in
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
    case .prepared(let camera, let wish, let format):
      let isNews = format != self.format
      self.camera = camera
      self.wish = wish
      self.format = format
      Log.camera.info(
        "\(camera.name) (\(plan.source.specification)) delivers \(format); requested was \(wish)")
      rotation.setMount(camera.mount)
      if isNews { news.formats.tell(format) }
    case .damagedFrame(let sequence, let reason):
      damagedFrames += 1
      Log.camera.warning("frame \(sequence) has no usable picture: \(reason)")
    case .controls(let update): adopt(update)
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

  func apply(_ event: SessionEvent) {
    let before = shown(machine.state)
    let actions = machine.apply(event)
    Log.session.debug("event \(event): \(actions.map { "\($0)" }.joined(separator: ", "))")
    for action in actions { perform(action) }
    if hidesRestarts { stopHidingRestarts() }
    let now = shown(machine.state)
    if now != before {
      Log.session.info("\(now), after \(before)")
      tell(now, after: before)
    }
    if machine.state != .starting, machine.state != .loading { streams.tell(()) }
    if machine.isSettled { settled.tell(()) }
  }

  private func perform(_ action: SessionAction) {
    switch action {
    case .prepare: capture.post(.prepare(plan.capture))
    case .start: capture.post(.start)
    case .stop: capture.post(.stop)
    case .close: capture.post(.close)
    case .awaitReturn(let reason): capture.post(.awaitReturn(reason))
    case .abandonReturn: capture.abandonReturn()
    case .revert(let error): revert(after: error)
    case .failPhotos(let error): for output in photoOutputs { output.fail(with: error) }
    case .armSlowStart: arm(.slowStart, after: plan.configuration.slowStart, .startIsSlow)
    case .disarmSlowStart: timers.removeValue(forKey: .slowStart)?.cancel()
    case .armInactivity:
      timers.removeValue(forKey: .inactivity)?.cancel()
      if let timeout = plan.configuration.inactivityTimeout { arm(.inactivity, after: timeout, .inactive) }
    case .disarmInactivity: timers.removeValue(forKey: .inactivity)?.cancel()
    }
  }

  /// Passes the present plan to the capture thread. Without a device, the thread gets the plan when it prepares one.
  func postPlan() {
    if machine.stage == .prepared || machine.stage == .streaming { capture.post(.configure(plan.capture)) }
  }

  private func arm(_ kind: TimerKind, after delay: Duration, _ event: SessionEvent) {
    timers[kind]?.cancel()
    timers[kind] = clock.schedule(at: clock.now() + delay) { [weak self] in
      await self?.timeIsUp(kind, delay, event: event)
    }
  }

  /// Handles a timer. A session that an output keeps awake is not inactive.
  private func timeIsUp(_ kind: TimerKind, _ delay: Duration, event: SessionEvent) {
    if kind == .inactivity, router.all.contains(where: \.keepsSessionAwake) {
      return arm(kind, after: delay, event)
    }
    apply(event)
  }

  func waitUntilSettled() async {
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
