public import ArgumentParser
public import BookScan
import Console

extension RecognitionLevel: ExpressibleByArgument {}
extension RecognizerChoice.Engine: ExpressibleByArgument {}

struct RecognitionOptions: ParsableArguments {
  @Option(help: ArgumentHelp("accurate for photographs, fast for a live list.", valueName: "fast|accurate"))
  var level = RecognitionLevel.accurate
  @Option(
    help: ArgumentHelp(
      "What reads: PP-OCRv6 on OpenVINO, or Tesseract. By default OpenVINO, if it is installed.",
      valueName: "openvino|tesseract"))
  var recognizerEngine: RecognizerChoice.Engine?
  @Option(
    help: ArgumentHelp(
      "Languages of Tesseract, such as eng+rus; by default eng. Beside OpenVINO it reads only Cyrillic titles, in the first Cyrillic "
        + "language named, or in rus.", valueName: "LANGUAGES"))
  var languages: String?
  @Option(
    help: ArgumentHelp(
      "Folder of the models that `swiftwing models` or `make models` fetched.", valueName: "FOLDER"))
  var models: String?

  /// Whether none of these options was given.
  var isOrdinary: Bool {
    level == .accurate && recognizerEngine == nil && languages == nil && models == nil
  }

  /// Starts a worker process with the chosen recogniser. If none was chosen, with the better one that works; notes go to standard
  /// error.
  /// - Parameter slower: for trials, the percentage by which the worker's own processor time is increased.
  func makeWorker(slower: Int = 0) throws -> RecognitionWorker {
    let choice = RecognizerChoice(engine: recognizerEngine, languages: languages, models: models)
    let worker = try RecognitionWorker(
      RecognitionWorker.Settings(choice: choice, arguments: Recognizer.arguments(slower: slower)))
    for note in worker.notes { Terminal.tell("note: \(note)") }
    return worker
  }
}
