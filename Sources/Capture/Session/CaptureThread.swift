import Imagery
import Locking

/// What the capture thread is asked to do with its camera.
enum CaptureCommand: Sendable {
  case prepare, start, stop, close
  case awaitReturn(InterruptionReason)
  case exit
}

/// What it says about it. Frames do not come this way.
enum CaptureNotice: Sendable {
  case event(SessionEvent)
  case prepared(CameraDescription, CameraFormat)
  case damagedFrame(sequence: UInt32, reason: String)
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

  init(clock: any CaptureClock) { self.clock = clock }

  /// - Parameters:
  ///   - router: is given every frame, on this thread.
  ///   - notify: is told everything else, on this thread; must not block.
  /// - Throws: when the process has no thread or descriptor left; nothing has begun then.
  func begin(
    source: any CameraSource, choice: @escaping @Sendable ([CameraFormat]) -> CameraFormat?,
    router: FrameRouter, stallTimeout: Duration, notify: @escaping @Sendable (CaptureNotice) -> Void
  ) throws(ResourceShortage) {
    let wake = try WakeSignal()
    clock.threadBegan()
    let loop = { @Sendable [self] in
      var worker = CaptureLoop(
        source: source, choice: choice, router: router, clock: clock, wake: wake, stallTimeout: stallTimeout,
        notify: notify, isReturnAbandoned: { [self] in mailbox.withLock { $0.isReturnAbandoned } })
      worker.run { [self] in mailbox.withLock { $0.commands.isEmpty ? nil : $0.commands.removeFirst() } }
      clock.threadEnded()
    }
    do throws(ResourceShortage) {
      let started = try EngineThread(name: "capture", priority: .capture, loop)
      thread.withLock { $0 = started }
      mailbox.withLock { $0.wake = wake }
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

  /// Takes the thread out of `awaitReturn`, or keeps it from entering.
  func abandonReturn() {
    let wake = mailbox.withLock { mailbox in
      mailbox.isReturnAbandoned = true
      return mailbox.wake
    }
    wake?.signal()
  }

  /// Ends the thread and waits for it.
  func end() {
    post(.exit)
    thread.withLock { $0.take() }?.join()
  }
}

/// The life of the capture thread; confined to it.
struct CaptureLoop {
  private let source: any CameraSource
  private let choice: @Sendable ([CameraFormat]) -> CameraFormat?
  private let router: FrameRouter
  private let clock: any CaptureClock
  private let wake: WakeSignal
  /// Longer for cameras whose frames are further apart than that.
  private var stallTimeout: Duration
  private let notify: @Sendable (CaptureNotice) -> Void
  private let isReturnAbandoned: @Sendable () -> Bool
  private var camera: (any Camera)?
  private var isStreaming = false
  private var isInterrupted = false
  private var hasFrame = false
  /// The camera has delivered since it was made: what stops it now may pass.
  private var hasWorked = false
  /// Failures in a row of a camera that has not.
  private var failures = 0
  /// So many of them last about a second.
  static let patience = 10
  private var deadline = MonotonicTime.distantFuture

  init(
    source: any CameraSource, choice: @escaping @Sendable ([CameraFormat]) -> CameraFormat?,
    router: FrameRouter, clock: any CaptureClock, wake: WakeSignal, stallTimeout: Duration,
    notify: @escaping @Sendable (CaptureNotice) -> Void, isReturnAbandoned: @escaping @Sendable () -> Bool
  ) {
    self.source = source
    self.choice = choice
    self.router = router
    self.clock = clock
    self.wake = wake
    self.stallTimeout = stallTimeout
    self.notify = notify
    self.isReturnAbandoned = isReturnAbandoned
  }

  mutating func run(nextCommand: () -> CaptureCommand?) {
    while true {
      if let command = nextCommand() {
        defer { clock.workEnded() }
        if case .exit = command { break }
        perform(command)
      } else if isStreaming {
        takeNext()
      } else {
        _ = clock.wait(until: .distantFuture, wake: wake)
      }
    }
    if isStreaming { camera?.stop() }
    camera?.close()
  }

  private mutating func perform(_ command: CaptureCommand) {
    switch command {
    case .prepare: prepare()
    case .start: start()
    case .stop:
      isStreaming = false
      camera?.stop()
      notify(.event(.stopped))
    case .close:
      camera?.close()
      notify(.event(.closed))
    case .awaitReturn(let reason):
      // While waiting this thread has nothing to do, whatever the virtual clock thinks of the command.
      clock.workEnded()
      while !isReturnAbandoned(), camera?.awaitReturn(after: reason, wake: wake) == false {}
      clock.workBegan()
      notify(.event(.returned))
    case .exit: break
    }
  }

  private mutating func prepare() {
    do throws(CameraError) {
      if camera == nil { camera = try source.makeCamera(clock: clock) }
      guard let camera else { return }
      let description = try camera.open()
      guard let wanted = choice(description.formats) else {
        throw .unsupportedFormat(
          source.specification, wanted: "a format that the engine can show",
          offered: description.formats.prefix(8).map(\.description).joined(separator: ", "))
      }
      let format = try camera.prepare(wanted)
      stallTimeout = max(stallTimeout, format.frameInterval.duration * 5)
      notify(.prepared(description, format))
      notify(.event(.prepared))
    } catch {
      camera?.close()
      tell(error)
    }
  }

  private mutating func start() {
    do throws(CameraError) {
      try camera?.start()
      (isStreaming, isInterrupted, hasFrame) = (true, false, false)
      deadline = clock.now() + stallTimeout
      notify(.event(.started))
    } catch {
      tell(error)
    }
  }

  /// A camera that fails again and again and never had a picture is broken: trying for ever would keep its reason from the user.
  private mutating func tell(_ error: CameraError) {
    guard case .failed(let source, let reason) = error, !hasWorked else {
      return notify(.event(.failed(error)))
    }
    failures += 1
    guard failures >= CaptureLoop.patience else { return notify(.event(.failed(error))) }
    notify(.event(.failed(.broken(source, reason: "it failed \(failures) times in a row; \(reason)"))))
    failures = 0
  }

  private mutating func takeNext() {
    guard let camera else { return }
    do throws(CameraError) {
      let event = try camera.next(until: isInterrupted ? .distantFuture : deadline, wake: wake)
      try handle(event)
    } catch {
      isStreaming = false
      tell(error)
    }
  }

  private mutating func handle(_ event: CameraEvent) throws(CameraError) {
    switch event {
    case .frame(let image):
      deliver(image)
    case .damagedFrame(let sequence, let reason):
      notify(.damagedFrame(sequence: sequence, reason: reason))
      // A picture now and then that is none is a blemish; nothing else for so long is a stall.
      if !isInterrupted, clock.now() >= deadline { throw .stalled(source.specification, after: stallTimeout) }
    case .attitude(let degrees, let time):
      router.rotation.noteAttitude(degrees: degrees, at: time)
    case .interrupted(let reason):
      (isInterrupted, hasFrame) = (true, false)
      notify(.event(.interrupted(reason)))
    case .interruptionEnded:
      isInterrupted = false
      deadline = clock.now() + stallTimeout
      notify(.event(.interruptionEnded))
    case .woken: break
    case .timedOut: throw .stalled(source.specification, after: stallTimeout)
    case .ended:
      isStreaming = false
      notify(.event(.ended))
    }
  }

  private mutating func deliver(_ image: CapturedImage) {
    let now = clock.now()
    (hasWorked, failures) = (true, 0)
    deadline = now + stallTimeout
    router.deliver(image, arrivalTime: now)
    if !hasFrame {
      hasFrame = true
      notify(.event(.firstFrame))
    }
  }
}
