import Imagery
import Locking

/// What the capture thread is asked to do with its camera.
enum CaptureCommand: Sendable {
  case prepare, start, stop, close
  case awaitReturn(InterruptionReason)
  /// The record of the outputs says that the stream has pictures.
  case judged
  case exit
}

/// What it says about it. Frames do not come this way.
enum CaptureNotice: Sendable {
  case event(SessionEvent)
  case prepared(CameraDescription, CameraFormat)
  case damagedFrame(sequence: UInt32, reason: String)
  /// The first frame of a stream came from the driver.
  case arrived(MonotonicTime)
}

/// The one thread that touches the camera: it does what it is told between frames, and hands each frame on with the
/// angle that held when it was exposed.
final class CaptureThread: Sendable {
  private struct Mailbox {
    var commands: [CaptureCommand] = []
    /// Nobody waits for the device's return any more.
    var isReturnAbandoned = false
    /// There as soon as the thread is.
    var wake: WakeSignal?
  }

  private let mailbox = Locked(Mailbox())
  private let clock: any CaptureClock
  private let thread = Locked<EngineThread?>(nil)
  /// What the device has taught of its times, kept from one life of the thread to the next.
  private let patience = Locked<PicturePatience?>(nil)

  init(clock: any CaptureClock) { self.clock = clock }

  /// - Parameters:
  ///   - router: is given every frame, on this thread.
  ///   - notify: is told everything else, on this thread; must not block.
  /// - Throws: when the process has no thread or descriptor left; nothing has begun then.
  func begin(
    source: any CameraSource, choice: @escaping @Sendable ([CameraFormat]) -> CameraFormat?,
    router: FrameRouter, patience fresh: PicturePatience, notify: @escaping @Sendable (CaptureNotice) -> Void
  ) throws(ResourceShortage) {
    let wake = try WakeSignal()
    clock.threadBegan()
    let loop = { @Sendable [self] in
      var worker = CaptureLoop(
        source: source, choice: choice, router: router, clock: clock, wake: wake,
        patience: patience.withLock { $0 } ?? fresh,
        notify: notify, isReturnAbandoned: { [self] in mailbox.withLock { $0.isReturnAbandoned } })
      defer { patience.withLock { $0 = worker.patience } }
      worker.run { [self] in mailbox.withLock { $0.commands.isEmpty ? nil : $0.commands.removeFirst() } }
      clock.threadEnded()
    }
    do throws(ResourceShortage) {
      let started = try EngineThread(name: "capture", priority: .capture, loop)
      thread.withLock { $0 = started }
      mailbox.withLock { mailbox in (mailbox.wake, mailbox.isReturnAbandoned) = (wake, false) }
    } catch {
      clock.threadEnded()
      throw error
    }
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
      // Nothing is posted after it.
      return mailbox.wake.take()
    }
    wake?.signal()
    thread.withLock { $0.take() }?.join()
  }
}
