import ArgumentParser
import BookScan
import Console
import EngineScenarios
import Probes
import ScanStation
import Trials

/// The trial of the bench's suite `scan`: runs the station from camera to library, with the reference backend beside it. Prints
/// one JSON object at the end.
struct StationTrialCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "station", abstract: "Scan against the reference backend, and print the outcome as JSON.")

  @Option(help: "What to capture from.") var source: String
  @Option(help: "How photos become books.") var recognizer = RecognitionWay.backend
  @Option(help: "End after this many seconds, if the source has not ended before.") var seconds = 60.0
  @Option(help: "Seconds at the start during which the backend cannot be reached.") var outage = 0.0
  @Option(help: "Milliseconds by which the backend delays each upload.") var delay = 0
  @Option(help: "Lose one scan in this many, to check that it is noticed.") var lose = 0
  @Flag(help: "Take photos as often as possible, not when the picture is steady and new.") var often = false
  @Flag(help: "Do not read: give one made-up book per photo, at once.") var scripted = false
  @Flag(help: "Also present the pictures, and time them.") var preview = false
  @Flag(help: "Do not wait at the end for what is still queued.") var undrained = false
  @OptionGroup var options: RecognitionOptions
  @OptionGroup var trial: TrialOptions

  func run() async throws {
    let worker: RecognitionWorker?
    do {
      worker = scripted ? nil : try options.makeWorker(slower: trial.fault?.recognition ?? 0)
    } catch ScanError.unavailable {
      throw ExitCode(ScanTrialProgram.withoutReader)
    }
    var settings = ScanTrial.Settings()
    settings.way = recognizer
    settings.level = options.level
    settings.seconds = seconds
    settings.outage = outage
    settings.delay = delay
    settings.lose = lose
    settings.isOften = often
    settings.hasPreview = preview
    settings.isUndrained = undrained
    settings.fault = trial.fault
    try Terminal.say(line: try await ScanTrial(source, folder: trial.folder, worker: worker, settings).run())
  }
}
