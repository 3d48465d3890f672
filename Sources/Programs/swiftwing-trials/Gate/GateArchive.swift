import Foundation
import Harness

/// An archive of recorded runs. `pairs/LOAD/ROUND/SCENARIO/BUILD.json` are the turns of a round, recorded one after another.
/// `runs/LOAD/NUMBER/BUILD.json` are whole runs as they are stored, `counts/LOAD/NUMBER/BUILD.json` those of `bench --count`. A build is `same-1`, `same-2`, or a fault's name.
struct GateArchive: Sendable {
  /// One round: a turn of each scenario on each build.
  struct Round: Sendable {
    /// The reports by scenario and build.
    var turns: [String: [String: Report]] = [:]
  }

  /// The rounds, by the number of other busy cores.
  private(set) var rounds: [Int: [Round]] = [:]
  /// The whole runs, by the number of other busy cores and by build.
  private(set) var runs: [Int: [String: [Report]]] = [:]
  /// The counting runs of one build, by the number of other busy cores.
  private(set) var counts: [Int: [Report]] = [:]

  static let same = "same-1"
  static let other = "same-2"

  /// Reads an archive.
  /// - Throws: `HarnessError.report` for a file that is no report.
  init(folder: String) throws {
    for load in Self.numbers("\(folder)/pairs") {
      for number in Self.numbers("\(folder)/pairs/\(load)") {
        rounds[load, default: []].append(try Self.round("\(folder)/pairs/\(load)/\(Self.padded(number))"))
      }
    }
    for (load, reports) in try Self.wholeRuns("\(folder)/runs") {
      for (build, report) in reports { runs[load, default: [:]][build, default: []].append(report) }
    }
    for (load, reports) in try Self.wholeRuns("\(folder)/counts") {
      if let report = reports[Self.same] { counts[load, default: []].append(report) }
    }
  }

  /// The names of the slower builds, sorted.
  var faults: [String] {
    let recorded = rounds.values.flatMap { $0 }.flatMap { $0.turns.values }.flatMap(\.keys)
    let whole = runs.values.flatMap(\.keys)
    // Sorts a fault's shorter value first, so that 5 comes before 10.
    return Set(recorded + whole).subtracting([Self.same, Self.other]).sorted { first, second in
      let (one, other) = (first.split(separator: "="), second.split(separator: "="))
      return one.first == other.first
        ? first.count < second.count || (first.count == second.count && first < second) : first < second
    }
  }

  /// The commits of the recorded builds.
  var commits: [String] {
    let turns = rounds.values.flatMap { $0 }.flatMap { $0.turns.values }.flatMap(\.values)
    let whole = runs.values.flatMap(\.values) + counts.values
    return Set((turns + whole.flatMap { $0 }).map(\.tool.commit)).sorted()
  }

  /// Returns, for each scenario, the rounds in which both builds have a turn. A round that was ended early lacks some scenarios,
  /// and costly scenarios have fewer rounds.
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

  /// The reports of each whole run, by build, with the number of other busy cores.
  private static func wholeRuns(_ folder: String) throws -> [(load: Int, reports: [String: Report])] {
    try numbers(folder).flatMap { load in
      try numbers("\(folder)/\(load)").map { (load, try reports("\(folder)/\(load)/\(padded($0))")) }
    }
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
  /// Pads the number of a round or run to four digits.
  private static func padded(_ number: Int) -> String {
    String(repeating: "0", count: max(0, 4 - "\(number)".count)) + "\(number)"
  }
}

/// The verdicts of one kind of comparison.
struct GateRow: Sendable, Equatable {
  /// The method: by turns, or against a number of stored runs.
  var method: String
  var load: Int
  /// The slower build's fault; nil for a build compared with itself.
  var fault: String?
  var verdicts: [Verdict: Int] = [:]
  /// The recorded time of all comparisons together.
  var time = Duration.zero
  /// The number of comparisons that each metric made `regressed` or `inconclusive`, by its id.
  var blamed: [String: Int] = [:]

  var count: Int { verdicts.values.reduce(0, +) }

  mutating func add(_ verdict: Verdict, blaming metrics: [String]) {
    verdicts[verdict, default: 0] += 1
    for metric in metrics { blamed[metric, default: 0] += 1 }
  }
}
