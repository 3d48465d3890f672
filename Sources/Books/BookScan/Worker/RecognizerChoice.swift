import System

/// Which recogniser is to read, and with what.
public struct RecognizerChoice: Sendable, Hashable, Codable {
  /// The recognisers there are. Closed: another one is a new major version.
  public enum Engine: String, Sendable, Codable, CaseIterable {
    /// PP-OCRv6 on OpenVINO.
    case openvino
    /// Tesseract, with the languages that are installed.
    case tesseract
  }

  /// Nil for the better one that works.
  public var engine: Engine?
  /// What Tesseract reads in, joined by `+`; eng when it is alone. Beside OpenVINO it reads Cyrillic titles alone, in the first
  /// Cyrillic language named, or rus.
  public var languages: String?
  /// Where the models are; nil for where `RecognitionModels.folder` finds them.
  public var models: String?

  /// A choice. Without arguments: OpenVINO if it works, otherwise Tesseract.
  /// - Parameter models: a folder that `swiftwing models` has filled.
  public init(engine: Engine? = nil, languages: String? = nil, models: String? = nil) {
    self.engine = engine
    self.languages = languages
    self.models = models
  }

  /// In this process; a `RecognitionWorker` does it in another.
  /// - Returns: the recogniser, and sentences for the user about what is not to be had.
  /// - Throws: `unavailable` when what is asked for, or all there is, cannot be used.
  public func makeRecognizer() throws(ScanError) -> (recognizer: any TextRecognizer, notes: [String]) {
    switch engine {
    case .openvino: return (try openVINO(), [])
    case .tesseract: return (try tesseract(), [])
    case nil:
      do throws(ScanError) { return (try openVINO(), []) } catch {
        return (try tesseract(), [error.description])
      }
    }
  }

  private func tesseract() throws(ScanError) -> TesseractRecognizer {
    try TesseractRecognizer(languages: languages ?? "eng")
  }

  private func openVINO() throws(ScanError) -> PaddleRecognizer {
    let named = languages?.split(separator: "+").map(String.init) ?? []
    let folder = models ?? RecognitionModels.folder(executable: RunningProgram.path ?? ".")
    return try PaddleRecognizer(
      try RecognitionModels(folder: folder),
      cyrillic: named.first { SecondScript.languages.contains($0) } ?? "rus")
  }
}
