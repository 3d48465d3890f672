import Foundation
import System
import Testing

@testable import Library
@testable import Uploads

/// Waits do not depend on the wall clock. Although that clock is set at random moments, and programs are restarted, every retry
/// comes no earlier than requested and no later than its bound.
@Suite struct SetClockTests {
  private let folder = try! TemporaryFolder()

  /// A clock that advances only by sleeping, with a wall clock that is set at random moments. `uptime` starts again after a restart
  /// of the machine.
  private final class SetClock: DeliveryClock {
    struct State {
      var chance: SplitMix64
      /// The true time, which no program can read.
      var real = 0.0
      var start = 0.0
      var ahead = 1_800_000_000.0
      var boot = 0
    }
    let state: Locked<State>

    init(seed: UInt64) { state = Locked(State(chance: SplitMix64(seed: seed))) }

    private static let steps: [Double] = [1, 60, 3600, 86_400, 31_556_952, 315_569_520]

    private static func step(_ state: inout State) {
      guard Int.random(in: 0..<4, using: &state.chance) == 0,
        let size = steps.randomElement(using: &state.chance)
      else { return }
      state.ahead += Double.random(in: -size...size, using: &state.chance)
    }

    var real: TimeInterval { state.withLock { $0.real } }
    var uptime: TimeInterval { state.withLock { $0.real - $0.start } }
    var boot: String { state.withLock { "start \($0.boot)" } }
    var now: Date {
      state.withLock { state in
        Self.step(&state)
        return Date(timeIntervalSince1970: state.real + state.ahead)
      }
    }

    func restart() {
      state.withLock { state in
        state.real += 10
        (state.start, state.boot) = (state.real, state.boot + 1)
        Self.step(&state)
      }
    }

    func sleep(for seconds: TimeInterval) async throws {
      try Task.checkCancellation()
      state.withLock { state in
        state.real += max(0, seconds)
        Self.step(&state)
      }
      await Task.yield()
    }
  }

  /// A backend that fails at random, and records requests that come too early or too late.
  private final class StrictBackend: Backend {
    struct State {
      var chance: SplitMix64
      /// For each key, the number of remaining errors.
      var left: [String: Int] = [:]
      /// For each key, the earliest time at which its next request may come.
      var earliest: [String: Double] = [:]
      /// The end of the pause of all requests.
      var pause = 0.0
      /// For each key, the latest time at which its next request may come.
      var latest: [String: Double] = [:]
      var early: [String] = []
      var late: [String] = []
      var done: Set<String> = []
      /// The number of answers until the program ends, after which no request may come; nil if it does not end.
      var answers: Int?
    }
    let clock: SetClock
    let state: Locked<State>

    init(_ clock: SetClock, seed: UInt64) {
      (self.clock, state) = (clock, Locked(State(chance: SplitMix64(seed: seed))))
    }

    /// Forgets the times of earlier requests.
    func forget() { state.withLock { ($0.earliest, $0.latest, $0.pause) = ([:], [:], 0) } }

    /// The longest time until the next request of a key, in seconds: three errors for each of three scans, with pauses of at most
    /// ten minutes each, and an hour for the effects of a wrong clock.
    static let bound = 3600.0 + 9 * 600 + 100

    var hasEnded: Bool { state.withLock { $0.answers == 0 } }

