import ArgumentParser
import BookScan
import Console
import Foundation
import Library
import ScanStation
import Uploads

/// The command that `scripts/prove-librarian` runs. Processes that are killed at random moments read a folder of photographs into
/// a library; this library is then compared with the library of an undisturbed run. Prints one JSON object; the status is 1 if the
/// libraries differ.
struct PhotographTrialCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "photographs",
    abstract: "Kill a scan of photographs again and again, then compare the library with an undisturbed one.")

  @Option(help: "How often to kill it.") var kills = 100
  @Option(help: "Seed of the photographs and of the moments of the kills.") var seed: UInt64 = 1
  @Option(help: "Milliseconds after its first word within which a process is killed.") var lifetime = 400
  @Option(help: "Photographs to read with the real recogniser, in place of made ones.") var photos: String?
  @Argument(help: "An empty folder.") var folder: String

  func run() async throws {
    let trial = PhotographTrial(
      folder: folder, kills: kills, seed: seed, lifetime: max(lifetime, 1), photographs: photos)
    let outcome = try await trial.run()
    try Terminal.say(line: outcome)
    guard outcome.isClean else { throw ExitCode.failure }
  }
}

/// The process that is killed: it reads drawn photographs with the scripted recogniser.
struct PhotographVictimCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "photographs-victim", shouldDisplay: false)
  @Argument var photographs: String
  @Argument var library: String

  func run() async throws {
    let store = try Store(directory: library)
    var settings = ScriptedReader.settings
    settings.startLimit = .seconds(300)
    let reader = PhotoReader(worker: try RecognitionWorker(settings), level: .fast)
    let journal = ScanJournal(keepsCut: true)
    let station = PhotographStation(
      store: store,
      recognition: Recognition(WaySettings(), remote: nil, reader: reader, journal: journal),
      journal: journal)
    // The parent process waits for this process's first line.
    let watching = Task { for await _ in station.events { Terminal.say(document: "event") } }
    try await station.run(PhotographSearch([photographs]).photographs)
    await watching.value
  }
}
