public import ArgumentParser
import BookScan
import Console
import EngineScenarios
import Probes
import ScanStation

/// What the suite `scan` of the bench runs: the station from camera to library with the reference backend beside it. One JSON
/// object at the end.
struct StationTrialCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "station", abstract: "Scan against the reference backend, and print the outcome as JSON.")

  @Option(help: "What to capture from.") var source: String
  @Option(help: "How photos become books.") var recognizer = RecognitionWay.backend
  @Option(help: "End after this many seconds, if the source has not ended before.") var seconds = 60.0
  @Option(help: "Seconds at the start during which the backend cannot be reached.") var outage = 0.0
  @Option(help: "Milliseconds by which the backend delays each upload.") var delay = 0
  @Option(help: "Lose one scan in this many, to see that it is noticed.") var lose = 0
  @Flag(help: "Take photos as often as possible, not when the picture is steady and new.") var often = false
  @Flag(help: "Do not read: give one made-up book per photo, at once.") var scripted = false
  @Flag(help: "Also present the pictures, and time them.") var preview = false
  @Option(help: "Stop the preview after this many seconds; 0 is never.") var freeze = 0.0
  @Flag(help: "Do not wait at the end for what is still queued.") var undrained = false
  @Option(help: "Let the backend read books wrongly in this way, to see that it is noticed.") var misread:
    Misreading?
  @Option(help: "Percent of its own processor time that the recogniser takes more.") var slower = 0
  @OptionGroup var options: RecognitionOptions
  @Argument(help: "An empty folder.") var folder: String

  func run() async throws {
    let trial: ScanTrial
    do { trial = try ScanTrial(self) } catch ScanError.unavailable {
      throw ExitCode(ScanTrialProgram.withoutReader)
    }
    try Terminal.say(line: try await trial.run())
  }
}

extension Misreading: ExpressibleByArgument {}

/// How a trial went. Times in milliseconds.
struct TrialOutcome: Encodable {
  var recognizer = ""
  /// Photos that were acknowledged, and how many of them reached the library.
  var accepted = 0
  var delivered = 0
  /// From the press until it was on disk, and until its books were in the library.
  var acceptTimes: [Double] = []
  var latencies: [Double] = []
  /// From the first press to the last delivery.
  var seconds = 0.0
  /// From the backend's return to the empty queue; nil without an outage.
  var drainTime: Double?
  var books = 0
  var copies = 0
  /// Of the spines of the corpus: how many the library has, and how many of its books are none of them.
  var spines: Int?
  var spinesFound: Int?
  var booksBesides: Int?
  /// Titles of the corpus by what became of them: read in any photo; how often, over all photos; read but not in the library; and
  /// records of the library beyond one a copy on the shelf.
  var titlesRead: Int?
  var titleReadings: Int?
  var titlesLost: Int?
  var titlesDoubled: Int?
  /// What the backend saw.
  var uploads = 0
  var jobs = 0
  var openJobs = 0
  var imagesLeft = 0
  var fallbacks = 0
  /// Pictures presented in each whole second from the first picture on, and in each that is counted back from the end.
  var previewRates: [Double] = []
  /// From the first picture to the end, in seconds.
  var previewSeconds = 0.0
}
