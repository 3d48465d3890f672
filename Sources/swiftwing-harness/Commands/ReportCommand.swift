import ArgumentParser
import Foundation
import Harness

struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Render, validate and merge reports.",
    subcommands: [Render.self, Validate.self, Merge.self])

  struct Render: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Make report.html of a report.json.")
    @Argument(help: "The report.json.") var report: String
    @Option(help: ArgumentHelp("The page to write.", valueName: "FILE")) var out = "report.html"

    func run() throws {
      try DurableFile(path: out).write(HTMLReport(try ReportFile.load(path: report)).html)
      Terminal.say(out)
    }
  }

  struct Validate: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Hold a report.json against the published schema.")
    @Argument(help: "The report.json.") var report: String

    func run() throws {
      _ = try ReportFile.load(path: report)
      Terminal.say("\(report) is valid")
    }
  }

  struct Merge: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Make one report of the shards of a run.")
    @Argument(help: "The report.json of each shard.") var shards: [String]
    @Option(help: ArgumentHelp("Where the whole goes.", valueName: "DIR")) var out: String

    func run() throws {
      let report = try Report.merging(try shards.map { try ReportFile.load(path: $0) })
      try ReportFile(directory: out).write(report)
      try DurableFile(path: "\(out)/report.html").write(HTMLReport(report).html)
      Terminal.say("\(out)/report.html")
      throw ExitCode(report.exitStatus.rawValue)
    }
  }
}
