import FoundationEssentials
import Glibc
import Harness
import Probes

/// `swiftwing-tool trial station`: the station with the reference backend, in a process of its own.
package struct ScanTrialProgram {
  private let executable: String
  private let scratch: String

  /// What a trial tells; see `TrialOutcome` there.
  struct Outcome: Decodable {
    var recognizer: String
    var accepted: Int
    var delivered: Int
    var acceptTimes: [Double]
    var latencies: [Double]
    var seconds: Double
    var drainTime: Double?
    var books: Int
    var copies: Int
    var spines: Int?
    var spinesFound: Int?
    var booksBesides: Int?
    var titlesRead: Int?
    var titleReadings: Int?
    var titlesLost: Int?
    var titlesDoubled: Int?
    var uploads: Int
    var jobs: Int
    var openJobs: Int
    var imagesLeft: Int
    var fallbacks: Int
    var previewRates: [Double]
    var previewSeconds: Double
  }

  /// What `trial recognition` tells: processor time in milliseconds, one a round.
  struct Recognition: Decodable {
    var recognizer: String
    var lines: Int
    var ours: [Double]
    var floor: [Double]
    /// The network that runs twice, of once.
    var proof: Double
  }

  /// What the rig's fault adds to the recogniser's processor time.
  private let slower: [String]

  init(_ rig: Rig, _ context: ScenarioContext) {
    let percent = rig.fault?.recognition ?? 0
    slower = percent > 0 ? ["--slower", "\(percent)"] : []
    let folder = rig.viewfinder.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    executable = (folder + ["swiftwing-tool"]).joined(separator: "/")
    scratch = context.scratchDirectory
  }

  /// Runs a trial in a folder of its own, which is gone afterwards.
  func run(_ arguments: [String]) throws -> Outcome {
    let folder = "\(scratch)/scan-\(UUID().uuidString.prefix(8).lowercased())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try outcome(of: ["station"] + arguments + slower + [folder])
  }

  /// The recogniser on a bundled photo and the bare network, by turns.
  func recognition(_ arguments: [String]) throws -> Recognition {
    try outcome(of: ["recognition"] + arguments + slower)
  }

  /// Stills at every size, read.
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
      throw LaunchError(executable, "it ended (status \(outcome.status)) without a result", remedy: nil)
    }
    return value
  }

  /// Exit status of a trial without a recogniser (`EX_UNAVAILABLE` of sysexits.h).
  package static let withoutReader: Int32 = 69

  /// A trial that reads nothing and whose books are known, of about `seconds`.
  func runScripted(_ extra: [String] = [], seconds: Double = 2) throws -> Outcome {
    try run(
      ["--source", "corpus:shelf-pan?speed=4&loop=1", "--scripted", "--often", "--seconds", "\(seconds)"]
        + extra)
  }
}

extension ScanTrialProgram.Outcome {
  var lost: Int { accepted - delivered }

  /// Share of the shelf's titles that the library has; nil where what stands there is not known.
  var titlesFound: Double? {
    guard let spines, let spinesFound, spines > 0 else { return nil }
    return Double(spinesFound) / Double(spines)
  }

  /// Of the times a title was read again, the share that made no second record; nil where none was.
  var duplicatesFound: Double? {
    guard let titleReadings, let titlesRead, let titlesDoubled, titleReadings > titlesRead else { return nil }
    return 1 - Double(titlesDoubled) / Double(titleReadings - titlesRead)
  }
}
