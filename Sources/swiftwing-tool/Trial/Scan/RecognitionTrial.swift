import ArgumentParser
import BookScan
import Console
import Corpora
import EngineScenarios
import System

/// What `scan.recognition` of the bench runs: the recogniser on one photo and the bare network, by turns. One JSON object at the end.
struct RecognitionTrialCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recognition",
    abstract: "Read a photo and run the bare network by turns, and print what each took.")

  @Option(help: "How often each.") var rounds = 8
  @Option(help: "Percent of its own processor time that the recogniser takes more.") var slower = 0
  @Option(help: "How often the network runs before each photo, and after it.") var inferences = 3
  @OptionGroup var options: RecognitionOptions

  func run() async throws {
    do { try Terminal.say(line: try RecognitionTrial(self).outcome()) } catch ScanError.unavailable {
      throw ExitCode(ScanTrialProgram.withoutReader)
    }
  }
}

struct RecognitionTrial {
  private let command: RecognitionTrialCommand
  private let worker: RecognitionWorker
  private let floor: InferenceFloor
  private let photo: [UInt8]

  /// Processor time in milliseconds, one a round.
  struct Outcome: Encodable {
    var recognizer: String
    var lines: Int
    var ours: [Double] = []
    var floor: [Double] = []
  }

  init(_ command: RecognitionTrialCommand) throws {
    self.command = command
    let folder = command.options.models ?? RecognitionModels.folder(executable: RunningProgram.path ?? ".")
    floor = try InferenceFloor(RecognitionModels(folder: folder))
    let choice = RecognizerChoice(engine: .openvino, models: command.options.models)
    worker = try RecognitionWorker(
      RecognitionWorker.Settings(choice: choice, arguments: Recognizer.arguments(slower: command.slower)))
    photo = try Corpus.find("shelf-pan", searching: CorpusRoots.standard()).frame("frames/000100.jpg").bytes
  }

  func outcome() throws -> Outcome {
    // The first of each loads what is missing.
    _ = (try floor.infer(), try read())
    var outcome = Outcome(recognizer: worker.name, lines: try read().findings.lines.count)
    for _ in 0..<max(command.rounds, 1) {
      // On both sides of the photo, so that a machine that grows slower meanwhile does so to both.
      let before = try network()
      outcome.ours.append(try read().processorSeconds * 1000)
      outcome.floor.append(before + (try network()))
    }
    return outcome
  }

  private func network() throws -> Double {
    try (0..<max(command.inferences, 1)).reduce(0) { sum, _ in sum + (try floor.infer()) * 1000 }
  }

  private func read() throws -> RecognitionWorker.Result {
    try worker.scan(photo, level: command.options.level)
  }
}
