import Imagery
import Log
import System

/// The work of the capture thread. Confined to that thread.
struct CaptureLoop {
  private(set) var setup: CaptureSetup
  private let router: FrameRouter
  private let clock: any CaptureClock
  private let wake: WakeSignal
  private(set) var patience: PicturePatience
  private let notify: @Sendable (CaptureNotice) -> Void
  private let isReturnAbandoned: @Sendable () -> Bool
  private let nextOrder: @Sendable () -> ControlOrder?
  private let controls: Locked<CameraOperator>
  private let meter = ExposureMeter()
  private var camera: (any Camera)?
  /// `camera` as an `OperableCamera`, while it is open; nil if it cannot be operated.
  private var operable: (any OperableCamera)?
  private var isStreaming = false {
    didSet { if oldValue, !isStreaming { controls.withLock { $0.streamEnded(now: clock.now()) } } }
  }
  private var isInterrupted = false
  /// Whether the present stream has delivered a picture.
  private var hasFrame = false
  /// Whether the first frame of the present stream has arrived, usable or not.
  private var hasArrived = false
  /// Whether an output has decoded a frame of this camera, and none has failed to decode one since. While
  /// this is false, a compressed frame counts as a picture only after an output has decoded it.
  private var isProven = false
  /// The reason why the latest damaged frame was no picture.
  private var damage: String?
  /// Whether the camera has delivered a picture since it was made; a later failure may then be temporary.
  private var hasWorked = false
  /// The number of consecutive failures of a camera that has never delivered.
  private var failures = 0
  /// The state of the previous camera, until the present one has started.
  private var former: Acquaintance?
  /// The number of the latest frame of the present stream.
  private var lastSequence: UInt32?
  /// The number of damaged frames since `lastSequence`, so that they are not counted as lost too.
  private var damagedSince = 0
  /// The number of failures after which a camera is given up; together they last about a second.
  static let patience = 10
  /// The time that orders to the camera's operator may take before the next look for a frame; the last order
  /// may exceed it. So even a long queue of orders does not hold up the pictures.
  static let orderTime = Duration.milliseconds(10)

  init(
    setup: CaptureSetup, router: FrameRouter, clock: any CaptureClock, wake: WakeSignal,
    patience: PicturePatience, controls: Locked<CameraOperator>,
    notify: @escaping @Sendable (CaptureNotice) -> Void, isReturnAbandoned: @escaping @Sendable () -> Bool,
    nextOrder: @escaping @Sendable () -> ControlOrder?
  ) {
    self.setup = setup
    self.router = router
    self.clock = clock
    self.wake = wake
    self.patience = patience
    self.notify = notify
    self.isReturnAbandoned = isReturnAbandoned
    self.controls = controls
    self.nextOrder = nextOrder
  }

  /// The camera as its user wrote it.
  private var source: String { setup.source.specification }

  mutating func run(nextCommand: () -> CaptureCommand?) {
    while true {
      let hasMore = takeOrders(for: isStreaming ? CaptureLoop.orderTime : nil)
      if let command = nextCommand() {
        defer { clock.workEnded() }
        if case .exit = command { break }
        perform(command)
      } else if isStreaming {
        takeNext(waits: !hasMore)
      } else {
        _ = clock.wait(until: .distantFuture, wake: wake)
      }
    }
    endControls()
    if isStreaming { camera?.stop() }
    camera?.close()
    takeOrders()
  }

  private mutating func perform(_ command: CaptureCommand) {
    switch command {
    case .prepare(let new):
      configure(new)
      prepare()
    case .start: start()
    case .stop:
      isStreaming = false
      camera?.stop()
      Log.camera.event("stopped", .debug)
      notify(.event(.stopped))
    case .close:
      endControls()
      camera?.close()
      Log.camera.event("closed", .debug)
      patience.closed()
      notify(.event(.closed))
    case .awaitReturn(let reason):
      patience.lost(to: reason)
      // Waiting is no work, although the virtual clock counts the command as work.
      clock.workEnded()
      while !isReturnAbandoned(), camera?.awaitReturn(after: reason, wake: wake) == false {
        takeOrders()
      }
      clock.workBegan()
      if isReturnAbandoned() { patience.closed() }
      notify(.event(.returned))
    case .judged: noteProof()
    case .configure(let new): configure(new)
    case .exit: break
    }
  }

  /// The state of a camera while another camera is tried in its place.
  private struct Acquaintance {
    var number: Int
    var camera: (any Camera)?
    var patience: PicturePatience
    var isProven = false
    var hasWorked = false
    var failures = 0
  }

  private mutating func configure(_ new: CaptureSetup) {
    if new.number != setup.number { meet(new) }
    setup = new
    patience.limit(firstFrame: new.firstFrame, stall: new.stall)
  }

