import ArgumentParser
import Console
import Foundation
import Harness

struct Compare: RepeatsOptions {
  static let repeatedOptions: Set = ["--calibration"]
  static let configuration = CommandConfiguration(
    abstract: "Compare two runs: is each metric regressed, improved, unchanged or inconclusive?",
    usage: "swiftwing compare BASE NEW [--calibration FILE]... [--out DIR] [--json]")

  @Argument(help: ArgumentHelp("The report.json of the earlier run.", valueName: "BASE")) var base: String
  @Argument(help: ArgumentHelp("The report.json of the new run.", valueName: "NEW")) var new: String
  @Option(
    help: ArgumentHelp(
      "A report of the same build on the same machine, to learn how much runs differ by chance; may be repeated.",
      valueName: "FILE"))
  var calibration: [String] = []
  @Option(help: ArgumentHelp("Folder to write comparison.json and comparison.txt to.", valueName: "DIR"))
  var out: String?
  @Flag(help: "Print JSON instead of a table.") var json = false

  func run() throws {
    let files = try (out.map { ["\($0)/comparison.json", "\($0)/comparison.txt"] } ?? []).map {
      try Destination($0, madeOf: [base, new] + calibration)
    }
    let before = try Baseline.load(base)
    let comparison = Comparison(
      base: before, new: try ReportFile.load(path: new), calibration: try learned(beside: before))
    let table = ComparisonTable(comparison)
    for (file, data) in zip(files, [table.json, Data(table.text.utf8)]) {
      try OutputFile(path: file.path).write(data)
      file.tellReplaced()
    }
    if json {
      Terminal.say(document: String(decoding: table.json, as: UTF8.self))
    } else {
      Terminal.say(table.text)
    }
    throw ExitCode(comparison.exitStatus)
  }

  /// The noise of this machine. Its reports must be made like the baseline, or their noise would be another's.
  private func learned(beside base: Report) throws -> [String: Double] {
    let runs = try calibration.map { path in
      let run = try Baseline.load(path)
      if let refusal = Comparison(base: base, new: run).differences.first {
        throw HarnessError.comparison(path: path, reason: "is not like \(self.base), \(refusal)")
      }
      return run
    }
    return Comparison.calibration(from: runs)
  }
}
