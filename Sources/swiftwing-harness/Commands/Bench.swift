public import ArgumentParser
import Capture
import Console
import Foundation
public import Harness
import Scenarios

struct Bench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure the engine and judge it by a profile.",
    usage: """
      swiftwing bench [--source SRC] [--suite NAME]... [--scenario ID]...
                      [--profile seed|strict|FILE]
                      [--duration short|full|soak] [--out DIR]
                      [--baseline FILE] [--shard K/N] [--fault NAME] [--json]
      """,
    discussion: """
      Without --source every scenario runs on the corpus made for it. The report is written after every scenario to \
      DIR/report.json, and at the end to report.html, junit.xml, report.sarif, summary.md and trace.json beside it.
      """)

  @Option(help: ArgumentHelp("What to measure on.", valueName: "SRC")) var source: String?
  @Option(help: ArgumentHelp("Only this suite; may be given several times.", valueName: "NAME")) var suite:
    [String] = []
  @Option(help: ArgumentHelp("Only this scenario; may be given several times.", valueName: "ID"))
  var scenario: [String] = []
  @Option(help: ArgumentHelp("Limits: seed, strict or a file.", valueName: "PROFILE")) var profile = "seed"
  @Option(help: ArgumentHelp("How long: short takes about a minute.", valueName: "LENGTH")) var duration =
    RunDuration.short
  @Option(help: ArgumentHelp("Where the report goes; reports/<time> when not given.", valueName: "DIR"))
  var out: String?
  @Option(help: ArgumentHelp("A report.json to be compared with.", valueName: "FILE")) var baseline: String?
  @Option(help: ArgumentHelp("Run part K of N.", valueName: "K/N")) var shard: String?
  @Option(
    help: ArgumentHelp(
      "Break something, to see it noticed: \(InjectedFault.names.joined(separator: ", ")).", valueName: "NAME"
    ))
  var fault: String?
  @Flag(help: "Print the report as JSON instead of the summary.") var json = false

  func run() async throws {
    // ^C while it is made ready ends it as soon as it can leave a report.
    let (run, report) = try await Interrupts.cancelling { [self] in
      let run = try BenchRun(self)
      return (run, try await run.perform())
    }
    Terminal.endProgress()
    try run.publish(report)
    if json {
      Terminal.say(document: String(decoding: try ReportFile.encode(report), as: UTF8.self))
    } else {
      Terminal.say(BenchSummary(report: report, directory: run.directory).text)
    }
    throw ExitCode(report.exitStatus.rawValue)
  }
}

extension RunDuration: ExpressibleByArgument {}
