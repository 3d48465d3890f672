import ArgumentParser
import Console
import Harness

struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Say what is missing here for which command, and what to do about it.",
    discussion: """
      Prints one line for each thing that commands need. missing: the commands in brackets cannot run, or \
      not with that camera. limited: they run with fewer functions.

      Exit status: 0 if every command can run, 4 if only a camera is missing, 1 if something else is \
      missing.
      """)

  @Flag(help: "Print JSON.") var json = false

  func run() throws {
    let examination = Examination(Surroundings.thisMachine())
    if json {
      try Terminal.say(json: examination)
    } else {
      for finding in examination.findings { Terminal.say(finding.line) }
      Terminal.say(examination.summary)
    }
    throw ExitCode(examination.exitStatus.rawValue)
  }
}

struct Examination: Encodable {
  let findings: [Diagnosis]
  /// The commands that cannot run properly.
  let cannotRun: [String]

  init(_ surroundings: Surroundings) {
    findings =
      ProgramChecks(surroundings: surroundings).findings + DeviceChecks(surroundings: surroundings).findings
      + PlaceChecks(surroundings: surroundings).findings + ReadingChecks(surroundings: surroundings).findings
    cannotRun = Set(findings.filter { $0.state == .missing }.flatMap(\.commands)).sorted()
  }

  var summary: String {
    cannotRun.isEmpty
      ? "every command can run"
      : "something is missing for: \(cannotRun.joined(separator: ", "))"
  }

  var exitStatus: ExitStatus {
    let missing = findings.filter { $0.state == .missing }
    if missing.isEmpty { return .success }
    return missing.allSatisfy(\.isAboutCameras) ? .sourceUnavailable : .failed
  }
}
