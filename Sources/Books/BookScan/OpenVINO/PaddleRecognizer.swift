import System

/// PP-OCRv6 (detector and line recogniser) on OpenVINO.
public final class PaddleRecognizer: TextRecognizer {
  public let name: String
  private let detector: TextDetector
  private let reader: LineReader
  private let secondScript: Locked<LateScript>

  /// Loads the library and compiles both models, about half a second.
  /// - Parameter cyrillic: Tesseract's name of the language for Cyrillic titles.
  /// - Throws: `unavailable` if a file is missing or invalid; `recognition` if OpenVINO refuses a model.
  public init(_ files: RecognitionModels, threads: Int = 2, cyrillic: String = "rus") throws(ScanError) {
    secondScript = Locked(LateScript(language: cyrillic))
    let runtime = try OpenVINORuntime(library: files.library)
    guard let characters = CharacterList(model: files.recognizer) else {
      throw .unavailable(
        what: files.recognizer, reason: "it holds no list of characters",
        remedy: "remove it and run `swiftwing models` again")
    }
    let precision = try InferencePrecision.asked()
    let models = try [files.detector, files.recognizer].map { (path) throws(ScanError) in
      try OpenVINOModel(runtime, path: path, threads: threads, precision: precision)
    }
    detector = TextDetector(model: models[0])
    reader = LineReader(model: models[1], characters: characters)
    name = "PP-OCRv6 on OpenVINO \(runtime.version)\(Self.precisions(models))"
  }

  /// Returns " in bf16", or " in bf16 and f32" if the models' precisions differ; empty if OpenVINO reports none.
  private static func precisions(_ models: [OpenVINOModel]) -> String {
    let names = Set(models.compactMap(\.precision)).sorted()
    return names.isEmpty ? "" : " in \(names.joined(separator: " and "))"
  }

  public func read(_ photo: UprightPhoto, level: RecognitionLevel) throws(ScanError) -> TextReading {
    var (clock, cost) = (StageClock(), ReadingCost())
    let plan = RecognitionPlan(level)
    let candidates = try TextFinder(detector: detector, plan: plan).candidates(in: photo.raster)
    cost.detection = clock.stage()
    let decision = DirectionDecision(reader: reader, plan: plan)
    let readings = try decision.readings(candidates, in: photo.raster)
    let lines = decision.settled(readings)
    cost.recognition = clock.stage()
    // Incomplete lines are enough to tell whether their script is known. Lines in an unknown script are not extended.
    guard SecondScript.isSuspected(lines) else {
      let whole = try grown(lines, in: photo.raster, plan)
      cost.recognition += clock.stage()
      return TextReading(lines: whole, recognizer: name, cost: cost)
    }
    do throws(ScanError) {
      let second = try secondScript.withLock { (late) throws(ScanError) in try late.script() }
      let reread = decision.settled(try second.reread(readings, in: photo.raster))
      cost.secondScript = clock.stage()
      return TextReading(lines: reread, recognizer: "\(name), Cyrillic by \(second.name)", cost: cost)
    } catch {
      return TextReading(
        lines: lines, recognizer: name, notes: ["Titles that look Cyrillic stay as they were read. \(error)"],
        cost: cost)
    }
  }

  private func grown(_ lines: [TextLine], in photo: Raster, _ plan: RecognitionPlan) throws(ScanError)
    -> [TextLine]
  {
    guard plan.growsLines else { return lines }
    return try LineExtension(reader: reader, photo: photo).extended(lines)
  }
}

/// Tesseract for the second script, loaded when first needed.
private struct LateScript {
  let language: String
  private var started: Result<SecondScript, ScanError>?

  init(language: String) { self.language = language }

  mutating func script() throws(ScanError) -> SecondScript {
    if let started { return try started.get() }
    let result = Result { () throws(ScanError) in try SecondScript(language: language) }
    started = result
    return try result.get()
  }
}