    func submit(
      _ submission: Submission, idempotencyKey: String
    ) async throws(BackendError) -> QueuedScan.Job? {
      let key = String(idempotencyKey.prefix(36))
      let isEnd = state.withLock { state in
        if let answers = state.answers, answers > 0 { state.answers = answers - 1 }
        return state.answers == 0
      }
      if isEnd { throw BackendError(.cancelled, "the program has ended") }
      let real = clock.real
      let error: BackendError? = state.withLock { state in
        let from = max(state.earliest[key] ?? 0, state.pause)
        if real < from - 0.002 { state.early.append("\(key): \(from - real) s early") }
        if let to = state.latest[key], real > to { state.late.append("\(key): \(real - to) s late") }
        let left = state.left[key] ?? Int.random(in: 0...3, using: &state.chance)
        state.left[key] = left - 1
        guard left > 0 else {
          state.done.insert(key)
          return nil
        }
        let wait = Double.random(in: 1...600, using: &state.chance)
        state.latest[key] = real + Self.bound
        switch Int.random(in: 0..<3, using: &state.chance) {
        case 0:
          state.pause = max(state.pause, real + wait)
          return BackendError(.limited(for: wait), "limit")
        case 1:
          state.earliest[key] = real + wait
          return BackendError(.unavailable(endsJob: false, for: wait), "status 503")
        default:
          state.earliest[key] = real + 1
          return BackendError(.failed(endsJob: false), "busy")
        }
      }
      if let error { throw error }
      return QueuedScan.Job(id: idempotencyKey, streamURL: "https://talaria/\(key)")
    }

    func follow(
      _ job: QueuedScan.Job, of scan: UUID, report: @escaping @Sendable (JobProgress) -> Void
    ) async throws(BackendError) -> [Finding] { [Finding(BookFinding(title: "Book \(scan)"))] }
    func cleanUp(_ jobID: String) async throws(BackendError) {}
  }

  private func run(seed: UInt64) async throws {
    let place = "\(folder.path)/\(seed)"
    let clock = SetClock(seed: seed)
    let backend = StrictBackend(clock, seed: seed &+ 1_000_000)
    do {
      let store = try Store(directory: place)
      for number in 0..<3 {
        try await store.queue.accept(Submission(content: .text(["\(number)"]), capturedAt: clock.now))
      }
    }
    var chance = SplitMix64(seed: seed &+ 2_000_000)
    for _ in 0..<2 {
      backend.state.withLock { $0.answers = Int.random(in: 1...4, using: &chance) }
      let uploader = Uploader(
        store: try Store(directory: place), backend: backend, clock: clock, concurrency: 1)
      let work = Task { await uploader.drain() }
      while !backend.hasEnded {
        if try await uploader.store.queue.counts().isDrained { break }
        await Task.yield()
      }
      work.cancel()
      await work.value
      if Bool.random(using: &chance) {
        clock.restart()
        backend.forget()
      }
    }
    backend.state.withLock { $0.answers = nil }
    let store = try Store(directory: place)
    await Uploader(store: store, backend: backend, clock: clock, concurrency: 1).drain()
    let counts = try await store.queue.counts()
    let (early, late, done) = backend.state.withLock { ($0.early, $0.late, $0.done.count) }
    #expect(counts == ScanQueue.Counts(delivered: 3), "seed \(seed)")
    #expect(early.isEmpty && late.isEmpty && done == 3, "seed \(seed): \(early) \(late)")
    try FileManager.default.removeItem(atPath: place)
  }

  @Test(arguments: 0..<30)
  func tenClocksThatAreSetLoseNoRetry(tenth: UInt64) async throws {
    for seed in tenth * 10..<tenth * 10 + 10 { try await run(seed: seed) }
  }

  /// The wall clock was ten years ahead when the backend requested a pause, and the machine has been restarted since.
  @Test func pauseOfAClockThatWasWrongIsBounded() async throws {
    let clock = InstantClock()
    let store = try folder.store()
    try await store.queue.accept(.photo())
    try await store.queue.setPause(until: clock.now + 315_569_520)
    await Uploader(store: store, backend: ScriptedBackend(), clock: clock).drain()
    #expect(clock.slept == [RetryPolicy().longestPause])
    #expect(try await store.queue.counts().delivered == 1)
  }

  @Test func coversOfTheFutureGoFirst() throws {
    let covers = try CoverFolder("\(folder.path)/covers")
    let cover = try #require(Cover([0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0, count: 97)))
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    try covers.keep(cover, "ahead", limit: 250, at: now + 315_569_520)
    try covers.keep(cover, "old", limit: 250, at: now - 100)
    try covers.keep(cover, "new", limit: 250, at: now)
    #expect(Set(covers.entries().map(\.name)) == ["old", "new"])
  }
}
