import Foundation
import Harness

/// Recorded runs: `pairs/LOAD/ROUND/SCENARIO/BUILD.json`, the turns of a round made next to each other, and `runs/LOAD/NUMBER/BUILD.json`,
/// whole runs as they are stored. A build is `same-1` or `same-2`, or a fault's name.
struct GateArchive: Sendable {
  /// A turn of a scenario on each build, in one round.
  struct Round: Sendable {
    /// By scenario and build.
    var turns: [String: [String: Report]] = [:]
  }

  /// By how many busy cores there were beside.
  private(set) var rounds: [Int: [Round]] = [:]
  /// The same, by build.
  private(set) var runs: [Int: [String: [Report]]] = [:]

  static let same = "same-1"
  static let other = "same-2"

  /// - Throws: `HarnessError.report` for a file that is no report.
  init(folder: String) throws {
    for load in Self.numbers("\(folder)/pairs") {
      for number in Self.numbers("\(folder)/pairs/\(load)") {
        rounds[load, default: []].append(try Self.round("\(folder)/pairs/\(load)/\(Self.padded(number))"))
      }
    }
    for load in Self.numbers("\(folder)/runs") {
      for number in Self.numbers("\(folder)/runs/\(load)") {
        for (build, report) in try Self.reports("\(folder)/runs/\(load)/\(Self.padded(number))") {
          runs[load, default: [:]][build, default: []].append(report)
        }
      }
    }
  }

  /// Ascending.
  var loads: [Int] { Set(rounds.keys).union(runs.keys).sorted() }
  /// Builds that are slower, by name.
  var faults: [String] {
    let recorded = rounds.values.flatMap { $0 }.flatMap { $0.turns.values }.flatMap(\.keys)
    let whole = runs.values.flatMap(\.keys)
    // 5 before 10, because it is shorter.
    return Set(recorded + whole).subtracting([Self.same, Self.other]).sorted { first, second in
      let (one, other) = (first.split(separator: "="), second.split(separator: "="))
      return one.first == other.first
        ? first.count < second.count || (first.count == second.count && first < second) : first < second
    }
  }

  /// The build that was recorded.
  var commits: [String] {
    let turns = rounds.values.flatMap { $0 }.flatMap { $0.turns.values }.flatMap(\.values)
    return Set((turns + runs.values.flatMap(\.values).flatMap { $0 }).map(\.tool.commit)).sorted()
  }

  /// The turns of each scenario that both builds have, by round: a round that was ended half way lacks some, and a costly scenario has fewer.
  func series(_ load: Int, _ base: String, new: String) -> [String: [[String: Report]]] {
    var found: [String: [[String: Report]]] = [:]
    for (id, turns) in (rounds[load] ?? []).flatMap(\.turns) where turns[base] != nil && turns[new] != nil {
      found[id, default: []].append(turns)
    }
    return found.filter { $0.value.count > 1 }
  }

  private static func round(_ folder: String) throws -> Round {
    var round = Round()
    for scenario in names(folder) { round.turns[scenario] = try reports("\(folder)/\(scenario)") }
    return round
  }

  private static func reports(_ folder: String) throws -> [String: Report] {
    var found: [String: Report] = [:]
    for name in names(folder) where name.hasSuffix(".json") {
      found[String(name.dropLast(5))] = try ReportFile.load(path: "\(folder)/\(name)")
    }
    return found
  }

  private static func names(_ folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  private static func numbers(_ folder: String) -> [Int] { names(folder).compactMap { Int($0) }.sorted() }
  /// Rounds and runs have four digits, loads one.
  private static func padded(_ number: Int) -> String {
    String(repeating: "0", count: max(0, 4 - "\(number)".count)) + "\(number)"
  }
}

/// What one kind of comparison came to.
struct GateRow: Sendable, Equatable {
  /// By turns, or against how many stored runs.
  var method: String
  var load: Int
  /// nil for one build against itself.
  var fault: String?
  var verdicts: [Verdict: Int] = [:]
  /// Recorded time of all comparisons.
  var time = Duration.zero
  /// Metrics that decided for the worse, or could not be told, and how often.
  var blamed: [String: Int] = [:]

  var count: Int { verdicts.values.reduce(0, +) }
  func share(_ verdict: Verdict) -> Double {
    count == 0 ? 0 : Double(verdicts[verdict, default: 0]) / Double(count)
  }

  mutating func add(_ verdict: Verdict, blaming metrics: [String]) {
    verdicts[verdict, default: 0] += 1
    for metric in metrics { blamed[metric, default: 0] += 1 }
  }
}
