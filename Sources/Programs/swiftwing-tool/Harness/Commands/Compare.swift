import ArgumentParser
import Console
import Foundation
import Harness

struct Compare: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compare two runs: is each metric regressed, improved, unchanged or inconclusive?",
    usage: "swiftwing compare BASE NEW [--out DIR] [--json]")

  @Argument(
    help: ArgumentHelp(
      "The report.json of the earlier run, or a folder of runs of one build.", valueName: "BASE")) var base:
    String
  @Argument(help: ArgumentHelp("The report.json of the new run.", valueName: "NEW")) var new: String
  @Option(help: ArgumentHelp("Folder to write comparison.json and comparison.txt to.", valueName: "DIR"))
  var out: String?
  @Flag(help: "Print JSON instead of a table.") var json = false

  func run() throws {
    let files = try (out.map { ["\($0)/comparison.json", "\($0)/comparison.txt"] } ?? []).map {
      try Destination($0, madeOf: [base, new])
    }
    let comparison = Comparison(
      baseline: try Baseline.load([base]), new: try ReportFile.load(path: new))
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
}
