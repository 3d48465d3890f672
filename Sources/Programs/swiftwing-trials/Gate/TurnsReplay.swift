import Harness
import System

/// Comparisons by turns from recorded rounds. Each comparison begins at a different round and continues with the following ones.
struct TurnsReplay: Sendable {
  let archive: GateArchive
  let limit: Duration
  /// The scenarios whose builds were recorded simultaneously, in time slices.
  let atOnce: Set<String>
  /// The time of a turn besides its scenario: the start of a process, and its report.
  private static let overhead = Duration.milliseconds(300)

  /// Replays comparisons.
  /// - Parameters:
  ///   - same: the number of comparisons of a build with itself, over all loads.
  ///   - slower: the number of comparisons with each slower build, over all loads.
  func rows(same: Int, slower: Int) async throws -> [GateRow] {
    let loads = archive.rounds.keys.sorted()
    guard !loads.isEmpty else { return [] }
    var rows: [GateRow] = []
    for load in loads {
      let count = (same + loads.count - 1) / loads.count
      rows.append(try await row(load, nil, count: count))
    }
    for fault in archive.faults {
      for load in loads {
        rows.append(try await row(load, fault, count: (slower + loads.count - 1) / loads.count))
      }
    }
    return rows.filter { $0.count > 0 }
  }

  private func row(_ load: Int, _ fault: String?, count: Int) async throws -> GateRow {
    var row = GateRow(method: "by turns", load: load, fault: fault)
    let new = fault ?? GateArchive.other
    let series = archive.series(load, GateArchive.same, new: new)
    guard !series.isEmpty else { return row }
    for number in 0..<count {
      // Comparisons of a build with itself alternate in direction.
      let isTurned = fault == nil && number % 2 == 1
      let sides = isTurned ? (new, GateArchive.same) : (GateArchive.same, new)
      let session = RecordedSession(
        series: series, start: Double(number) / Double(count), base: sides.0, new: sides.1,
        overhead: Self.overhead, atOnce: atOnce)
      let comparison = InterleavedComparison(
        scenarios: series.keys.sorted(), limit: limit, now: { session.now }, run: { session.turn($0, $1) },
        atOnce: atOnce,
        runBoth: { scenario in
          guard let base = session.turn(.base, scenario), let new = session.turn(.new, scenario) else {
            return nil
          }
          return (base, new)
        })
      guard let report = try await comparison.compare() else { continue }
      let doubts = report.scenarios.flatMap(\.metrics).filter {
        $0.baseline?.verdict == report.baseline?.verdict
      }
      let isQuiet = [.unchanged, .improved].contains(report.baseline?.verdict)
      row.add(report.baseline?.verdict ?? .inconclusive, blaming: isQuiet ? [] : doubts.map(\.id))
      row.time += session.now
    }
    return row
  }
}

/// Returns recorded turns. Each scenario continues from round to round, and after the last with the first.
private final class RecordedSession: Sendable {
  private let series: [String: [[String: Report]]]
  /// The position of each scenario's first round, as a fraction of all rounds, 0 to 1.
  private let start: Double
  private let names: [InterleavedComparison.Side: String]
  private let overhead: Duration
  private let atOnce: Set<String>
  /// The number of turns taken, by side and scenario, and their time.
  private let state = Locked<(taken: [String: Int], time: Duration)>(([:], .zero))

  init(
    series: [String: [[String: Report]]], start: Double, base: String, new: String, overhead: Duration,
    atOnce: Set<String>
  ) {
    self.series = series
    self.start = start
    self.overhead = overhead
    self.atOnce = atOnce
    names = [.base: base, .new: new]
  }

  var now: Duration { state.withLock { $0.time } }

  /// Returns the next turn of a scenario.
  /// - Returns: nil when every round of the scenario was used, because a round must not count twice.
  func turn(_ side: InterleavedComparison.Side, _ scenario: String) -> Report? {
    state.withLock { state in
      let number = state.taken["\(side) \(scenario)", default: 0]
      guard let rounds = series[scenario], number < rounds.count, let build = names[side] else { return nil }
      let turns = rounds[(Int(start * Double(rounds.count)) + number) % rounds.count]
      guard let report = turns[build] else { return nil }
      state.taken["\(side) \(scenario)"] = number + 1
      // If builds ran simultaneously, each took a share of the time.
      let builds = atOnce.contains(scenario) ? Double(turns.count) : 1
      state.time += .seconds((report.scenarios.first?.seconds ?? 0) / builds) + overhead
      return report
    }
  }
}
