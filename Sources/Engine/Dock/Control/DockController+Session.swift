public import Capture
import Imagery
import Log
import System

extension DockController {
  /// Adds itself to the session as an output, and connects whenever the session runs with a camera that has motors. The session is held weakly.
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

  /// Stops all motion and releases the session.
  public func detach() async {
    // Drop the session first: then nothing connects the pilot again.
    let former = link.withLock { link in
      defer { link = Link(battery: link.battery) }
      return link
    }
    former.alarm?.cancel()
    for listener in former.listeners { listener.cancel() }
    let time = clock.now().seconds
    let order = pilot.withLock { pilot in
      pilot.halt()
      defer { pilot.disconnect("the camera was released") }
      return pilot.tick(at: time)
    }
    if let order { former.orders?.give(order) }
    tell()
    await former.session?.remove(self)
    await former.orders?.end()
  }

  /// Handles a change of the session's state. Reads the present state, since the reported one may be out of date.
  private func noteState() async {
    guard let session = link.withLock({ $0.session }) else { return }
    if await session.state == .running {
      await note(await session.controls)
    } else {
      change(session) { _, pilot in pilot.disconnect("the camera is not running") }
      tell()
    }
  }

  /// Changes the link and the pilot, unless the session was released meanwhile.
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
    // The session may have stopped since the check above, and the event of its stop may already have been handled.
    if await session.state != .running {
      change(session) { _, pilot in pilot.disconnect("the camera is not running") }
    }
    tell()
  }

  /// Notes the camera's answer to an order to its motors.
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

  /// Asks the camera for its position, at a time when the motors should stand still. If a
  /// camera accepted an order but did not execute it, this is the only way to notice.
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

  /// The battery that the system reports; nil if the system was asked within the last minute.
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

  /// Executes a command, or returns the reason why not. A refused command has no effect.
  /// - Parameter client: the client that sends the command. When it goes, a move that it holds ends (``lost(client:)``).
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

  /// Notes that the client is gone or its connection is lost: a move that it holds ends.
  public func lost(client: Int) {
    pilot.withLock { $0.lost(client: client) }
    drive()
  }

  /// Schedules the end of a manual move, or of the pursuit of a subject, which must end in time even if no frames come.
  func setAlarm(from time: MonotonicTime) {
    let ends = pilot.withLock { $0.hand?.ends ?? $0.restsAt ?? $0.standsAt }
    // Set no alarm in the past, which would repeat for ever: a move that is over is handled with the next frame.
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

  /// Notes that a button of a dock was pressed or a dial turned, and sends the event to `events()`.
  public func note(_ event: DockEvent) { buttons.tell(event) }
}
