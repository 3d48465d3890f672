import ArgumentParser
import Console
import Harness
import Qualification

struct Qualify: AsyncParsableCommand, RepeatsOptions {
  static let repeatedOptions: Set = ["--scenario"]
  static let configuration = CommandConfiguration(
    commandName: "qualify",
    abstract: "Test every claim of one camera, and report what holds.",
    usage: """
      swiftwing qualify --device /dev/videoN [--profile seed|strict|FILE]
                        [--scenario ID]... [--duration short|full] [--out DIR]
                        [--fault NAME] [--json]
                        [--operator NAME] [--customer NAME] [--note TEXT]
                        [--sarif-file FILE]
      swiftwing qualify --list [--scenario ID]...
                        [--profile seed|strict|FILE] [--json]
      swiftwing qualify --list-faults
      """,
    discussion: """
      Tests formats, controls, pace, time stamps, starts, recovery, rotation, photos, and how a second \
      program is refused. Then the camera's settings are restored and read back, also after ^C. A second ^C \
      ends at once and restores nothing. If v4l2-compliance is installed, its findings are added. DIR gets \
      the same files as with `bench`.
      """)

  @Option(
    help: ArgumentHelp(
      "The camera: /dev/videoN, or a stable name as `swiftwing devices` shows it.", valueName: "DEVICE"))
  var device: String?
  @Option(help: ArgumentHelp("The profile with the limits: seed, strict or a file.", valueName: "PROFILE"))
  var profile = "seed"
  @Option(help: ArgumentHelp("Run only this rule; may be repeated.", valueName: "ID"))
  var scenario: [String] = []
  @Option(help: ArgumentHelp("short tests a selection of the claims, full all of them.", valueName: "LENGTH"))
  var duration = TrialDuration.short
  @Option(help: ArgumentHelp("Folder for the report; by default reports/<time>.", valueName: "DIR"))
  var out: String?
  @Option(
    help: ArgumentHelp(
      "Break the driver on purpose, to check that this is noticed; see --list-faults.", valueName: "NAME"))
  var fault: String?
  @OptionGroup var report: ReportOptions
  @Flag(help: "List the rules with requirements, limits and examples of failures; test nothing.")
  var list = false
  @Flag(help: "List the faults with the rule that each must fail, and test nothing.") var listFaults = false
  @Flag(help: "Print the report, or with --list the list, as JSON.") var json = false

  func validate() throws {
    guard list || listFaults || device != nil else {
      throw ValidationError("--device is missing; `swiftwing devices` lists the cameras that are here")
    }
    if let fault, DeviceFault(rawValue: fault) == nil {
      throw ValidationError("there is no fault \(fault); see `swiftwing qualify --list-faults`")
    }
  }

  func run() async throws {
    if listFaults {
      for fault in DeviceFault.allCases { Terminal.say("\(fault.rawValue)\t\(fault.rule)\t\(fault.summary)") }
      return
    }
    if list {
      let rules = try QualifyRun.list(self)
      return try json ? Terminal.say(json: rules) : Terminal.say(BenchList(list: rules, isOfRules: true).text)
    }
    let run = try QualifyRun(self, device: device ?? "")
    let report = try await run.perform()
    try run.folder.publish(report, sarifFile: self.report.sarifFile, json: json)
  }
}

/// The duration of a qualification. There is no `soak` as in `bench`.
enum TrialDuration: String, CaseIterable, ExpressibleByArgument {
  case short, full

  var ofRun: RunDuration {
    switch self {
    case .short: .short
    case .full: .full
    }
  }
}
