import FoundationEssentials
public import Library

/// Delivers scans: submits the scans in the queue to the backend and adds their books to the library, several scans at a time.
///
/// The uploader's whole state is in the store. It may be killed at any moment, and another uploader continues from there.
///
/// ```swift
/// let uploader = Uploader(store: store, backend: backend)
/// try await uploader.accept(Submission(content: .image(jpeg, mediaType: "image/jpeg")))
/// await uploader.drain()
/// for book in try await store.library.books() { print(book.title) }
/// ```
public actor Uploader {
  let store: Store
  let backend: any Backend
  let clock: any DeliveryClock
  let retry: RetryPolicy
  private let concurrency: Int

  /// The events. Only one task may watch them; the latest 1,000 are buffered.
  public nonisolated let events: AsyncStream<UploaderEvent>
  nonisolated let tell: LoggedEvents
  private nonisolated let signal: AsyncStream<Void>.Continuation
  private let signals: AsyncStream<Void>

  /// The time line of all waits. Nil until it is read from the library.
  private var time: QueueTime?
  private var scansUnderWay: Set<Int64> = []
  private var cleanupsUnderWay: Set<String> = []
  private var troubles = 0
  /// The number of consecutive outages of the backend, by scan.
  private var outages: [QueuedScan.ID: Int] = [:]
  private var quietUntil = Date.distantPast
  /// The number of consecutive failures of cleanups. Counted separately, because they must not delay scans.
  private var cleanupTroubles = 0
  private var cleanupsQuietUntil = Date.distantPast
  private var isOffline = false
  private var isLimited = false

  /// - Parameter concurrency: the maximum number of scans at a time, at least 1.
  public init(
    store: Store, backend: any Backend, clock: any DeliveryClock = WallClock(),
    retry: RetryPolicy = RetryPolicy(),
    concurrency: Int = 4
  ) {
    self.init(
      store: store, backend: backend, clock: clock, retry: retry, concurrency: concurrency,
      news: LoggedEvents.makeStream())
  }

  /// - Parameter news: the stream of the uploader's events. The backend may add events to it.
  package init(
    store: Store, backend: any Backend, clock: any DeliveryClock, retry: RetryPolicy = RetryPolicy(),
    concurrency: Int, news: (events: AsyncStream<UploaderEvent>, tell: LoggedEvents)
  ) {
    self.store = store
    self.backend = backend
    self.clock = clock
    self.retry = retry
    self.concurrency = max(concurrency, 1)
    events = news.events
    tell = news.tell
    (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  deinit {
    tell.finish()
    signal.finish()
  }

  /// Accepts the submission and starts delivering it.
  @discardableResult
  public nonisolated func accept(_ submission: Submission) async throws(DeliveryError) -> ScanQueue.Acceptance
  {
    let acceptance = try await store.queue.accept(submission)
    wake()
    return acceptance
  }

  /// Makes the uploader check the queue again, for example after a `retry`.
  public nonisolated func wake() { signal.yield() }

  /// Works until the task is cancelled. Also wakes when another program retries scans.
  public func run() async {
    let listener = store.place.flatMap { place in QueueSignal(place) { [weak self] in self?.wake() } }
    await work(untilDrained: false)
    withExtendedLifetime(listener) {}
  }

  /// Works until nothing is left to deliver or clean up. Failed scans do not count.
  public func drain() async { await work(untilDrained: true) }

  private enum Finished: Sendable {
    case scan(Int64)
    case cleanup(String)
    case timer, signal
  }

  private func work(untilDrained: Bool) async {
    await withTaskGroup(of: Finished.self) { group in
      var timer: Date?
      if !untilDrained { listen(&group) }
      while !Task.isCancelled {
        let next = await setOff(&group)
        if untilDrained, next == nil, isIdle { break }
        if let next, timer == nil || next < (timer ?? next) {
          timer = next
          // Compute the end now, since the task may start later.
          let end = clock.uptime + next.timeIntervalSince(present)
          group.addTask { [clock] in
            let wait = end - clock.uptime
            if wait > 0 { try? await clock.sleep(for: wait) }
            return .timer
          }
        }
        switch await group.next() {
        case .scan(let id): scansUnderWay.remove(id)
        case .cleanup(let job): cleanupsUnderWay.remove(job)
        case .signal: listen(&group)
        case .timer: timer = nil
        case nil: return
        }
      }
      group.cancelAll()
    }
    scansUnderWay = []
    cleanupsUnderWay = []
  }

  private var isIdle: Bool { scansUnderWay.isEmpty && cleanupsUnderWay.isEmpty }

  private func listen(_ group: inout TaskGroup<Finished>) {
    let signals = signals
    group.addTask {
      for await _ in signals { return .signal }
      return .signal
    }
  }

  /// The present on the time line of the queue.
  var present: Date { time?.now ?? clock.now }

  func after(_ seconds: TimeInterval) -> Date { time?.after(seconds) ?? clock.now + seconds }

  /// Converts a date on the queue's time line to the wall clock's time, for a person.
  func wall(_ date: Date) -> Date { time?.wall(date) ?? date }

  /// Starts due work, up to the maximum number of tasks. Returns when to check again; nil if the end of running work will wake the uploader.
  private func setOff(_ group: inout TaskGroup<Finished>) async -> Date? {
    do {
      if time == nil {
        time = try await store.queue.keepTime(by: clock, longestWait: retry.longestWait)
      }
      let now = present
      if quietUntil > now { return quietUntil }
      if let until = try await store.queue.pause(at: now) {
        announceLimit(until)
        return until
      }
      if isLimited {
        isLimited = false
        tell.yield(.unlimited)
      }
      try await start(at: now, &group)
      let next = try await store.queue.nextDue(after: now)
      guard cleanupsQuietUntil > now else { return next }
      let heldBack = try await due(at: now, limit: 1)
      return heldBack.isEmpty ? next : min(next ?? cleanupsQuietUntil, cleanupsQuietUntil)
    } catch {
      tell.yield(.storageTrouble(reason: error.description))
      quietUntil = after(retry.offlineInterval)
      return quietUntil
    }
  }

  /// Starts due scans and cleanups: several at a time, but only one while the backend is unreachable.
  private func start(at now: Date, _ group: inout TaskGroup<Finished>) async throws(DeliveryError) {
    var room = (isOffline ? 1 : concurrency) - scansUnderWay.count - cleanupsUnderWay.count
    // Up to half of the places go to cleanups first; otherwise a long queue would leave its images at the backend until the last scan is
    // delivered. The other half does not, so that a backend with slow cleanups does not delay the scans.
    let share = min(room, max(concurrency / 2, 1) - cleanupsUnderWay.count)
    if share > 0 { room -= try await startCleanups(at: now, limit: share, &group) }
    guard room > 0 else { return }
    for scan in try await store.queue.due(at: now, limit: room, excluding: scansUnderWay) {
      scansUnderWay.insert(scan.id)
      room -= 1
      group.addTask {
        await self.carry(scan)
        return .scan(scan.id)
      }
    }
    if room > 0 { _ = try await startCleanups(at: now, limit: room, &group) }
  }

  /// Starts due cleanups. Returns their number.
  private func startCleanups(
    at now: Date, limit: Int, _ group: inout TaskGroup<Finished>
  ) async throws(DeliveryError) -> Int {
    let cleanups = cleanupsQuietUntil > now ? [] : try await due(at: now, limit: limit)
    for cleanup in cleanups {
      cleanupsUnderWay.insert(cleanup.jobID)
      group.addTask {
        await self.perform(cleanup)
        return .cleanup(cleanup.jobID)
      }
    }
    return cleanups.count
  }

  private func due(at now: Date, limit: Int) async throws(DeliveryError) -> [ScanQueue.Cleanup] {
    try await store.queue.cleanupsDue(at: now, limit: limit, excluding: cleanupsUnderWay)
  }

  /// Notes that the backend has answered.
  func noteReached() {
    troubles = 0
    guard isOffline else { return }
    isOffline = false
    tell.yield(.online)
  }

  /// Notes that the backend cannot be reached, and returns when sending of all scans resumes: after 1, 2, 4 s, then longer, but not before the time
  /// that the backend requests.
  func noteUnreachable(_ reason: String, for asked: TimeInterval? = nil) -> Date {
    if quietUntil <= present {
      troubles += 1
      quietUntil = after(retry.outageDelay(afterFailures: troubles))
    }
    if let asked { quietUntil = max(quietUntil, after(asked)) }
    if !isOffline {
      isOffline = true
      tell.yield(.offline(reason: reason))
    }
    return quietUntil
  }

  /// Notes an outage for one scan, and returns when to try it again. Each scan has a count of its own, since
  /// answers to other scans reset the backend's count.
  func noteOutage(of scan: QueuedScan.ID, _ until: Date) -> Date {
    outages[scan, default: 0] += 1
    return max(until, after(retry.outageDelay(afterFailures: outages[scan] ?? 1)))
  }

  func forgetOutage(of scan: QueuedScan.ID) { outages[scan] = nil }

  /// Notes the result of a cleanup. After each trouble in a row, cleanups pause for 1, 2, 4 s, then longer, and at least for the time that the
  /// backend requests. A success resets this count.
  func noteCleanup(isTrouble: Bool, for asked: TimeInterval? = nil) {
    guard isTrouble else {
      cleanupTroubles = 0
      return
    }
    if cleanupsQuietUntil <= present { cleanupTroubles += 1 }
    let wait = max(retry.outageDelay(afterFailures: cleanupTroubles), asked ?? 0)
    cleanupsQuietUntil = max(cleanupsQuietUntil, after(wait))
  }

  /// - Returns: the end of the pause.
  func noteLimit(for seconds: TimeInterval) async throws(DeliveryError) -> Date {
    let until = after(seconds)
    try await store.queue.setPause(until: until)
    announceLimit(until)
    return until
  }

  func noteStorageTrouble(_ error: DeliveryError) {
    quietUntil = after(retry.offlineInterval)
    tell.yield(.storageTrouble(reason: error.description))
  }

  private func announceLimit(_ until: Date) {
    guard !isLimited else { return }
    isLimited = true
    tell.yield(.limited(until: wall(until)))
  }
}
