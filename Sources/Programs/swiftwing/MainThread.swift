import CMainThread
import Capture
import Glibc
import System

/// The main thread runs every task of this program, receives its signals, and is the clock of its session. A viewfinder has only a few short
/// tasks: starting a thread pool for them, with its timers and its management, would take longer than the tasks.
///
/// The clock is the system's; the main thread runs the scheduled actions.
final class MainThread: CaptureClock {
  private struct Inbox {
    /// The addresses of jobs, in the order of arrival.
    var jobs: [UInt] = []
    var timers: [Timer] = []
    var timerCount = 0
    /// Whether the thread is waiting, so that new work must wake it.
    var isWaiting = false
  }

  private struct Timer {
    let number: Int
    let time: MonotonicTime
    let action: @Sendable () async -> Void
  }

  private let inbox = Locked(Inbox())
  private let wake: WakeSignal
  private let system = SystemClock()

  /// The main thread of the program, to which the runtime gives all jobs. The main thread sets it once, before there are any jobs.
  nonisolated(unsafe) private static var shared: MainThread?

  /// Takes over the tasks: from now on they run when the main thread calls `run(until:)`. Call this once per program, on its main thread.
  static func take() throws(ResourceShortage) -> MainThread {
    let thread = try MainThread()
    shared = thread
    main_thread_take_jobs { job in MainThread.shared?.add(UInt(bitPattern: job)) }
    main_thread_take_signals(thread.wake.descriptor)
    return thread
  }

  private init() throws(ResourceShortage) { wake = try WakeSignal() }

  /// The last signal, SIGINT or SIGTERM. Nil if there was none.
  var signal: Int32? {
    let number = main_thread_signal()
    return number == 0 ? nil : number
  }

  /// Runs tasks and timers until `isDone` returns true. It is called between tasks, and after each call of `nudge()` and each signal.
  func run(until isDone: () -> Bool) {
    while !isDone() {
      guard !runWhatIsThere() else { continue }
      _ = system.wait(until: nextTime(), wake: wake)
      inbox.withLock { $0.isWaiting = false }
    }
  }

  /// Makes the main thread call `isDone` again. May be called from any thread.
  func nudge() { wake.signal() }

  private func add(_ job: UInt) {
    let isWaiting = inbox.withLock { inbox in
      inbox.jobs.append(job)
      return inbox.isWaiting
    }
    if isWaiting { wake.signal() }
  }

  /// - Returns: false if there was nothing to run.
  private func runWhatIsThere() -> Bool {
    let (jobs, due) = (takenJobs(), dueTimers())
    for job in jobs { if let job = UnsafeMutableRawPointer(bitPattern: job) { main_thread_run(job) } }
    for timer in due { Task { await timer.action() } }
    return !jobs.isEmpty || !due.isEmpty
  }

  private func takenJobs() -> [UInt] {
    inbox.withLock { inbox in
      defer { inbox.jobs = [] }
      return inbox.jobs
    }
  }

  private func dueTimers() -> [Timer] {
    inbox.withLock { inbox in
      guard !inbox.timers.isEmpty else { return [] }
      let now = now()
      let due = inbox.timers.filter { $0.time <= now }
      inbox.timers.removeAll { $0.time <= now }
      return due.sorted { $0.time < $1.time }
    }
  }

  /// Returns the time of the next timer, until which the thread may wait, and marks the thread as waiting. If a job has arrived meanwhile,
  /// returns the present time and marks nothing.
  private func nextTime() -> MonotonicTime {
    inbox.withLock { inbox in
      guard inbox.jobs.isEmpty else { return now() }
      inbox.isWaiting = true
      return inbox.timers.map(\.time).min() ?? .distantFuture
    }
  }

  // MARK: The clock of the session

  func now() -> MonotonicTime { system.now() }
  func wait(until deadline: MonotonicTime, wake: WakeSignal) -> Bool {
    system.wait(until: deadline, wake: wake)
  }

  func schedule(at time: MonotonicTime, _ action: @escaping @Sendable () async -> Void) -> Scheduled {
    let (number, isWaiting) = inbox.withLock { inbox in
      inbox.timerCount += 1
      inbox.timers.append(Timer(number: inbox.timerCount, time: time, action: action))
      return (inbox.timerCount, inbox.isWaiting)
    }
    if isWaiting { wake.signal() }
    return Scheduled { [inbox] in inbox.withLock { $0.timers.removeAll { $0.number == number } } }
  }

  func threadBegan() {}
  func threadEnded() {}
  func workBegan() {}
  func workEnded() {}
}
