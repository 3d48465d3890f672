import ArgumentParser
import Console
import Foundation
import Harness

struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Render, validate and merge reports.",
    subcommands: [Render.self, Validate.self, Merge.self])

  struct Render: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Make report.html from a report.json.")
    @Argument(help: ArgumentHelp("The report.json.", valueName: "REPORT")) var report: String
    @Option(help: ArgumentHelp("The page to write.", valueName: "FILE")) var out = "report.html"

    func run() throws {
      let page = try Destination(out, madeOf: [report])
      try DurableFile(path: page.path).write(HTMLReport(try ReportFile.load(path: report)).html)
      Terminal.say(out)
      page.tellReplaced()
    }
  }

  struct Validate: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Check a report.json against the published schema.")
    @Argument(help: ArgumentHelp("The report.json.", valueName: "REPORT")) var report: String

    func run() throws {
      _ = try ReportFile.load(path: report)
      Terminal.say("\(report) is valid")
    }
  }

  struct Merge: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make one report from all shards of a run, or from runs on several sources.",
      usage: """
        swiftwing report merge [--across-sources] REPORT... --out DIR
                               [--operator NAME] [--customer NAME]
                               [--note TEXT] [--sarif-file FILE]
        """)
    @Argument(help: ArgumentHelp("The report.json files.", valueName: "REPORT")) var shards: [String]
    @Flag(help: "Merge runs on different sources.") var acrossSources = false
    @Option(help: ArgumentHelp("Folder for the merged report.", valueName: "DIR")) var out: String
    @OptionGroup var options: ReportOptions

    func run() throws {
      let files = try ReportDestination(out, madeOf: shards)
      var report = try Report.merging(
        try shards.map { try ReportFile.load(path: $0) }, acrossSources: acrossSources)
      report.handover = try options.handover ?? report.handover
      let folder = try ReportFolder(path: out)
      try ReportBundle(directory: folder.path).write(report, sarifFile: options.sarifFile)
      files.tellReplaced()
      Terminal.say(BenchSummary(report: report, directory: out).text)
      throw ExitCode(report.exitStatus)
    }
  }
}
