/// Comparison of two builds that take turns in one session, scenario by scenario, as `bench --against` runs it.
///
/// The load of the machine changes from minute to minute, but two runs next to each other see the same load. So each pair of runs is
/// compared by itself, and the order within pairs alternates (AB BA), which cancels out a steady drift. A scenario takes no more turns once
/// its metrics are decided. `run` runs the next scenario on the next build, or returns a recorded run when an archive is replayed.
/// For a scenario that is timed by the processor, both builds of a pair run at once, in time slices: they are a fiftieth of a second apart
/// instead of a whole turn. Scenarios that count instead of timing come first, several of them and both builds at the same time:
/// beside other programs, more processes get more of the processors.
public struct InterleavedComparison: Sendable {
  /// One of the two builds. This enumeration is closed.
  public enum Side: String, Sendable, CaseIterable {
    /// The build that the new build is compared with.
    case base
    /// The build under judgement.
    case new
  }

  /// Progress of a comparison, for display.
  public struct Progress: Sendable, Equatable {
    /// The scenario of the turn that begins.
    public var scenario: String
    /// The number of the pair that the turn belongs to, from 1.
    public var pair: Int
    /// The number of decided scenarios.
    public var decided: Int
    /// The number of all scenarios.
    public var total: Int
  }

  /// Time limit of the comparison. A turn that has begun is finished.
  public let limit: Duration
  /// The scenarios, in the order in which they take turns.
  public let scenarios: [String]
  /// Longest turn in a comparison of everything. A scenario with a longer turn, or without a limit, is compared in one pair, by its rules and
  /// its exact metrics only. Nil if scenarios were named.
  let longestTurn: Duration?
  /// A clock: the time since a fixed but arbitrary moment, with which `limit` is measured.
  let now: @Sendable () -> Duration
  /// A function that runs a scenario once on one of the builds. If it returns nil, the comparison ends, and the pairs made so far count.
  let run: @Sendable (Side, String) async throws -> Report?
  /// Scenarios that run on both builds at once, in time slices (`Scenario.isTimedByProcessor`).
  let atOnce: Set<String>
  /// A function that runs a scenario of `atOnce` once on both builds. If it returns nil, the comparison ends.
  let runBoth: @Sendable (String) async throws -> (base: Report, new: Report)?
  /// Scenarios that measure no time, so that the builds may run side by side.
  let sideBySide: Set<String>

  /// - Parameters:
  ///   - limit: the time from the start of the comparison after which no turn begins.
  ///   - longestTurn: for a comparison of everything: scenarios with longer turns are put off, because a few of them would take all the time.
  ///     Scenarios without a limit are put off too. Nil if scenarios were named.
  ///   - now: returns the time since a fixed but arbitrary moment.
  ///   - run: runs a scenario once on one build; nil ends the comparison.
  ///   - atOnce: scenarios that run on both builds at once, in time slices (`Scenario.isTimedByProcessor`).
  ///   - runBoth: runs such a scenario once on both builds; nil ends the comparison.
  ///   - sideBySide: scenarios that measure no time; `run` is called for several of them, and for both builds, at the same time.
  public init(
    scenarios: [String], limit: Duration, longestTurn: Duration? = nil,
    now: @escaping @Sendable () -> Duration,
    run: @escaping @Sendable (Side, String) async throws -> Report?,
    atOnce: Set<String> = [],
    runBoth: @escaping @Sendable (String) async throws -> (base: Report, new: Report)? = { _ in nil },
    sideBySide: Set<String> = []
  ) {
    self.scenarios = scenarios
    self.limit = limit
    self.longestTurn = longestTurn
    self.now = now
    self.run = run
    self.atOnce = atOnce
    self.runBoth = runBoth
    self.sideBySide = sideBySide
  }

  /// Takes turns until all scenarios are decided, the time is up, or the task is cancelled.
  /// - Parameters:
  ///   - onProgress: called before every pair.
  ///   - onPair: called with the report so far after every pair.
  /// - Throws: errors of `run` and `onPair`; `HarnessError.comparison` for runs that were not measured alike.
  public func compare(
    onProgress: @Sendable (Progress) -> Void = { _ in },
    onPair: @Sendable (Report) throws -> Void = { _ in }
  ) async throws -> Report? {
    let start = now()
    var record = InterleavedRecord(longestTurn: longestTurn, atOnce: atOnce)
    var isWhole = true
    let counting = scenarios.filter(sideBySide.contains)
    for first in stride(from: 0, to: counting.count, by: Self.togetherMost) where isWhole {
      let chunk = counting[first..<min(first + Self.togetherMost, counting.count)]
      onProgress(
        Progress(
          scenario: chunk.joined(separator: ", "), pair: 1, decided: record.decided, total: scenarios.count))
      let pairs = try await together(chunk)
      for (id, pair) in pairs.sorted(by: { $0.key < $1.key }) { try record.add(pair.base, pair.new, id: id) }
      isWhole = pairs.count == chunk.count
      if let report = record.report(of: scenarios, isComplete: false) { try onPair(report) }
    }
    while isWhole, let next = record.next(of: scenarios) {
      // Begin no pair after the time limit.
      guard !Task.isCancelled, now() - start < limit else {
        isWhole = !Task.isCancelled
        break
      }
      onProgress(
        Progress(
          scenario: next, pair: record.pairs(of: next) + 1, decided: record.decided, total: scenarios.count))
      guard let pair = try await pair(next, isTurned: record.pairs(of: next) % 2 == 1) else {
        isWhole = false
        break
      }
      try record.add(pair.base, pair.new, id: next)
      if let report = record.report(of: scenarios, isComplete: false) { try onPair(report) }
    }
    return record.report(of: scenarios, isComplete: isWhole)
  }

  /// Number of scenarios of `sideBySide` that run at the same time, each on both builds.
  private static let togetherMost = 2

  /// Runs both builds on these scenarios at the same time.
  /// - Returns: the scenarios' reports, without those that were not run because the task was cancelled.
  private func together(_ scenarios: ArraySlice<String>) async throws -> [String: (base: Report, new: Report)]
  {
    try await withThrowingTaskGroup(of: (Side, String, Report?).self) { group in
      for scenario in scenarios {
        for side in Side.allCases { group.addTask { (side, scenario, try await run(side, scenario)) } }
      }
      var found: [Side: [String: Report]] = [:]
      for try await (side, scenario, report) in group { found[side, default: [:]][scenario] = report }
      return (found[.base] ?? [:]).reduce(into: [:]) { pairs, entry in
        pairs[entry.key] = found[.new]?[entry.key].map { (base: entry.value, new: $0) }
      }
    }
  }

  private func pair(
    _ scenario: String, isTurned: Bool
  ) async throws -> (base: Report, new: Report)? {
    if atOnce.contains(scenario) {
      let both = try await runBoth(scenario)
      return Task.isCancelled ? nil : both
    }
    let sides: [Side] = isTurned ? [.new, .base] : [.base, .new]
    guard let first = try await run(sides[0], scenario), !Task.isCancelled,
      let second = try await run(sides[1], scenario), !Task.isCancelled
    else { return nil }
    return isTurned ? (second, first) : (first, second)
  }
}
