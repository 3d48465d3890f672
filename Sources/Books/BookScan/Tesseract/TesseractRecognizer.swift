import CTesseract
import Glibc
import Imagery
import System

/// Tesseract on four turned copies of the photo, for machines without OpenVINO.
public final class TesseractRecognizer: TextRecognizer {
  public let name: String
  private let engine: Locked<TesseractEngine>

  /// Returns the longest side of the copy that is read, pixels.
  private static func side(_ level: RecognitionLevel) -> Int { level == .fast ? 1536 : 4096 }

  /// Loads Tesseract.
  /// - Parameter languages: Tesseract's names joined by `+`; the data of each must be installed.
  /// - Throws: `unavailable` if the library or the data is missing.
  public init(languages: String = "eng", library: String = "libtesseract.so.5") throws(ScanError) {
    let engine = try TesseractEngine(languages, library, mode: tesseract_sparse_text)
    name = "Tesseract \(engine.version) (\(languages))"
    self.engine = Locked(engine)
  }

  public func read(_ photo: UprightPhoto, level: RecognitionLevel) throws(ScanError) -> TextReading {
    var (clock, cost) = (StageClock(), ReadingCost())
    let scale = min(1, Double(Self.side(level)) / Double(photo.size.longSide))
    let copy = try photo.raster.scaled(
      width: max(1, Int(Double(photo.size.width) * scale)),
      height: max(1, Int(Double(photo.size.height) * scale)))
    var lines: [TextLine] = []
    for rotation in Rotation.allCases {
      let turned = rotation == .none ? copy : try copy.turned(rotation)
      let found = try engine.withLock { (engine) throws(ScanError) in
        try engine.read(turned.luma(), width: turned.width, height: turned.height)
      }
      lines += found.map { Self.line($0, rotation, turned, scale) }
    }
    let kept = DirectionDecision.withoutOverlaps(lines)
    cost.recognition = clock.stage()
    return TextReading(lines: kept, recognizer: name, cost: cost)
  }

  /// Converts a line of the turned copy to the photo's own pixels.
  private static func line(_ found: TesseractLine, _ rotation: Rotation, _ turned: Raster, _ scale: Double)
    -> TextLine
  {
    let center = Point(x: found.box.x + found.box.width / 2, y: found.box.y + found.box.height / 2)
    let (width, height) = (Double(turned.width), Double(turned.height))
    let original =
      switch rotation {
      case .none: center
      case .clockwise90: Point(x: center.y, y: width - center.x)
      case .half: Point(x: width - center.x, y: height - center.y)
      case .clockwise270: Point(x: height - center.y, y: center.x)
      }
    let region = TextRegion(
      center: original * (1 / scale), length: found.box.width / scale, height: found.box.height / scale,
      angle: Double(rotation.inverse.rawValue))
    return TextLine(text: found.text, confidence: found.confidence, region: region)
  }
}
