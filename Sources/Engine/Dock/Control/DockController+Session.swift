public import Capture
import Imagery
import Log
import System

extension DockController {
  /// Becomes an output of the session, and is connected whenever it runs on a camera with motors. The session is held weakly.
  public func attach(to session: CaptureSession) async {
    let orders = MotorOrders(session: session, clock: clock) { [weak self] in await self?.noteAnswer($0) }
    link.withLock { ($0.session, $0.orders) = (session, orders) }
    await session.add(self)
    let (states, controls) = (await session.states(), await session.controlStates())
    let listeners = [
      Task { [weak self] in
        for await _ in states { await self?.noteState() }
      },
      Task { [weak self] in
        for await state in controls { await self?.note(state) }
      },
    ]
    link.withLock { $0.listeners = listeners }
    // Wait for the commands under way; then the open camera is known.
    _ = await session.set([])
    if await session.state == .running { await note(await session.controls) }
  }

  /// Stops all motion and lets the session go.
  public func detach() async {
    // Without a session nothing reconnects it.
    let former = link.withLock { link in
      defer { link = Link(battery: link.battery) }
      return link
    }
    former.alarm?.cancel()
    for listener in former.listeners { listener.cancel() }
    let time = clock.now().seconds
    let order = pilot.withLock { pilot in
      pilot.halt()
      defer { pilot.disconnect("it was let go") }
      return pilot.tick(at: time)
    }
    if let order { former.orders?.give(order) }
    tell()
    await former.session?.remove(self)
    await former.orders?.end()
  }

  /// The state of the session changed. What holds now counts, not what was told: news may come late, and be of before it ran.
  private func noteState() async {
    guard let session = link.withLock({ $0.session }) else { return }
    if await session.state == .running {
      await note(await session.controls)
    } else {
      change(session) { _, pilot in pilot.disconnect("the camera is not running") }
      tell()
    }
  }

  /// Changes what is known of the camera, unless its session has been let go meanwhile.
  private func change(_ session: CaptureSession, _ body: (inout Link, inout DockPilot) -> Void) {
    link.withLock { link in
      if link.session === session { pilot.withLock { body(&link, &$0) } }
    }
  }

  private func note(_ controls: ControlsState) async {
    guard let session = link.withLock({ $0.session }), await session.state == .running,
      !controls.capabilities.isEmpty
    else { return }
    let camera = await session.camera
    let fullSpeed = pilot.withLock { $0.configuration.fullSpeed }
    let motors = DockMotors(controls, fullSpeed: fullSpeed)
    Log.dock.debug("motors: \(motors.map { "\($0.kind)" } ?? "none")")
    let battery = motors == nil ? nil : Self.battery(controls) ?? systemBattery()
    let now = clock.now().seconds
    change(session) { link, pilot in
      link.mount = camera?.mount ?? SensorMount()
      if let motors {
        pilot.connect(motors, name: camera?.name ?? "camera", place: Self.place(controls), at: now)
        if let battery { pilot.state.battery = battery }
      } else {
        pilot.disconnect("the camera has no motors")
      }
    }
    // It may have stopped since it was asked; the news of that may have been before.
    if await session.state != .running {
      change(session) { _, pilot in pilot.disconnect("the camera is not running") }
    }
    tell()
  }

  /// What the camera made of an order to its motors.
  private func noteAnswer(_ refusal: String?) async {
    guard let session = link.withLock({ $0.session }) else { return }
    guard let refusal else {
      guard pilot.withLock({ $0.state.refusal != nil }) else { return }
      change(session) { _, pilot in pilot.state.refusal = nil }
      return tell()
    }
    let place = Self.place(await session.controls)
    let now = clock.now().seconds
    change(session) { _, pilot in pilot.refused(refusal, place: place, at: now) }
    setAlarm(from: clock.now())
    tell()
  }

  /// The motors are to stand by now: where they do, the camera says. One that took an order and did not obey says so nowhere else.
  func reconcile() async {
    guard let session = link.withLock({ $0.session }), await session.state == .running else { return }
    await session.set([])
    let place = Self.place(await session.controls)
    let now = clock.now().seconds
    change(session) { _, pilot in
      if !pilot.isNear(place, pilot.reckoning.place(at: now)) { pilot.heed(place, at: now) }
    }
    tell()
  }

  /// What the system tells of a battery; nil where it was asked within a minute.
  private func systemBattery() -> DockBattery? {
    let now = clock.now()
    let ask = link.withLock { link -> (@Sendable () -> DockBattery)? in
      if let asked = link.asked, now - asked < .seconds(60) { return nil }
      link.asked = now
      return link.battery
    }
    return ask?()
  }

  private static func place(_ controls: ControlsState) -> DockAngles {
    .degrees(
      pan: controls.values[.pan]?.number ?? 0, tilt: controls.values[.tilt]?.number ?? 0)
  }

  private static func battery(_ controls: ControlsState) -> DockBattery? {
    controls.values[.batteryLevel]?.number.map {
      .level(min(max($0, 0), 1), isCharging: controls.values[.batteryCharging]?.flag ?? false)
    }
  }

  // MARK: Commands

  /// Does what it is told, or says why not. A command that is refused has no effect.
  /// - Parameter client: who says it: what one client holds down ends when that client goes (``lost(client:)``).
  public func perform(_ command: DockCommand, client: Int = 0) async -> DockAnswer {
    switch command {
    case .zoom(let factor): return await zoom { _ in factor }
    case .zoomBy(let amount): return await zoom { $0 + amount }
    case .move, .stop, .mode, .framing, .regionOfInterest, .selectPoint, .select, .clearSelection, .animate,
      .preset, .feature:
      let time = clock.now()
      let answer = pilot.withLock { $0.take(command, client: client, at: time.seconds) }
      drive()
      return answer
    }
  }

  /// The client is gone, or its link is lost: a move that it holds ends.
  public func lost(client: Int) {
    pilot.withLock { $0.lost(client: client) }
    drive()
  }

  /// A move by hand, and the pursuit of a subject, end in time, whether frames come or not.
  func setAlarm(from time: MonotonicTime) {
    let ends = pilot.withLock { $0.hand?.ends ?? $0.restsAt ?? $0.standsAt }
    // At once would be for ever: what is over is told with the next frame.
    let alarm = ends.flatMap { $0 > time.seconds ? $0 : nil }.map { ends in
      clock.schedule(at: time + .nanoseconds(Int64(((ends - time.seconds) * 1e9).rounded(.up)))) {
        [weak self] in
        self?.drive()
      }
    }
    link.withLock { link in
      link.alarm?.cancel()
      link.alarm = alarm
    }
  }

  private func zoom(to factor: @Sendable (Double) -> Double) async -> DockAnswer {
    guard let session = link.withLock({ $0.session }), state.unsupported == nil else {
      return .refused("no dock is connected: \(state.unsupported ?? "no camera is open")")
    }
    let controls = await session.controls
    let wanted = factor(controls.zoom)
    guard wanted.isFinite else { return .refused("cannot zoom: the factor must be a finite number") }
    let most = controls.capability(.zoom)?.range?.upperBound ?? 10
    let bounded = min(max(wanted, 1), most)
    let result = await session.set(.zoom, to: .number(bounded))
    if let refusal = result.refusal { return .refused(refusal) }
    return .accepted(note: bounded == wanted ? nil : "the zoom was limited to \(bounded)×")
  }

  /// A button of a dock was pressed or a dial turned: `events()` tells it.
  public func note(_ event: DockEvent) { buttons.tell(event) }
}
