import Imagery
import Locking

/// PP-OCRv6 (detector and line recogniser) on OpenVINO.
public final class PaddleRecognizer: TextRecognizer {
  public let name: String
  private let detector: TextDetector
  private let reader: LineReader
  private let secondScript: Locked<LateScript>

  /// Loads the library and compiles both models, about half a second.
  /// - Parameter cyrillic: Tesseract's name of the language that Cyrillic titles are read in.
  /// - Throws: `unavailable` when a file is missing or is not what it should be; `recognition` when OpenVINO refuses a model.
  public init(_ files: RecognitionModels, threads: Int = 2, cyrillic: String = "rus") throws(ScanError) {
    secondScript = Locked(LateScript(language: cyrillic))
    let runtime = try OpenVINORuntime(library: files.library)
    guard let characters = CharacterList(model: files.recognizer) else {
      throw .unavailable(
        what: files.recognizer, reason: "it holds no list of characters",
        remedy: "run `swiftwing models` again")
    }
    detector = TextDetector(model: try OpenVINOModel(runtime, path: files.detector, threads: threads))
    reader = LineReader(
      model: try OpenVINOModel(runtime, path: files.recognizer, threads: threads), characters: characters)
    name = "PP-OCRv6 on OpenVINO \(runtime.version)"
  }

  public func read(_ photo: UprightPhoto, level: RecognitionLevel) throws(ScanError) -> TextReading {
    let plan = RecognitionPlan(level)
    let candidates = try TextFinder(detector: detector, plan: plan).candidates(in: photo.raster)
    let lines = try DirectionDecision(reader: reader, plan: plan).lines(candidates, in: photo.raster)
    guard SecondScript.isSuspected(lines) else { return TextReading(lines: lines, recognizer: name) }
    do throws(ScanError) {
      let second = try secondScript.withLock { (late) throws(ScanError) in try late.script() }
      let reread = try second.reread(lines, in: photo.raster)
      return TextReading(lines: reread, recognizer: "\(name), Cyrillic by \(second.name)")
    } catch {
      return TextReading(
        lines: lines, recognizer: name, notes: ["Titles that look Cyrillic stay as they were read. \(error)"])
    }
  }
}

/// Tesseract for the second script, started when first needed.
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

/// What a level means in figures.
struct RecognitionPlan {
  /// Longest side of the copy on which text is looked for in both directions, pixels; small photos are enlarged at most
  /// twofold.
  var surveySide: Int
  /// Longest side of the copy on which it is looked for in the directions it has.
  var closeSide: Int
  /// A direction counts when this share of the text, by length, runs in it.
  var leastShare: Double
  /// Candidates of both copies are one when they share this much of the larger one's area.
  var sameness = 0.85
  /// Lines read less surely than this, 0…1, are read from the other end as well.
  var doubt: Double
  /// Lines read less surely than this both ways are read once more with their contrast spread.
  var faint = 0.8
  /// Lines read less surely than this are dropped.
  var leastConfidence = 0.45

  init(_ level: RecognitionLevel) {
    switch level {
    case .fast:
      faint = 0
      sameness = 0.7
      (surveySide, closeSide, leastShare, doubt) = (960, 1600, 0.2, 0.8)
    case .accurate: (surveySide, closeSide, leastShare, doubt) = (1536, 3200, 0.05, 0.95)
    }
  }
}
