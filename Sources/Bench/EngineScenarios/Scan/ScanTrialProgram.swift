import FoundationEssentials
import Glibc
import Harness
import Probes

/// `swiftwing-tool trial station`: the station with the reference backend, in a separate process.
package struct ScanTrialProgram {
  private let executable: String
  private let scratch: String

  /// The options that hand the rig's fault to the trial.
  private let fault: [String]

  init(_ rig: Rig, _ context: ScenarioContext) {
    fault = rig.faultOption
    let folder = rig.viewfinder.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    executable = (folder + ["swiftwing-tool"]).joined(separator: "/")
    scratch = context.scratchDirectory
  }

  /// Runs a trial in a folder of its own, and deletes the folder afterwards.
  func run(_ arguments: [String]) throws -> StationOutcome {
    let folder = "\(scratch)/scan-\(UUID().uuidString.prefix(8).lowercased())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try outcome(of: ["station"] + arguments + fault + [folder])
  }

  /// Runs the recogniser on a bundled photo and the bare network, by turns.
  func recognition(_ arguments: [String]) throws -> RecognitionOutcome {
    try outcome(of: ["recognition"] + arguments + fault)
  }

  /// Reads stills at every size.
  func frontier(_ arguments: [String]) throws -> TokenFrontierOutcome {
    try outcome(of: ["frontier"] + arguments)
  }

  private func outcome<Value: Decodable>(of arguments: [String]) throws -> Value {
    let outcome = try ChildProgram(
      executable: executable, arguments: ["trial"] + arguments, remedy: "build it with `make build`"
    ).run()
    if outcome.status == Self.withoutReader {
      throw Unsupported("no text recogniser is installed, so no spine can be read; run `make models`")
    }
    guard outcome.status == 0,
      let value = try? JSONDecoder().decode(Value.self, from: Data(outcome.output.utf8))
    else {
      throw LaunchError(
        executable, "it ended (status \(outcome.status)) without a result",
        remedy: "its own message, above, says why")
    }
    return value
  }

  /// Exit status of a trial without a recogniser (`EX_UNAVAILABLE` of sysexits.h).
  package static let withoutReader: Int32 = 69

  /// Runs a trial of about `seconds` with a scripted recogniser, which reads nothing and returns known books.
  func runScripted(_ extra: [String] = [], seconds: Double = 2) throws -> StationOutcome {
    try run(
      ["--source", "corpus:shelf-pan?speed=4&loop=1", "--scripted", "--often", "--seconds", "\(seconds)"]
        + extra)
  }
}