  /// Switches to another camera. The previous one, which is closed, is remembered until the new one has started.
  private mutating func meet(_ new: CaptureSetup) {
    let leaving = Acquaintance(
      number: setup.number, camera: camera, patience: patience, isProven: isProven, hasWorked: hasWorked,
      failures: failures)
    let known = former?.number == new.number ? former : nil
    former = known == nil ? leaving : nil
    let next = known ?? Acquaintance(number: new.number, patience: new.patience)
    camera = next.camera
    patience = next.patience
    isProven = next.isProven
    hasWorked = next.hasWorked
    failures = next.failures
    damage = nil
  }

  private mutating func prepare() {
    do throws(CameraError) {
      if camera == nil { camera = try setup.source.makeCamera(clock: clock) }
      guard let camera else { return }
      let began = Log.camera.began(.debug)
      let description = try camera.open()
      Log.camera.event("opened", .debug, began: began)
      guard let wanted = setup.choice(description.formats) else {
        throw CameraError.nothing(chosenFrom: description.formats, of: source)
      }
      let format = try camera.prepare(wanted)
      Log.camera.event("prepared", .debug, began: began)
      patience.noteInterval(format.frameInterval.duration)
      operable = camera as? any OperableCamera
      operate { [setup] in $0.cameraPrepared($1, number: setup.number, format: format, setup.policy, now: $2)
      }
      notify(.prepared(description, wish: wanted, format))
      notify(.event(.prepared))
    } catch {
      endControls()
      camera?.close()
      tell(error)
    }
  }

  private mutating func start() {
    do throws(CameraError) {
      router.record.streamBegan(at: clock.now())
      let began = Log.camera.began(.debug)
      try camera?.start()
      Log.camera.event("started", .debug, began: began)
      isStreaming = true
      isInterrupted = false
      hasFrame = false
      hasArrived = false
      lastSequence = nil
      damagedSince = 0
      former = nil
      patience.began(at: clock.now())
      operate { $0.streamBegan($1, now: $2) }
      notify(.event(.started))
    } catch {
      tell(error)
    }
  }

  /// Reports a failure. A camera that fails repeatedly and never had a picture is reported as broken: endless retries would hide the reason.
  private mutating func tell(_ error: CameraError) {
    guard !hasWorked, let attempts = countFailure(error) else { return notify(.event(.failed(error))) }
    failures = 0
    patience.startsInVain = 0
    notify(.event(.failed(.broken(source, reason: attempts))))
  }

  /// - Returns: a description of all attempts, once there were enough of them; otherwise nil.
  private mutating func countFailure(_ error: CameraError) -> String? {
    switch error.code {
    case .failed:
      failures += 1
      return failures < CaptureLoop.patience ? nil : "it failed \(failures) times in a row; \(error.reason)"
    case .stalled:
      guard patience.startsInVain >= PicturePatience.startsForOneThatNeverWorked else { return nil }
      let last = damage.map { " (of the last frame: \($0))" } ?? ""
      return
        "it was started \(patience.startsInVain) times and delivered no usable picture, the last time for "
        + "\(Int((patience.allowance.milliseconds / 1000).rounded())) s\(last); try another port, cable or format"
    default: return nil
    }
  }

  /// - Parameter waits: whether to wait for the next event; false takes only an event that is available already.
  private mutating func takeNext(waits: Bool) {
    guard let camera else { return }
    do throws(CameraError) {
      let due = controls.withLock { $0.due }
      let deadline = min(pictureDeadline, due ?? .distantFuture)
      let event = try camera.next(until: waits ? deadline : min(deadline, clock.now()), wake: wake)
      try handle(event)
      if let due, clock.now() >= due { operate { $0.tick($1, now: $2) } }
    } catch {
      isStreaming = false
      tell(error)
    }
  }

  private mutating func handle(_ event: CameraEvent) throws(CameraError) {
    switch event {
    case .frame(let image):
      try deliver(image)
    case .damagedFrame(let sequence, let reason):
      try noteDamage(sequence, reason)
    case .attitude(let degrees, let time):
      router.rotation.noteAttitude(degrees: degrees, at: time)
    case .interrupted(let reason):
      isInterrupted = true
      hasFrame = false
      notify(.event(.interrupted(reason)))
    case .interruptionEnded:
      isInterrupted = false
      patience.began(at: clock.now())
      notify(.event(.interruptionEnded))
    case .controlsChanged(let changed): operate { $0.note(changed, $1, now: $2) }
    case .woken: break
    // A time-out before `pictureDeadline` means that a step of the controls was due, which `takeNext`
    // performs.
    case .timedOut: if clock.now() >= pictureDeadline { throw stalled() }
    case .ended:
      isStreaming = false
      notify(.event(.ended))
    }
  }

  private mutating func stalled() -> CameraError {
    let waited = patience.allowance
    patience.stalled()
    Log.camera.event("stalled", .warning, LogFact("waited ms", Int(waited.milliseconds)))
    return .stalled(source, after: waited)
  }

