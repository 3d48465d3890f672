import BookScan

/// Checks the recognisers of text: PP-OCRv6 on OpenVINO, and Tesseract with its languages. Programs load both at run time.
struct ReadingChecks {
  let surroundings: Surroundings
  private static let users = ["scan", "talaria serve"]

  var findings: [Diagnosis] {
    let models = surroundings.startRecognizer(RecognizerChoice(engine: .openvino))
    let english = surroundings.startRecognizer(RecognizerChoice(engine: .tesseract, languages: "eng"))
    let russian = surroundings.startRecognizer(RecognizerChoice(engine: .tesseract, languages: "rus"))
    return switch (models, english) {
    case (.failure(let error), .failure):
      [
        .missing(
          "recogniser", Self.reason(error), remedy: "run `swiftwing models`; or \(Self.packages)",
          for: Self.users)
      ]
    case (.failure(let error), .success(let name)):
      [
        .limited(
          "recogniser",
          "\(name) reads; PP-OCRv6 would read more titles, but cannot be used (\(Self.reason(error)))",
          remedy: "run `swiftwing models`", for: Self.users), cyrillic(russian),
      ]
    case (.success(let name), _): [.ok("recogniser", name, for: Self.users), cyrillic(russian)]
    }
  }

  private static let packages = "install libtesseract5 and tesseract-ocr-eng, which read fewer titles"

  private func cyrillic(_ russian: Result<String, ScanError>) -> Diagnosis {
    switch russian {
    case .success(let name): .ok("Cyrillic titles", name, for: ["scan"])
    case .failure(let error):
      .limited(
        "Cyrillic titles", "they are not read (\(Self.reason(error)))",
        remedy: "install libtesseract5 and tesseract-ocr-rus", for: ["scan"])
    }
  }

  private static func reason(_ error: ScanError) -> String {
    if case .unavailable(let what, let reason, _) = error { "\(what): \(reason)" } else { error.description }
  }
}
