import Foundation
import Harness
import RecordedTurns
import Testing

@testable import Builds

/// The search for a slow commit, on invented histories.
@Suite struct BisectTests {
  /// A line of `count` commits, numbered from 1. Commit 0 is the good end, and the last commit is the bad end.
  private final class History {
    let count: Int
    /// The number of instructions of each path, by commit; nil if the commit cannot be built.
    let cost: (Int) -> [String: Double]?
    /// The tool that counted the instructions, by commit.
    let counter: (Int) -> String
    /// The number of system calls, by commit; nil if they are not counted.
    var calls: (Int) -> Double? = { _ in nil }
    private(set) var built: [Int] = []

    init(
      _ count: Int, counter: @escaping (Int) -> String = { _ in "callgrind" },
      cost: @escaping (Int) -> [String: Double]?
    ) {
      self.count = count
      self.counter = counter
      self.cost = cost
    }

    /// Returns the commits between `good` and `bad`, those nearest to the middle first, as git lists them.
    func between(_ bad: String, _ good: [String]) -> [String] {
      let (low, high) = (good.compactMap { Int($0) }.max() ?? 0, Int(bad) ?? 0)
      return (low + 1..<max(high, low + 1)).sorted { abs(2 * $0 - low - high) < abs(2 * $1 - low - high) }.map
      { "\($0)" }
    }

    func measure(_ commit: String) async throws -> BisectSearch.Reading {
      let number = Int(commit) ?? 0
      built.append(number)
      guard let cost = cost(number) else { return .failed("scripts/build failed") }
      var metrics = cost.sorted { $0.key < $1.key }.map { path, value in
        var metric = Harness.Measurement(
          id: "counted.\(path).instructions", title: path, unit: .count, level: .synthetic, kind: .counted,
          samples: [value])
        metric.functions = FunctionCount(counter: counter(number), functions: [])
        return metric
      }
      if let calls = calls(number) {
        metrics.append(
          Harness.Measurement(
            id: "counted.photo.a.system-calls", title: "Calls", unit: .count, level: .synthetic,
            kind: .counted, samples: [calls]))
      }
      return .counted(try await MadeReport.of("counted.pixels", suite: "counted", metrics))
    }

    func search(_ metric: String? = nil) async throws -> BisectSearch.Outcome? {
      var search = BisectSearch(metric: metric, between: between) { try await self.measure($0) }
      return try await search.first(after: "0", upTo: "\(count)")
    }
  }

  /// `builds` is the greatest number of builds that the search may make, including that of the newest commit.
  @Test(arguments: [(200, 9), (1000, 11)])
  func theFirstSlowCommitIsNamed(count: Int, builds: Int) async throws {
    for planted in [2, 7, count / 3, count / 2, count / 2 + 1, count - 1, count] {
      let history = History(count) { ["photo.a": $0 >= planted ? 1_050_000 : 1_000_000, "look.b": 500] }
      let outcome = try #require(try await history.search())
      #expect(outcome.commit == "\(planted)" && outcome.others.isEmpty, "\(planted)")
      #expect(outcome.change.metric == "counted.photo.a.instructions")
      #expect(history.built.count <= builds, "\(planted): \(history.built)")
      #expect(Set(history.built).count == history.built.count && !history.built.contains(0))
    }
  }

  /// The good end is built only if every commit after it is slow; then it must be proved to be fast.
  @Test func theGoodEndIsCountedLast() async throws {
    let slow = History(100) { ["photo.a": $0 >= 1 ? 1_050_000 : 1_000_000] }
    #expect(try await slow.search()?.commit == "1")
    #expect(slow.built.last == 0)
    let even = History(100) { _ in ["photo.a": 1_000_000] }
    #expect(try await even.search() == nil)
  }

  @Test func whatCannotBeBuiltIsSteppedOver() async throws {
    let holes = Set(46...53)
    let outside = History(100) { holes.contains($0) ? nil : ["photo.a": $0 >= 70 ? 1_050_000 : 1_000_000] }
    #expect(try await outside.search()?.commit == "70")
    let inside = History(100) { holes.contains($0) ? nil : ["photo.a": $0 >= 50 ? 1_050_000 : 1_000_000] }
    let outcome = try #require(try await inside.search())
    #expect(outcome.commit == "54" && outcome.before == "45")
    #expect(Set(outcome.others) == Set(holes.map { "\($0)" }))
    let end = History(10) { $0 == 10 ? nil : ["photo.a": 1] }
    await #expect(throws: Failure.self) { try await end.search() }
  }

  /// If two metrics change in the range, the search follows the requested metric. Without one, it follows the metric that differs most between the
  /// newest commit and the first counted commit that is faster.
  @Test func oneMetricIsFollowed() async throws {
    func history() -> History {
      History(64) {
        ["photo.a": $0 >= 20 ? 1_200_000 : 1_000_000, "look.b": $0 >= 40 ? 1_050_000 : 1_000_000]
      }
    }
    #expect(try await history().search("counted.look.b.instructions")?.commit == "40")
    #expect(try await history().search("counted.photo.a.instructions")?.commit == "20")
    // The first commit that is counted, 32, takes as many instructions of `photo.a` as the newest, so that only `look.b` differs.
    #expect(try await history().search()?.commit == "40")
  }

  /// Counts that differ between runs of one build, such as system calls, are followed only if they are named.
  @Test func onlyInstructionsAreFollowedUnasked() async throws {
    let history = History(64) { ["photo.a": $0 >= 20 ? 1_050_000 : 1_000_000] }
    history.calls = { $0 >= 48 ? 90 : 50 }
    #expect(try await history.search()?.commit == "20")
    #expect(try await history.search("counted.photo.a.system-calls")?.commit == "48")
  }

  /// If the counting tool changed, the difference in counts is not taken for a slow commit.
  @Test(arguments: [nil, "counted.photo.a.instructions"])
  func commitsThatWereCountedInAnotherWayAreSteppedOver(metric: String?) async throws {
    func history(_ cost: @escaping (Int) -> [String: Double]?) -> History {
      History(40, counter: { $0 < 12 ? "old" : "new" }, cost: cost)
    }
    let changed = history {
      ["photo.a": $0 >= 30 ? 1_050_000 : 1_000_000]
    }
    #expect(try await changed.search(metric)?.commit == "30")
    let early = history { _ in ["photo.a": 1_000_000] }
    await #expect(throws: Failure.self) { try await early.search(metric) }
  }

  @Test func aMetricThatNobodyCountsIsNotCalledUnchanged() async throws {
    let history = History(10) { _ in ["photo.a": 1_000_000] }
    await #expect(throws: Failure.self) { try await history.search("counted.photo.a.nonsense") }
  }

  @Test func whatIsNoRevisionIsRefused() throws {
    #expect(throws: Failure.self) { try CommitRange.commit("--all") }
    #expect(throws: Failure.self) { try CommitRange.commit("no such branch") }
  }
}
