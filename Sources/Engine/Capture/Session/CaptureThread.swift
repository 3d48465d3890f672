import System

struct CaptureSetup: Sendable {
  var source: any CameraSource
  /// The number of the camera: a new number means another camera, even if the specification is the same.
  var number: Int
  var choice: @Sendable ([CameraFormat]) -> CameraFormat?
  var firstFrame: Duration
  var stall: Duration
  var policy = ControlPolicy()

  var patience: PicturePatience { PicturePatience(firstFrame: firstFrame, stall: stall) }
}

enum CaptureCommand: Sendable {
  /// Prepares the camera with this setup. Only while the device is closed may the setup have another camera.
  case prepare(CaptureSetup)
  /// Changes the settings that may change while the same camera is prepared or streams.
  case configure(CaptureSetup)
  case start, stop, close
  case awaitReturn(InterruptionReason)
  /// The outputs have decided that the stream has pictures.
  case judged
  case exit
}

/// A notice from the capture thread. Frames are not sent as notices: the router gets them.
enum CaptureNotice: Sendable {
  case event(SessionEvent)
  /// - Parameters: the camera, the format that was chosen, and the format that the camera settled on.
  case prepared(CameraDescription, wish: CameraFormat, CameraFormat)
  case damagedFrame(sequence: UInt32, reason: String)
  /// The first frame of a stream arrived from the driver.
  case arrived(MonotonicTime)
  case controls(ControlsUpdate)
}

/// The one thread that uses the camera: it executes commands between frames, and passes on each frame with the
/// orientation at the time of its exposure.
final class CaptureThread: Sendable {
  private struct Mailbox {
    var commands: [CaptureCommand] = []
    /// Orders for the camera's operator. They are separate from the commands, since they are also taken while waiting for the device.
    private var orders: [ControlOrder] = []
    /// The index of the oldest order that was not taken.
    private var firstOrder = 0
    /// Whether nobody waits for the device's return any more.
    var isReturnAbandoned = false
    /// The wake signal, as long as the thread exists.
    var wake: WakeSignal?

    mutating func add(_ order: ControlOrder) { orders.append(order) }

    /// Removes and returns the oldest order; nil if none waits. Takes constant time on average, however many orders wait.
    mutating func nextOrder() -> ControlOrder? {
      guard firstOrder < orders.count else { return nil }
      defer {
        firstOrder += 1
        if firstOrder == orders.count || firstOrder >= max(64, orders.count / 2) {
          orders.removeFirst(firstOrder)
          firstOrder = 0
        }
      }
      return orders[firstOrder]
    }
  }

  private let mailbox = Locked(Mailbox())
  private let clock: any CaptureClock
  private let thread = Locked<NamedThread?>(nil)
  /// The camera's number, and the times that its device needed, kept from one thread to the next.
  private let learnt = Locked<(number: Int, patience: PicturePatience)?>(nil)

  /// The camera's operator, kept from one thread to the next. While a thread runs, it alone uses the operator.
  private let controls = Locked(CameraOperator())

  init(clock: any CaptureClock) { self.clock = clock }

  /// - Parameters:
  ///   - router: gets every frame, on this thread.
  ///   - notify: gets everything else, on this thread; must not block.
  /// - Throws: an error if the process has no thread or descriptor left; nothing has begun then.
  func begin(
    _ setup: CaptureSetup, router: FrameRouter, notify: @escaping @Sendable (CaptureNotice) -> Void
  ) throws(ResourceShortage) {
    let wake = try WakeSignal()
    clock.threadBegan()
    let loop = { @Sendable [self] in
      var worker = CaptureLoop(
        setup: setup, router: router, clock: clock, wake: wake, patience: patience(for: setup),
        controls: controls, notify: notify,
        isReturnAbandoned: { [self] in mailbox.withLock { $0.isReturnAbandoned } },
        nextOrder: { [self] in
          mailbox.withLock { $0.nextOrder() }
        })
      defer { learnt.withLock { $0 = (worker.setup.number, worker.patience) } }
      worker.run { [self] in mailbox.withLock { $0.commands.isEmpty ? nil : $0.commands.removeFirst() } }
      clock.threadEnded()
    }
    do throws(ResourceShortage) {
      let started = try NamedThread(name: "capture", priority: .capture, loop)
      thread.withLock { $0 = started }
      mailbox.withLock { mailbox in (mailbox.wake, mailbox.isReturnAbandoned) = (wake, false) }
    } catch {
      clock.threadEnded()
      throw error
    }
  }

  private func patience(for setup: CaptureSetup) -> PicturePatience {
    guard var known = learnt.withLock({ $0 }), known.number == setup.number else { return setup.patience }
    known.patience.limit(firstFrame: setup.firstFrame, stall: setup.stall)
    return known.patience
  }

  func post(_ command: CaptureCommand) {
    clock.workBegan()
    let wake = mailbox.withLock { mailbox in
      mailbox.commands.append(command)
      if case .awaitReturn = command { mailbox.isReturnAbandoned = false }
      return mailbox.wake
    }
    wake?.signal()
  }

  /// Enters an order. Orders are executed in the order of these calls. Without a thread there is no device, so they are answered here.
  func operate(_ order: ControlOrder) {
    clock.workBegan()
    let wake = mailbox.withLock { mailbox in
      if mailbox.wake != nil { mailbox.add(order) }
      return mailbox.wake
    }
    if let wake { return wake.signal() }
    controls.withLock { $0.take(order, camera: nil, now: clock.now()) }
    clock.workEnded()
  }

  /// Notes that the outputs have judged the stream. An output may call this at any time; without a thread it has no effect.
  func noteJudged() {
    clock.workBegan()
    let wake = mailbox.withLock { mailbox in
      if mailbox.wake != nil { mailbox.commands.append(.judged) }
      return mailbox.wake
    }
    if let wake { wake.signal() } else { clock.workEnded() }
  }

  /// Makes the thread leave `awaitReturn`, or not enter it.
  func abandonReturn() {
    let wake = mailbox.withLock { mailbox in
      mailbox.isReturnAbandoned = true
      return mailbox.wake
    }
    wake?.signal()
  }

  /// Ends the thread and waits for it; it may begin again.
  func end() {
    clock.workBegan()
    let wake = mailbox.withLock { mailbox in
      mailbox.commands.append(.exit)
      // `exit` is the last command, so no later one may be added.
      return mailbox.wake.take()
    }
    wake?.signal()
    thread.withLock { $0.take() }?.join()
  }
}
