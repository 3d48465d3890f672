public import System

/// A clock for tests: time jumps to the next deadline when every thread waits and no work is under way, and never past
/// the limit that `run(for:)` allowed. A ten-minute recording plays in as long as its pixels take.
///
/// ```swift
/// let clock = VirtualClock()
/// let session = CaptureSession(source: source, clock: clock)
/// try await session.start()
/// await clock.run(for: .seconds(10))
/// await session.stop()
/// ```
public final class VirtualClock: CaptureClock {
  fileprivate struct Timer {
    let id: Int
    let time: MonotonicTime
    let action: @Sendable () async -> Void
  }

  fileprivate struct Waiter {
    let id: Int
    let deadline: MonotonicTime
    var isReleased = false
  }

  fileprivate struct Run {
    let id: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  fileprivate struct State {
    var time: MonotonicTime
    var limit: MonotonicTime
    var threads = 0
    var work = 0
    var lastID = 0
    var timers: [Timer] = []
    var waiters: [Waiter] = []
    var runs: [Run] = []
  }

  private let state: Locked<State>

  /// - Parameter start: the time at which the clock stands until `run` lets it advance.
  public init(start: MonotonicTime = MonotonicTime(nanoseconds: 1_000_000_000)) {
    state = Locked(State(time: start, limit: start))
  }

  /// The present virtual time.
  public func now() -> MonotonicTime { state.withLock { $0.time } }

  /// Whether nothing is left to do at this instant: no work is under way, and every thread waits.
  package var isIdle: Bool { state.withLock { $0.isIdle } }

  /// Lets `duration` pass. Returns when everything scheduled in it has happened, or when the calling task is
  /// cancelled: work that never ends stops the time, but must not block the caller too.
  public func run(for duration: Duration) async {
    let id = state.withLock { $0.newID() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        change { state in
          state.limit = state.limit + duration
          state.runs.append(Run(id: id, continuation: continuation))
        }
        // Cancelled before the run was entered.
        if Task.isCancelled { abandon(id) }
      }
    } onCancel: {
      abandon(id)
    }
  }

  private func abandon(_ id: Int) {
    let abandoned = state.withLock { state in
      state.runs.firstIndex { $0.id == id }.map { state.runs.remove(at: $0) }
    }
    abandoned?.continuation.resume()
  }

  /// Lets time pass, a millisecond at a time, until `body` has finished: for calls that are answered by a later
  /// event.
  ///
  /// It gives up when both an hour of virtual time and five minutes of real time have passed. The real time is for answers from a disk
  /// or a server.
  /// - Throws: the errors of `body`; ``Overdue`` when it gives up; `CancellationError` if the calling task is cancelled. In the last two cases
  ///   `body` is cancelled, and not waited for.
  public func run<Value: Sendable>(
    until body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await run(within: .seconds(3600), machine: .seconds(300), until: body)
  }

  /// - Parameters:
  ///   - limit: the least virtual time to let pass before giving up.
  ///   - patience: the least real time to wait before giving up.
  package func run<Value: Sendable>(
    within limit: Duration, machine patience: Duration,
    until body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let (began, finished) = (Flag(), Flag())
    let task = Task {
      began.raise()
      defer { finished.raise() }
      return try await body()
    }
    while !began.isRaised { await Task.yield() }
    // Count the time of this call here, because other calls may let time pass, too.
    var passed = Duration.zero
    let end = SystemClock().now() + patience
    while !finished.isRaised {
      guard !Task.isCancelled else {
        task.cancel()
        throw CancellationError()
      }
      if passed >= limit, SystemClock().now() >= end {
        task.cancel()
        throw Overdue(passed: passed)
      }
      await run(for: .milliseconds(1))
      passed += .milliseconds(1)
      await Task.yield()
    }
    return try await task.value
  }

  /// The awaited event did not happen in time.
  public struct Overdue: Error, Hashable, CustomStringConvertible {
    /// The virtual time that passed.
    public let passed: Duration
    /// The error as a sentence.
    public var description: String { "it had not finished after \(passed) of virtual time" }
  }

  private final class Flag: Sendable {
    private let state = Locked(false)
    var isRaised: Bool { state.withLock { $0 } }
    func raise() { state.withLock { $0 = true } }
  }

  /// Blocks the thread until virtual time reaches `deadline` or `wake` is signalled.
  public func wait(until deadline: MonotonicTime, wake: WakeSignal) -> Bool {
    wake.observe { [state] in
      // Take the lock first, so that a waiter that has just checked its condition is asleep by now and gets the notification.
      state.withLock { _ in }
      state.notify()
    }
    defer { wake.observe(nil) }
    var isWoken = false
    let id = change { state in
      let id = state.newID()
      // If the thread was woken before it waited, time must not pass for it.
      isWoken = wake.drain()
      if !isWoken { state.waiters.append(Waiter(id: id, deadline: deadline)) }
      return id
    }
    if isWoken { return true }
    return state.wait { state in
      guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return false }
      let isWoken = wake.drain()
      guard isWoken || state.waiters[index].isReleased else { return nil }
      state.waiters.remove(at: index)
      return isWoken
    }
  }

  /// Runs `action` in a task of its own, and lets no time pass until it has ended.
  public func schedule(at time: MonotonicTime, _ action: @escaping @Sendable () async -> Void) -> Scheduled {
    let id = change { state in
      let id = state.newID()
      state.timers.append(Timer(id: id, time: time, action: action))
      return id
    }
    return Scheduled { [self] in change { state in state.timers.removeAll { $0.id == id } } }
  }

  /// Announces a thread: time also stands still while it runs, until it calls `wait`.
  public func threadBegan() { change { $0.threads += 1 } }
  /// Removes a thread: time does not depend on it any more.
  public func threadEnded() { change { $0.threads -= 1 } }
  /// Begins work: time stands still from now on.
  public func workBegan() { change { $0.work += 1 } }
  /// Ends work: time may advance, unless there is other work.
  public func workEnded() { change { $0.work -= 1 } }

  /// Makes a change, and advances time if nothing is left to do at this instant.
  @discardableResult
  private func change<Result>(_ body: (inout State) -> Result) -> Result {
    let (result, due, finished) = state.withLock { state in
      let result = body(&state)
      let (due, finished) = state.settle()
      return (result, due, finished)
    }
    state.notify()
    for timer in due {
      Task { [self] in
        await timer.action()
        workEnded()
      }
    }
    for run in finished { run.continuation.resume() }
    return result
  }
}

extension VirtualClock.State {
  mutating func newID() -> Int {
    lastID += 1
    return lastID
  }

  var isIdle: Bool { work == 0 && waiters.count { !$0.isReleased } == threads }

  /// Takes the due timers, each counted as work, and the finished runs.
  mutating func settle() -> (due: [VirtualClock.Timer], finished: [VirtualClock.Run]) {
    guard isIdle, !runs.isEmpty else { return ([], []) }
    let next = (waiters.map(\.deadline) + timers.map(\.time)).min() ?? .distantFuture
    guard next <= limit else {
      time = max(time, limit)
      defer { runs = [] }
      return ([], runs)
    }
    time = max(time, next)
    for index in waiters.indices where waiters[index].deadline <= time { waiters[index].isReleased = true }
    let due = timers.filter { $0.time <= time }
    timers.removeAll { $0.time <= time }
    work += due.count
    return (due, [])
  }
}
