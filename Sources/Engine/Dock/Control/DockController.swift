public import Capture
public import Imagery
public import System

/// Follows a subject with a camera that has motors.
///
/// It receives frames as an output of the session, tracks subjects in them, and turns the camera through the session's controls: pan and
/// tilt in one request. Without motors every command is refused, and the state gives the reason.
///
/// ```swift
/// let dock = DockController()
/// await dock.attach(to: session)
/// _ = await dock.perform(.feature(.tracking, isOn: true))
/// for await state in dock.states() { print(state.status, state.subjects.count) }
/// ```
public final class DockController: FrameOutput {
  let pilot: Locked<DockPilot>
  let clock: any CaptureClock
  let link = Locked(Link())
  private let worker: OutputWorker<Frame>
  private let eyes: DockEyes
  let news = Broadcast<DockState>()
  let buttons = Broadcast<DockEvent>()
  let told = Locked(DockState())

  /// The session to which the controller is attached, and the data of that session's camera.
  struct Link: Sendable {
    weak var session: CaptureSession?
    var orders: MotorOrders?
    var listeners: [Task<Void, Never>] = []
    /// The mounting of the camera's sensor.
    var mount = SensorMount()
    /// The alarm for a manual move that is not renewed.
    var alarm: Scheduled?
    /// Asks the system for a battery; nil if the camera itself reports one.
    var battery: (@Sendable () -> DockBattery)?
    /// The time at which the system was last asked for its battery.
    var asked: MonotonicTime?
  }

  /// - Parameters:
  ///   - clock: the session's clock.
  ///   - battery: returns the battery of a camera that does not report one itself (``DockPowerSupply``); called on the controller's threads, at most
  ///     once a minute.
  public init(
    configuration: DockConfiguration = DockConfiguration(), clock: any CaptureClock = SystemClock(),
    battery: (@Sendable () -> DockBattery)? = nil
  ) {
    let (pilot, eyes) = (Locked(DockPilot(configuration)), DockEyes(configuration))
    self.pilot = pilot
    self.clock = clock
    self.eyes = eyes
    let after = Locked<(@Sendable (Frame) -> Void)?>(nil)
    worker = OutputWorker(
      name: "dock", clock: clock, capacity: 1, overflow: .replaceOldest,
      work: { frame in after.withLock { $0 }?(frame) })
    link.withLock { $0.battery = battery }
    after.withLock { $0 = { [weak self] in self?.watch($0) } }
  }

  // MARK: State

  /// The present state.
  public var state: DockState { pilot.withLock { $0.state } }

  /// A stream of the present state and every later one.
  public func states() -> AsyncStream<DockState> { news.listen(from: [state]) }

  /// A stream of the events from a dock's buttons (``DockButtons``).
  public func events() -> AsyncStream<DockEvent> { buttons.listen(from: []) }

  /// Sends the present state to listeners, if it differs from the last one sent.
  func tell() {
    let present = state
    let isNew = told.withLock { told in
      defer { told = present }
      return told != present
    }
    if isNew { news.tell(present) }
  }

  // MARK: Frames

  /// Starts the thread that analyses frames. The session calls it.
  public func begin() throws(ResourceShortage) { try worker.begin() }

  /// Takes the frame if a subject is followed or the motors move. The session calls it.
  public func receive(_ frame: Frame) {
    if pilot.withLock({ $0.needsFrames }) { worker.offer(frame) }
  }

  /// Ends the thread. The session calls it.
  public func end() { worker.end() }

  /// Analyses a frame on the dock's thread.
  private func watch(_ frame: Frame) {
    let mount = link.withLock { $0.mount }
    let optics = DockOptics(
      frame.orientation, mount: mount, size: frame.image.format.size,
      fieldOfView: eyes.configuration.fieldOfView,
      zoom: (frame.settings.zoom ?? 1) / max(frame.settings.digitalZoom, 1))
    let time = frame.exposureTime.seconds
    let (isTracking, look, requests) = pilot.withLock { pilot in
      defer { if pilot.isTracking { pilot.requests = [] } }
      return (pilot.isTracking, pilot.look(at: time, optics), pilot.requests)
    }
    if isTracking, let chosen = eyes.look(at: frame, look, requests) {
      pilot.withLock { $0.see(chosen.subjects, chosen: chosen.id, at: time, optics) }
    }
    drive()
  }

  /// Sends the motors the order that is due now.
  func drive() {
    let time = clock.now().seconds
    let (order, stands) = pilot.withLock { ($0.tick(at: time), $0.stands(at: time)) }
    if stands { Task { await reconcile() } }
    if let order { link.withLock { $0.orders }?.give(order) }
    setAlarm(from: clock.now())
    tell()
  }

  /// Offers further subjects, such as the spines of books that were read, in the upright picture. They are tracked up to the limit of subjects.
  public func offer(_ rects: [DockRect]) {
    pilot.withLock { pilot in
      guard pilot.isTracking else { return }
      pilot.requests.removeAll { if case .offer = $0 { true } else { false } }
      pilot.requests.append(.offer(rects))
    }
  }
}

/// The part of the controller that only its thread uses.
///
/// `@unchecked Sendable`: created before the thread begins, then used by that thread alone.
private final class DockEyes: @unchecked Sendable {
  let configuration: DockConfiguration
  private let tracker: SubjectTracker
  private let luma: FrameLuma

  init(_ configuration: DockConfiguration) {
    self.configuration = configuration
    tracker = SubjectTracker(configuration.tracking)
    luma = FrameLuma(longSide: configuration.tracking.bounded.longSide)
  }

  /// Nil if the frame cannot be decoded.
  func look(
    at frame: Frame, _ look: SubjectTracker.Look, _ requests: [SubjectTracker.Request]
  ) -> (subjects: [DockSubject], id: Int?)? {
    guard let picture = try? luma.picture(of: frame) else { return nil }
    let chosen = tracker.observe(picture, look, requests: requests)
    return (tracker.subjects, chosen)
  }
}

extension MonotonicTime {
  var seconds: Double { Double(nanoseconds) / 1e9 }
}
