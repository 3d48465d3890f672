import Imagery
import System

/// What the capture thread works with.
struct CaptureSetup: Sendable {
  var source: any CameraSource
  /// Another number is another camera, though both may be specified alike.
  var number: Int
  var choice: @Sendable ([CameraFormat]) -> CameraFormat?
  var firstFrame: Duration
  var stall: Duration
  var policy = ControlPolicy()

  var patience: PicturePatience { PicturePatience(firstFrame: firstFrame, stall: stall) }
}

/// What the capture thread is asked to do with its camera.
enum CaptureCommand: Sendable {
  /// With this from now on. Another camera comes only while the device is closed.
  case prepare(CaptureSetup)
  /// With the same camera: what may change while it is prepared or streams.
  case configure(CaptureSetup)
  case start, stop, close
  case awaitReturn(InterruptionReason)
  /// The record of the outputs says that the stream has pictures.
  case judged
  case exit
}

/// What it says about it. Frames do not come this way.
enum CaptureNotice: Sendable {
  case event(SessionEvent)
  /// - Parameters: the camera, the format that was chosen of its own, and the one it settled on.
  case prepared(CameraDescription, wish: CameraFormat, CameraFormat)
  case damagedFrame(sequence: UInt32, reason: String)
  /// The first frame of a stream came from the driver.
  case arrived(MonotonicTime)
  case controls(ControlsUpdate)
}

/// The one thread that touches the camera: it does what it is told between frames, and hands each frame on with the
/// angle that held when it was exposed.
final class CaptureThread: Sendable {
  private struct Mailbox {
    var commands: [CaptureCommand] = []
    /// What the camera's operator is asked. Not among the commands, since it is taken also while the device is waited for.
    private var orders: [ControlOrder] = []
    /// Of those the oldest that was not taken.
    private var firstOrder = 0
    /// Nobody waits for the device's return any more.
    var isReturnAbandoned = false
    /// There as soon as the thread is.
    var wake: WakeSignal?

    mutating func add(_ order: ControlOrder) { orders.append(order) }

    /// However many wait, it takes no longer.
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
  /// What the device has taught of its times, kept from one life of the thread to the next; and the camera's number.
  private let learnt = Locked<(number: Int, patience: PicturePatience)?>(nil)

  /// Who operates the camera, from one life of the thread to the next: the thread while there is one.
  private let controls = Locked(CameraOperator())

  init(clock: any CaptureClock) { self.clock = clock }

  /// - Parameters:
  ///   - router: is given every frame, on this thread.
  ///   - notify: is told everything else, on this thread; must not block.
  /// - Throws: when the process has no thread or descriptor left; nothing has begun then.
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

  /// Orders are taken one after another, in the order of these calls. Without a thread there is no device: they are answered here.
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

  /// May come from an output at any time: without a thread it says nothing to anybody.
  func noteJudged() {
    clock.workBegan()
    let wake = mailbox.withLock { mailbox in
      if mailbox.wake != nil { mailbox.commands.append(.judged) }
      return mailbox.wake
    }
    if let wake { wake.signal() } else { clock.workEnded() }
  }

  /// Takes the thread out of `awaitReturn`, or keeps it from entering.
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
      // `exit` is the last command.
      return mailbox.wake.take()
    }
    wake?.signal()
    thread.withLock { $0.take() }?.join()
  }
}
