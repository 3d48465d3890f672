import ArgumentParser
import Console
import Foundation
import Harness

struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Render, validate and merge reports; keep them as a history.",
    subcommands: [
      Render.self, Validate.self, Merge.self, ReportAdd.self, ReportTrend.self, ReportPrune.self,
      ReportExport.self,
    ])

  struct Render: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "render", abstract: "Make report.html from a report.json.")
    @Argument(help: ArgumentHelp("The report.json.", valueName: "REPORT")) var report: String
    @Option(help: ArgumentHelp("The page to write.", valueName: "FILE")) var out = "report.html"

    func run() throws {
      let page = try Destination(out, madeOf: [report])
      try OutputFile(path: page.path).write(HTMLReport(try ReportFile.load(path: report)).html)
      Terminal.say(out)
      page.tellReplaced()
    }
  }

  struct Validate: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "validate",
      abstract: "Check a report.json against the published schema.")
    @Argument(help: ArgumentHelp("The report.json.", valueName: "REPORT")) var report: String

    func run() throws {
      _ = try ReportFile.load(path: report)
      Terminal.say("\(report) is valid")
    }
  }

  struct Merge: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "merge",
      abstract: "Make one report from all shards of a run, or from runs on several sources.",
      usage: """
        swiftwing report merge REPORT... --out DIR [--across-machines]
                               [--operator NAME] [--customer NAME]
                               [--note TEXT] [--sarif-file FILE]
        swiftwing report merge --across-sources [NAME=]REPORT... --out DIR
                               [--across-machines] [--operator NAME]
                               [--customer NAME] [--note TEXT]
                               [--sarif-file FILE]
        """)
    @Argument(
      help: ArgumentHelp(
        "The report.json files. NAME=REPORT gives a camera a name of your choice.", valueName: "REPORT"))
    var reports: [String]
    @Flag(help: "Merge runs on different sources, such as several cameras.") var acrossSources = false
    @Flag(help: "Merge runs on different machines; nothing can be compared with the result.")
    var acrossMachines = false
    @Option(help: ArgumentHelp("Folder for the merged report.", valueName: "DIR")) var out: String
    @OptionGroup var options: ReportOptions

    func run() throws {
      let inputs = reports.map(Input.init)
      if !acrossSources, let named = inputs.first(where: { $0.name != nil }) {
        throw ValidationError(
          "\(named.argument) names a source, which is for --across-sources; add that option, or give the path alone"
        )
      }
      let files = try ReportDestination(out, madeOf: inputs.map(\.path))
      var report = try Report.merging(
        try inputs.map { try ReportFile.load(path: $0.path) }, acrossSources: acrossSources,
        names: inputs.map(\.name), acrossMachines: acrossMachines)
      report.handover = try options.handover ?? report.handover
      let folder = try ReportFolder(path: out)
      try ReportBundle(directory: folder.path).write(report, sarifFile: options.sarifFile)
      files.tellReplaced()
      Terminal.say(BenchSummary(report: report, directory: out, namesFailures: true).text)
      throw ExitCode(report.exitStatus)
    }

    /// An argument: `NAME=REPORT`, or just `REPORT`. An argument that is the name of a file as a whole is a `REPORT`.
    private struct Input {
      let argument: String
      var name: String?
      var path: String

      init(_ argument: String) {
        self.argument = argument
        path = argument
        guard let sign = argument.firstIndex(of: "="), sign != argument.startIndex,
          !argument[..<sign].contains("/"), !FileManager.default.fileExists(atPath: argument)
        else { return }
        name = String(argument[..<sign])
        path = String(argument[argument.index(after: sign)...])
      }
    }
  }
}
