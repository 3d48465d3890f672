import ArgumentParser
import BookScan
import Console
import EngineScenarios
import Probes
import System
import Trials

/// The trial of the bench's scenario `scan.recognition`. Prints one JSON object at the end.
struct RecognitionTrialCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recognition",
    abstract: "Read a photo and run the bare network by turns, and print what each took.")

  @Option(help: "How often the photo is read.") var rounds = 8
  @Option(help: "Break something on purpose, as `bench --fault` does.") var fault: InjectedFault?
  @Option(help: "How often the network runs before each photo, and after it.") var inferences = 3
  @OptionGroup var options: RecognitionOptions

  func run() async throws {
    do { try Terminal.say(line: try outcome()) } catch ScanError.unavailable {
      throw ExitCode(ScanTrialProgram.withoutReader)
    }
  }

  private func outcome() throws -> RecognitionOutcome {
    let folder = options.models ?? RecognitionModels.folder(executable: RunningProgram.path ?? ".")
    let floor = try InferenceFloor(RecognitionModels(folder: folder))
    let choice = RecognizerChoice(engine: .openvino, models: options.models)
    let worker = try RecognitionWorker(
      RecognitionWorker.Settings(
        choice: choice, arguments: Recognizer.arguments(slower: fault?.recognition ?? 0)))
    return try RecognitionTrial(
      worker, floor, level: options.level, rounds: rounds, inferences: inferences
    ).outcome()
  }
}
