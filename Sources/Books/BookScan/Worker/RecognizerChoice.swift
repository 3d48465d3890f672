import System

/// The recogniser to use, with its languages and models.
public struct RecognizerChoice: Sendable, Hashable, Codable {
  /// The available recognisers. Closed: a further case needs a new major version.
  public enum Engine: String, Sendable, Codable, CaseIterable {
    /// PP-OCRv6 on OpenVINO.
    case openvino
    /// Tesseract, with the languages that are installed.
    case tesseract
  }

  /// The recogniser; nil for the better of the recognisers that work.
  public var engine: Engine?
  /// Tesseract's languages, joined by `+`; nil for `eng`. When OpenVINO is used, Tesseract reads only Cyrillic titles, in the
  /// first Cyrillic one of these languages, or in `rus` if there is none.
  public var languages: String?
  /// The folder of the models; nil for the one that `RecognitionModels.folder` finds.
  public var models: String?

  /// Creates a choice. Without arguments: OpenVINO if it works, otherwise Tesseract.
  /// - Parameter models: a folder that `swiftwing models` has filled.
  public init(engine: Engine? = nil, languages: String? = nil, models: String? = nil) {
    self.engine = engine
    self.languages = languages
    self.models = models
  }

  /// Creates the recogniser in this process. `RecognitionWorker` creates one in another process.
  /// - Returns: the recogniser, and sentences for the user about recognisers that are unavailable.
  /// - Throws: `unavailable` if the chosen recogniser cannot be used, or, without a choice, if none can.
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