  /// Notes a damaged frame. An occasional one is a blemish; if only damaged frames arrive until the deadline, the stream has stalled.
  private mutating func noteDamage(_ sequence: UInt32, _ reason: String) throws(CameraError) {
    damage = reason
    damagedSince += 1
    router.drops.note(.damaged, detail: reason)
    notify(.damagedFrame(sequence: sequence, reason: reason))
    if !isInterrupted, clock.now() >= patience.deadline { throw stalled() }
  }

  private mutating func deliver(_ taken: CapturedImage) throws(CameraError) {
    let (now, isCompressed) = (clock.now(), taken.image.format.pixelFormat.isCompressed)
    var image = taken
    image.settings = controls.withLock { $0.settings(of: taken, now: now) }
    if isCompressed, let fault = JPEGCheck.fault(in: image.image) {
      return try noteDamage(image.sequence, "\(fault)")
    }
    noteGap(before: image.sequence)
    if !hasArrived {
      hasArrived = true
      notify(.arrived(now))
    }
    let isJudged = router.deliver(image, arrivalTime: now) && isCompressed
    operate { [meter] in $0.frameCame(image, $1, now: $2) { meter.offset(of: image.image) } }
    if !isJudged || isProven || hasFrame || router.record.isAccepted {
      notePicture(at: now)
      if isJudged { try checkRecord() }
    } else if !isInterrupted, now >= patience.deadline {
      damage = router.record.failing?.reason
      throw stalled()
    }
  }

  /// Notes a gap in the device's numbers. Missing frames count as lost, except those that arrived damaged.
  private mutating func noteGap(before sequence: UInt32) {
    defer { (lastSequence, damagedSince) = (sequence, 0) }
    guard let lastSequence, let gap = Int32(exactly: Int64(sequence) - Int64(lastSequence) - 1) else {
      return
    }
    let lost = Int(gap) - damagedSince
    guard lost > 0 else { return }
    router.drops.note(.lost, count: lost)
    Log.camera.event("lost by the device", .warning, frame: sequence, LogFact("frames", lost))
  }

  private mutating func notePicture(at now: MonotonicTime) {
    hasWorked = true
    failures = 0
    patience.pictureCame(at: now)
    // A frame that was taken before an interruption but arrives during it does not count as the first frame
    // after it.
    guard !hasFrame, !isInterrupted else { return }
    hasFrame = true
    notify(.event(.firstFrame))
  }

  /// Throws a stall if the frames look like pictures, but no output could decode one for as long as the
  /// allowance.
  private mutating func checkRecord() throws(CameraError) {
    guard let failing = router.record.failing, failing.until - failing.since >= patience.allowance else {
      return
    }
    isProven = false
    damage = failing.reason
    throw stalled()
  }

  /// Notes that an output has decoded the first frame of a stream.
  private mutating func noteProof() {
    guard isStreaming, router.record.isAccepted else { return }
    isProven = true
    if !hasFrame, !isInterrupted { notePicture(at: clock.now()) }
  }
}

// MARK: - Operating the camera

extension CaptureLoop {
  /// The time by which a picture must arrive; `distantFuture` during an interruption, which may last.
  private var pictureDeadline: MonotonicTime { isInterrupted ? .distantFuture : patience.deadline }

  /// - Parameter share: the time for orders, which only the last of them may exceed; nil takes all orders.
  /// - Returns: whether more orders may be waiting.
  @discardableResult
  private func takeOrders(for share: Duration? = nil) -> Bool {
    let end = share.map { clock.now() + $0 } ?? .distantFuture
    while let order = nextOrder() {
      operate { $0.take(order, camera: $1, now: $2) }
      clock.workEnded()
      if clock.now() >= end { return true }
    }
    return false
  }

  private func operate(_ body: (inout CameraOperator, (any OperableCamera)?, MonotonicTime) -> Void) {
    controls.withLock {
      let began = clock.now()
      body(&$0, operable, began)
      let ended = clock.now()
      $0.noteCost(ended - began, at: ended)
    }
    tellControls()
  }

  private func tellControls() {
    if let news = controls.withLock({ $0.takeNews() }) { notify(.controls(news)) }
  }

  /// Ends the operation of the camera before the device is closed.
  private mutating func endControls() {
    operate { $0.cameraWillClose($1, now: $2) }
    operable = nil
  }
}

extension CameraError {
  /// Makes the error for a camera that offers no format which the session's `chooseFormat` accepts.
  static func nothing(chosenFrom formats: [CameraFormat], of source: String) -> CameraError {
    .unsupportedFormat(
      source, wanted: "a format that the engine can show",
      offered: formats.isEmpty ? "none" : formats.prefix(8).map(\.description).joined(separator: ", "))
  }
}
