import ArgumentParser
import Console
import Probes
import Trials

struct FilmCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "film",
    abstract: "Record 1080p, and kill the recording process, fill its disk, or let it run.")

  @Option(help: "How often to kill it.") var kills = 0
  @Option(help: "Seed of the moments of the kills.") var seed: UInt64 = 1
  @Flag(help: "Let it fill the disk of the folder, which must be a small one.") var fill = false
  @Option(help: "Seconds to record with a preview.") var seconds: Double?
  @OptionGroup var options: TrialOptions

  func run() async throws {
    let trial = FilmTrial(directory: options.folder, fault: fault)
    if fill { try DiskFiller.checkIsSmall(options.folder) }
    let (kills, seed, length) = (kills, seed, fill ? nil : seconds ?? 5)
    let outcome = try await onOwnThread {
      kills > 0 ? try trial.killed(kills, seed: seed) : try trial.alone(for: length)
    }
    try Terminal.say(line: outcome)
  }

  /// The fault of the recording process. If the process is killed or fills the disk, only `holdsRecording` is passed on, because no other
  /// fault is sure to be noticed then.
  private var fault: InjectedFault? {
    (kills > 0 || fill) && options.fault != .holdsRecording ? nil : options.fault
  }
}

/// The process that records in a trial.
struct FilmingCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "filming", shouldDisplay: false)
  @Option var corpus: String
  @Option var seconds: Double?
  @Flag var forEver = false
  @Flag var preview = false
  @Option var fault: InjectedFault?
  @Argument var path: String

  func run() async throws {
    let process = FilmingProcess(corpus: corpus, path: path, fault: fault)
    try await process.run(for: forEver ? nil : seconds ?? 5, hasPreview: preview)
  }
}
