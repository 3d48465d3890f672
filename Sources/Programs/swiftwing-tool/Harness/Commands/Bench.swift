public import ArgumentParser
import Console
import Foundation
public import Harness
import Probes

struct Bench: AsyncParsableCommand, RepeatsOptions {
  static let repeatedOptions: Set = ["--suite", "--scenario", "--baseline", "--token-price"]
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measure the engine and judge it by a profile.",
    usage: """
      swiftwing bench [--source SRC] [--suite NAME]... [--scenario ID]...
                      [--profile seed|strict|FILE]
                      [--duration short|full|soak] [--out DIR]
                      [--baseline FILE]... [--shard K/N] [--fault NAME]
                      [--json] [--operator NAME] [--customer NAME]
                      [--note TEXT] [--sarif-file FILE]
                      [--token-price [PROFILE=]PRICE]...
      swiftwing bench --count [--against BUILD] [--baseline FILE]...
      swiftwing bench --against BUILD|COMMAND [--for TIME] [--suite NAME]...
                      [--scenario ID]... [--source SRC] [--profile NAME]
                      [--out DIR] [--fault NAME] [--json]
      swiftwing bench --list [--suite NAME]... [--scenario ID]...
                      [--profile seed|strict|FILE] [--json]
      """,
    discussion: """
      Without --source, every scenario runs on the corpus made for it. Without --suite and --scenario, the suites \
      \(Suite.ordinary.map(\.id).joined(separator: ", ")) are run.

      DIR/report.json is written after every scenario. At the end, report.html and what CI systems read are written \
      beside it: verdict.txt, summary.md, annotations.txt, codequality.json, junit.xml, report.sarif, badge.svg, trace.json.

      With --against, this build and another take turns, scenario by scenario, until every metric that decides is told to be \
      worse, better or unchanged, or the time is up. BUILD is a folder with a swiftwing in it, or in its bin/, or a swiftwing \
      itself; COMMAND is a command line to which the options of bench are added. Without --suite and --scenario, work is \
      counted first, and the suites cold-start, latency, rotation and photo take turns. No limit is judged: only the change counts. \
      --fault breaks this build, not the other. The exit status is 1 for regressed, 3 for inconclusive and 0 otherwise.
      """)

  @Option(
    help: ArgumentHelp(
      "The source to measure; by default the corpus made for each scenario.", valueName: "SRC")
  ) var source: String?
  @Option(help: ArgumentHelp("Run only this suite; may be repeated.", valueName: "NAME")) var suite:
    [String] = []
  @Option(help: ArgumentHelp("Run only this scenario; may be repeated.", valueName: "ID"))
  var scenario: [String] = []
  @Option(help: ArgumentHelp("The profile with the limits: seed, strict or a file.", valueName: "PROFILE"))
  var profile = "seed"
  @Option(help: ArgumentHelp("How long to measure; short takes about two minutes.", valueName: "LENGTH"))
  var duration =
    RunDuration.short
  @Option(help: ArgumentHelp("Folder for the report; by default reports/<time>.", valueName: "DIR"))
  var out: String?
  @Option(
    help: ArgumentHelp(
      "Compare with this report.json of an earlier run, or with a folder of runs of one build; may be repeated.",
      valueName: "FILE"))
  var baseline: [String] = []
  @Option(
    help: ArgumentHelp(
      "Take turns with another build: a folder with a swiftwing in it, or a command.", valueName: "BUILD"))
  var against: String?
  @Option(
    name: .customLong("for"),
    help: ArgumentHelp(
      "How long the turns may take, such as 90s, 5m or 1h; by default 5m.", valueName: "TIME"))
  var limit: TimeSpan?
  @Option(help: ArgumentHelp("Run part K of N of the scenarios.", valueName: "K/N")) var shard: String?
  @Option(
    help: ArgumentHelp(
      "Break the engine on purpose, to check that this is noticed: \(InjectedFault.names.joined(separator: ", ")).",
      valueName: "NAME"
    ))
  var fault: String?
  @Option(
    help: ArgumentHelp(
      "The price of a million tokens, of one profile or of all, for photo.frontier; may be repeated.",
      valueName: "[PROFILE=]PRICE"))
  var tokenPrice: [TokenPrice] = []
  @OptionGroup var report: ReportOptions
  @Flag(help: "Count the instructions of each path instead of timing it: the suite counted.")
  var count = false
  @Flag(help: "List the scenarios with requirements, limits and examples of failures; run none.")
  var list = false
  @Flag(help: "Print the report, or with --list the list, as JSON.") var json = false

  /// Printed after the first ^C.
  static let notice =
    "swiftwing: ending with a report of what is done; press ^C again to end at once"

  mutating func validate() throws {
    guard count else { return }
    guard source == nil else {
      throw ValidationError(
        "--count cannot be combined with --source, because it counts on bundled pictures and drawn cameras")
    }
    guard suite.isEmpty, scenario.allSatisfy({ $0.hasPrefix("\(Suite.counted.id).") }) else {
      throw ValidationError(
        "--count counts instructions and measures no times; leave --suite out, and name only scenarios such as counted.books"
      )
    }
    if scenario.isEmpty { suite = [Suite.counted.id] }
  }

  func run() async throws {
    if list {
      let scenarios = try BenchRun.list(self)
      return try json ? Terminal.say(json: scenarios) : Terminal.say(BenchList(list: scenarios).text)
    }
    guard against != nil || limit == nil else {
      throw ValidationError("--for says how long turns may take, so it needs --against")
    }
    // After ^C during preparation, the run ends as soon as it can leave a report.
    let (folder, report) = try await Interrupts.cancelling(telling: Self.notice) {
      [self] () -> (RunFolder, Report) in
      if against != nil {
        let run = try AgainstRun(self)
        return (run.folder, try await run.perform())
      }
      let run = try BenchRun(self)
      return (run.folder, try await run.perform())
    }
    try folder.publish(report, sarifFile: self.report.sarifFile, json: json)
  }
}

extension RunDuration: ExpressibleByArgument {}

struct TokenPrice: Equatable, ExpressibleByArgument {
  /// The id of a token profile; empty for all.
  var profile: String
  var value: Double

  init(profile: String, value: Double) { (self.profile, self.value) = (profile, value) }

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let text = parts.last, let value = Double(text), (0...1_000_000).contains(value),
      parts.count == 1 || !parts[0].isEmpty
    else { return nil }
    self.init(profile: parts.count == 2 ? String(parts[0]) : "", value: value)
  }
}
