/// Two builds that take turns in one session, scenario by scenario: what `bench --against` does.
///
/// What the machine does changes from minute to minute, and runs next to each other share it. So each pair is compared by itself, and the
/// order within pairs changes from pair to pair (AB BA), so that what grows or falls steadily cancels out. A scenario whose metrics are
/// decided takes no more turns. `run` is told which build and scenario is next; the replay of an archive gives recorded runs.
/// Where a scenario is timed by the processor, both builds of a pair run at once, by slices of time: they are neighbours by a
/// fiftieth of a second and not by a turn.
public struct InterleavedComparison: Sendable {
  /// One of the builds. Closed.
  public enum Side: String, Sendable, CaseIterable {
    /// What is compared with.
    case base
    /// What is judged.
    case new
  }

  /// What a watcher is told.
  public struct Progress: Sendable, Equatable {
    /// The scenario of the turn that begins.
    public var scenario: String
    /// Its pair, from 1.
    public var pair: Int
    /// Scenarios that are decided, of all.
    public var decided: Int
    /// Scenarios in all.
    public var total: Int
  }

  /// How long a comparison may take; a turn that has begun is finished.
  public let limit: Duration
  /// In the order in which they take turns.
  public let scenarios: [String]
  /// Of a comparison of everything: a scenario of which a turn takes longer, or on which no limit is, is compared in one pair, by its rules
  /// and by what is exact. Nil where scenarios were named.
  let longestTurn: Duration?
  /// Time since any moment, by which the limit is counted.
  let now: @Sendable () -> Duration
  /// Runs a scenario once on one of the builds; nil ends the comparison, with what is done until then.
  let run: @Sendable (Side, String) async throws -> Report?
  /// Scenarios of which both builds run at once, by slices of time (`Scenario.isTimedByProcessor`), and what runs them.
  let atOnce: Set<String>
  let runBoth: @Sendable (String) async throws -> (base: Report, new: Report)?

  /// - Parameters:
  ///   - limit: no turn begins later.
  ///   - longestTurn: of a comparison of everything: longer ones are put off, because a few of them would take all the time, and so are
  ///     scenarios without a limit; nil where scenarios were named.
  ///   - now: time since any moment.
  ///   - run: one run of a scenario; nil ends the comparison.
  ///   - atOnce: scenarios of which both builds run at once, by slices of time (`Scenario.isTimedByProcessor`).
  ///   - runBoth: one run of such a scenario by both; nil ends the comparison.
  public init(
    scenarios: [String], limit: Duration, longestTurn: Duration? = nil,
    now: @escaping @Sendable () -> Duration,
    run: @escaping @Sendable (Side, String) async throws -> Report?,
    atOnce: Set<String> = [],
    runBoth: @escaping @Sendable (String) async throws -> (base: Report, new: Report)? = { _ in nil }
  ) {
    self.scenarios = scenarios
    self.limit = limit
    self.longestTurn = longestTurn
    self.now = now
    self.run = run
    self.atOnce = atOnce
    self.runBoth = runBoth
  }

  /// Takes turns until all is decided, the time is up, or the task is cancelled.
  /// - Parameter onPair: is given the report so far after every pair.
  /// - Throws: what `run` throws; `HarnessError.comparison` for runs that were not made alike.
  public func compare(
    onProgress: @Sendable (Progress) -> Void = { _ in },
    onPair: @Sendable (Report) throws -> Void = { _ in }
  ) async throws -> Report? {
    let start = now()
    var record = InterleavedRecord(longestTurn: longestTurn, atOnce: atOnce)
    var isWhole = true
    while let next = record.next(of: scenarios) {
      // Every scenario gets one pair, and no pair begins when the time is up.
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
