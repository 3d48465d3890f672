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

  @Option(help: "How often the photo is read.") var rounds = 8
  @Option(help: "Percent of its own processor time that the recogniser takes more.") var slower = 0
  @Option(help: "How often the network runs before each photo, and after it.") var inferences = 3
  @OptionGroup var options: RecognitionOptions

  func run() async throws {
    do { try Terminal.say(line: try outcome()) } catch ScanError.unavailable {
      throw ExitCode(ScanTrialProgram.withoutReader)
    }
  }

  private func outcome() throws -> RecognitionOutcome {
    let folder = options.models ?? RecognitionModels.folder(executable: RunningProgram.path ?? ".")
    return try RecognitionTrial(self, try InferenceFloor(RecognitionModels(folder: folder))).outcome()
  }
}

/// Processor time in milliseconds, one a round.
struct RecognitionOutcome: Encodable {
  var recognizer: String
  var lines = 0
  var ours: [Double] = []
  /// Of `inferences`.
  var floor: [Double] = []

  /// The network run twice, of what it takes once: near 2, or the times are no measure.
  var proof = Double.nan

  /// One reading takes about as long.
  static let inferences = 6.0
}

struct RecognitionTrial {
  private let command: RecognitionTrialCommand
  private let worker: RecognitionWorker
  private let floor: InferenceFloor
  private let photo: [UInt8]

  init(_ command: RecognitionTrialCommand, _ floor: InferenceFloor) throws {
    self.command = command
    self.floor = floor
    let choice = RecognizerChoice(engine: .openvino, models: command.options.models)
    worker = try RecognitionWorker(
      RecognitionWorker.Settings(choice: choice, arguments: Recognizer.arguments(slower: command.slower)))
    photo = try Corpus.find("shelf-pan", searching: CorpusRoots.standard()).frame("frames/000100.jpg").bytes
  }

  func outcome() throws -> RecognitionOutcome {
    // The first of each load what is missing, and are slower.
    _ = (try floor.infer(), try read(), try read())
    var outcome = RecognitionOutcome(recognizer: worker.name)
    outcome.proof = try floor.twice()
    for _ in 0..<max(command.rounds, 1) {
      let (result, network) = try round()
      outcome.lines = result.findings.lines.count
      outcome.ours.append(result.processorSeconds * 1000)
      outcome.floor.append(network * RecognitionOutcome.inferences * 1000)
    }
    return outcome
  }

  private func read() throws(ScanError) -> RecognitionWorker.Result {
    try worker.scan(photo, level: command.options.level)
  }

  /// The network on both sides of the photo, so that a machine that grows slower meanwhile does so to both.
  /// - Returns: what was read, and the processor seconds of one inference.
  private func round() throws -> (RecognitionWorker.Result, Double) {
    let half = max(command.inferences, 1)
    let before = try floor.infer(half)
    let result = try read()
    return (result, (before + (try floor.infer(half))) / Double(2 * half))
  }
}

extension InferenceFloor {
  fileprivate func infer(_ times: Int) throws(ScanError) -> Double {
    var sum = 0.0
    for _ in 0..<times { sum += try infer() }
    return sum
  }

  /// What the network takes that runs twice, of what it takes once: the median of three tries.
  fileprivate func twice() throws(ScanError) -> Double {
    var ratios: [Double] = []
    for _ in 0..<3 {
      let (before, twice, after) = (try infer(), try infer(2), try infer())
      ratios.append(twice / (before + after) * 2)
    }
    return ratios.sorted()[1]
  }
}
