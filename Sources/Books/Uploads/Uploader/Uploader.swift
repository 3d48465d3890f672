import FoundationEssentials
public import Library

/// Carries scans from the queue to the backend and their books into the library, several at a time.
///
/// All it needs to know is in the store: it may be killed at any moment and another one goes on from there.
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

  /// What happens, for one watcher; the latest 1,000 are kept for it.
  public nonisolated let events: AsyncStream<UploaderEvent>
  nonisolated let tell: LoggedEvents
  private nonisolated let signal: AsyncStream<Void>.Continuation
  private let signals: AsyncStream<Void>

  /// By which everything here waits; nil until the library has told it.
  private var time: QueueTime?
  private var scansUnderWay: Set<Int64> = []
  private var cleanupsUnderWay: Set<String> = []
  private var troubles = 0
  /// How often the backend could not serve a scan, in a row.
  private var outages: [QueuedScan.ID: Int] = [:]
  private var quietUntil = Date.distantPast
  /// The same of cleanups alone, which must not hold up scans.
  private var cleanupTroubles = 0
  private var cleanupsQuietUntil = Date.distantPast
  private var isOffline = false
  private var isLimited = false

  /// - Parameter concurrency: scans under way at once, at least 1.
  public init(
    store: Store, backend: any Backend, clock: any DeliveryClock = WallClock(),
    retry: RetryPolicy = RetryPolicy(),
    concurrency: Int = 4
  ) {
    self.store = store
    self.backend = backend
    self.clock = clock
    self.retry = retry
    self.concurrency = max(concurrency, 1)
    let news = AsyncStream.makeStream(of: UploaderEvent.self, bufferingPolicy: .bufferingNewest(1000))
    (events, tell) = (news.stream, LoggedEvents(watcher: news.continuation))
    (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  deinit {
    tell.finish()
    signal.finish()
  }

  /// Accepts the submission and sets off with it.
  @discardableResult
  public nonisolated func accept(_ submission: Submission) async throws(DeliveryError) -> ScanQueue.Acceptance
  {
    let acceptance = try await store.queue.accept(submission)
    wake()
    return acceptance
  }

  /// Has the uploader look at the queue again, after a `retry` for instance.
  public nonisolated func wake() { signal.yield() }

  /// Works until the task is cancelled; woken too when another program retries scans.
  public func run() async {
    let listener = store.place.flatMap { place in QueueSignal(place) { [weak self] in self?.wake() } }
    await work(untilDrained: false)
    withExtendedLifetime(listener) {}
  }

  /// Works until there is nothing left to deliver or clean up; what has failed for good does not count.
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
          // Counted from here, whenever the task comes to it.
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

  /// On the time line of the queue.
  var present: Date { time?.now ?? clock.now }

  func after(_ seconds: TimeInterval) -> Date { time?.after(seconds) ?? clock.now + seconds }

  /// For a person.
  func wall(_ date: Date) -> Date { time?.wall(date) ?? date }

  /// Starts what is due and there is room for. Returns when to look again; `nil` when something that ends will say.
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

  /// While the backend cannot be reached, one at a time is enough to find out.
  private func start(at now: Date, _ group: inout TaskGroup<Finished>) async throws(DeliveryError) {
    var room = (isOffline ? 1 : concurrency) - scansUnderWay.count - cleanupsUnderWay.count
    // Half the places are for cleanups first, or a long queue would leave its images at the backend until the last is
    // delivered; the other half is not, or a backend slow to clean up would hold up the scans.
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

  /// How many.
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

  /// The backend has answered.
  func noteReached() {
    troubles = 0
    guard isOffline else { return }
    isOffline = false
    tell.yield(.online)
  }

  /// How long nothing is sent: 1, 2, 4 s, then longer; or as long as the backend asks for. It holds for all scans.
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

  /// A scan that alone is in trouble is put off by its own count, since the others end the backend's.
  func noteOutage(of scan: QueuedScan.ID, _ until: Date) -> Date {
    outages[scan, default: 0] += 1
    return max(until, after(retry.outageDelay(afterFailures: outages[scan] ?? 1)))
  }

  func forgetOutage(of scan: QueuedScan.ID) { outages[scan] = nil }

  /// 1, 2, 4 s of quiet for cleanups, then longer ones; none once the backend has cleaned up.
  func noteCleanup(isTrouble: Bool, for asked: TimeInterval? = nil) {
    guard isTrouble else {
      cleanupTroubles = 0
      return
    }
    if cleanupsQuietUntil <= present { cleanupTroubles += 1 }
    let wait = max(retry.outageDelay(afterFailures: cleanupTroubles), asked ?? 0)
    cleanupsQuietUntil = max(cleanupsQuietUntil, after(wait))
  }

  /// - Returns: when it is over.
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
