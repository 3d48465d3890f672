import ArgumentParser
import Capture
import Console
import Harness
import Qualification

struct Qualify: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Put one camera on trial and sign it off.",
    usage: """
      swiftwing qualify --device /dev/videoN [--profile seed|strict|FILE]
                        [--scenario ID]... [--duration short|full] [--out DIR]
                        [--fault NAME] [--json]
      swiftwing qualify --list-faults
      """,
    discussion: """
      Every claim of the camera is tried: formats, controls, pace, time stamps, starts, recovery, rotation, photos, and what a \
      second client is told. Its settings are restored and read back, after ^C too; a second ^C ends at once and restores nothing. \
      Where v4l2-compliance is installed its findings are shown beside ours. The report goes to DIR as that of `bench` does.
      """)

  @Option(help: ArgumentHelp("The camera: /dev/videoN, or a name under /dev/v4l.", valueName: "DEVICE"))
  var device: String?
  @Option(help: ArgumentHelp("Limits: seed, strict or a file.", valueName: "PROFILE")) var profile = "seed"
  @Option(help: ArgumentHelp("Only this rule; may be given several times.", valueName: "ID"))
  var scenario: [String] = []
  @Option(help: ArgumentHelp("short tries a choice of the claims, full all of them.", valueName: "LENGTH"))
  var duration = RunDuration.short
  @Option(help: ArgumentHelp("Where the report goes; reports/<time> when not given.", valueName: "DIR"))
  var out: String?
  @Option(
    help: ArgumentHelp(
      "Break the driver on purpose, to see it noticed; see --list-faults.", valueName: "NAME"))
  var fault: String?
  @Flag(help: "List the faults, each with the rule that must fail, and end.") var listFaults = false
  @Flag(help: "Print the report as JSON instead of the summary.") var json = false

  func validate() throws {
    guard listFaults || device != nil else {
      throw ValidationError("--device is missing; `swiftwing devices` lists the cameras that are here")
    }
    guard duration != .soak else { throw ValidationError("--duration is short or full") }
    if let fault, DeviceFault(rawValue: fault) == nil {
      throw ValidationError("there is no fault \(fault); see `swiftwing qualify --list-faults`")
    }
  }

  func run() async throws {
    if listFaults {
      for fault in DeviceFault.allCases { Terminal.say("\(fault.rawValue)\t\(fault.rule)\t\(fault.summary)") }
      return
    }
    let run = try QualifyRun(self, device: device ?? "")
    let report = try await run.perform()
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
