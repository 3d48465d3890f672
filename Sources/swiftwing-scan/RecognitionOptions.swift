public import ArgumentParser
public import BookScan
import Console
import Glibc

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

  /// The recogniser asked for; when none was, the better one that works, with a note on standard error.
  func makeRecognizer() throws -> any TextRecognizer {
    switch recognizerEngine {
    case .openvino: return try openVINO()
    case .tesseract: return try tesseract()
    case nil:
      do {
        return try openVINO()
      } catch {
        Terminal.tell("note: \(error)")
        return try tesseract()
      }
    }
  }

  private func tesseract() throws(ScanError) -> TesseractRecognizer {
    try TesseractRecognizer(languages: languages ?? "eng")
  }

  private func openVINO() throws(ScanError) -> PaddleRecognizer {
    let executable = (try? executablePath()) ?? "."
    let named = languages?.split(separator: "+").map(String.init) ?? []
    return try PaddleRecognizer(
      try RecognitionModels(folder: models ?? RecognitionModels.folder(executable: executable)),
      cyrillic: named.first { SecondScript.languages.contains($0) } ?? "rus")
  }

  private func executablePath() throws -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    guard count > 0 else { throw ExitCode.failure }
    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
