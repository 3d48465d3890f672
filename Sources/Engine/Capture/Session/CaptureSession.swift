import Imagery
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
/// States are decided by a value (`SessionMachine`), the device is touched by one thread (`CaptureThread`), frames go
/// from there straight to the outputs. The actor only carries messages between the three.
public actor CaptureSession {
  /// Turns the frames, and may be told how the device is held.
  public nonisolated let rotation: RotationCoordinator
  nonisolated let router: FrameRouter
  nonisolated let clock: any CaptureClock
  nonisolated let news = SessionNews()
  let capture: CaptureThread
  /// What the session is to work with; its outputs are the router's.
  var plan: SessionSetup
  /// What it works with again where a change fails.
  var fallback: SessionSetup?
  /// Why the last change failed; nil again once that has been told.
  var rejection: CameraError?
  var machine = SessionMachine()
  /// What `start()` made and `stop()` ends.
  var life: Life?
  private var haveOutputsBegun = false
  /// A `stop()` under way.
  var ending: Task<Void, Never>?
  /// A `configure` under way.
  var changing: Task<SessionError?, Never>?
  /// How often `stop()` was called.
  private var stops = 0
  private var timers: [TimerKind: Scheduled] = [:]
  private var settled = Waiters<Void>()
  /// Presses that resumed the session and wait for its picture.
  var presses = Waiters<SessionState>()
  /// The session resumes because somebody did something.
  var isWaking = false
  /// A still under way; and whether the state is that of before its restarts.
  var still: Task<StillPhoto, any Error>?
  var hidesRestarts = false
  /// A bracket under way.
  var bracket: Task<[BracketShot], any Error>?
  /// Who waits for a still or a bracket to be over.
  var turns = Waiters<Void>()
  /// Stills that wait for the first picture of a stream.
  var streams = Waiters<Void>()
  /// The one under way.
  var interruption: SessionInterruption?
  /// The format that was chosen of the camera's own.
  var wish: CameraFormat?

  /// The camera, once it has been opened.
  public private(set) var camera: CameraDescription?
  /// The format it delivers, once it has been prepared.
  public private(set) var format: CameraFormat?
  /// When the steps of the latest start were reached.
  public internal(set) var timeline = StartTimeline()
  /// Frames that came without a usable picture since the session was made.
  public private(set) var damagedFrames = 0
  /// How the camera is operated. Nothing of a device is read before somebody operates it or listens (``controlStates()``): from then on
  /// it is as the device is, twice a second at least.
  public internal(set) var controls = ControlsState()
  /// The number of that state.
  var controlsNumber = 0

  private enum TimerKind: Hashable { case slowStart, inactivity }

  /// The capture thread runs, and what it says is listened to.
  struct Life {
    let notify: AsyncStream<CaptureNotice>.Continuation
    let listener: Task<Void, Never>
  }

  /// - Parameters:
  ///   - source: the camera; nothing is opened before `prewarm()` or `start()`.
  ///   - clock: the time that the session lives in; the system's, unless it is a test.
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

  /// A session that nobody holds ends by itself, soon: whoever must know when the device is free calls `stop()`.
  deinit {
    life?.notify.finish()
    news.finish()
    rotation.finish()
    let (capture, router) = (life == nil ? nil : capture, haveOutputsBegun ? router : nil)
    capture?.abandonReturn()
    // Threads are waited for, perhaps for a frame, and who let go of the session may be one of them.
    NamedThread.detached(name: "session-end") {
      capture?.end()
      router?.end()
    }
  }

  /// What the session shows to its user now.
  public var state: SessionState { shown(machine.state) }

  // MARK: Outputs

  /// Adds an output, one of the engine's or one of your own; frames reach it from the next one on. It begins and ends with the
  /// session, each time, or begins now if that has begun: where the process has no thread left for it, the session fails and says
  /// so, and `start()` tries again. An output belongs to one session, which has it once however often it is added. What it calls holds
  /// that session weakly, or both live for ever. `configure` adds several at once, and removes them.
  public func add(_ output: any FrameOutput) {
    router.add(output)
    guard life != nil else { return }
    do throws(ResourceShortage) { try router.begin() } catch {
      apply(.refused(CameraError(error, source: plan.source.specification)))
    }
  }

  var photoOutputs: [PhotoOutput] { router.all.compactMap { $0 as? PhotoOutput } }

  // MARK: Asking

  /// Opens the device and allocates everything, so that `start()` only has to start the stream.
  public func prewarm() async throws(SessionError) { try await ask(.prewarm) }

  /// Starts delivering frames. Returns when the stream runs or the session is interrupted; throws what only the user
  /// can mend, a process without threads or descriptors included. A session that was stopped starts again, with its outputs.
  /// When the task is cancelled it throws `cancelled` at once; what was asked for goes on, as it does after `prewarm()` and
  /// `foreground()`.
  public func start() async throws(SessionError) { try await ask(.start) }

  /// Ends everything: photos under way are answered, threads have ended and the device is closed when it returns, and its
  /// streams of news have ended. Outputs still finish what they have at hand, however long that takes, and hold up no other task
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

  /// The program is no longer looked at: the device is let go.
  public func background() async {
    apply(.background)
    await waitUntilSettled()
  }

  /// The program is looked at again: the stream resumes.
  public func foreground() async throws(SessionError) { try await ask(.foreground) }

  /// The user did something: an inactivity pause ends, or is put off.
  public func noteActivity() { apply(.activity) }

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
      Log.camera.info("\(camera.name) (\(plan.source.specification)) delivers \(format); asked for \(wish)")
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

  /// The capture thread works with the present plan from now on. Without a device it is told when it prepares one.
  func postPlan() {
    if machine.stage == .prepared || machine.stage == .streaming { capture.post(.configure(plan.capture)) }
  }

  private func arm(_ kind: TimerKind, after delay: Duration, _ event: SessionEvent) {
    timers[kind]?.cancel()
    timers[kind] = clock.schedule(at: clock.now() + delay) { [weak self] in
      await self?.timeIsUp(kind, delay, event: event)
    }
  }

  /// A session that an output keeps awake is not inactive.
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
