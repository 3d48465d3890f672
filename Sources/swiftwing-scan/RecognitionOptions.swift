public import ArgumentParser
public import BookScan
import Console

extension RecognitionLevel: ExpressibleByArgument {}

/// Which recogniser reads.
enum RecognizerEngine: String, CaseIterable, ExpressibleByArgument {
  case openvino, tesseract
}

struct RecognitionOptions: ParsableArguments {
  @Option(help: ArgumentHelp("accurate, or fast: a live list.", valueName: "fast|accurate"))
  var level = RecognitionLevel.accurate
  @Option(
    help: ArgumentHelp(
      "PP-OCRv6 on OpenVINO, or Tesseract; without it OpenVINO when it is installed.",
      valueName: "openvino|tesseract"))
  var recognizerEngine: RecognizerEngine?
  @Option(
    help: ArgumentHelp(
      "What Tesseract reads in, like eng+rus; eng when it is alone. Beside OpenVINO it reads Cyrillic titles alone, in the first Cyrillic "
        + "language named, or rus.", valueName: "LANGUAGES"))
  var languages: String?
  @Option(help: ArgumentHelp("Where `make models` has put the models.", valueName: "FOLDER"))
  var models: String?

  /// What reads, in a process of its own: the recogniser asked for; when none was, the better one that works, with a note on
  /// standard error.
  func makeWorker() throws -> RecognitionWorker {
    let engine = recognizerEngine.flatMap { RecognizerChoice.Engine(rawValue: $0.rawValue) }
    let choice = RecognizerChoice(engine: engine, languages: languages, models: models)
    let worker = try RecognitionWorker(RecognitionWorker.Settings(choice: choice))
    for note in worker.notes { Terminal.tell("note: \(note)") }
    return worker
  }
}
