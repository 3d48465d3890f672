import CTesseract
import Glibc
import Imagery
import Locking

/// Tesseract on four turned copies of the photo: the fallback, and the second script.
public final class TesseractRecognizer: TextRecognizer {
  public let name: String
  private let engine: Locked<Engine>

  /// Longest side of the copy that is read, pixels, by level.
  private static func side(_ level: RecognitionLevel) -> Int { level == .fast ? 1536 : 4096 }

  /// - Parameter languages: Tesseract's names joined by `+`; each needs its data installed.
  /// - Throws: `unavailable` when the library or the data is missing.
  public init(languages: String = "eng", library: String = "libtesseract.so.5") throws(ScanError) {
    // More threads cost Tesseract up to forty times the work; libgomp reads this when it is loaded.
    setenv("OMP_THREAD_LIMIT", "1", 1)
    let engine = try Engine(languages, library)
    name = "Tesseract \(engine.version) (\(languages))"
    self.engine = Locked(engine)
  }

  public func lines(in photo: UprightPhoto, level: RecognitionLevel) throws(ScanError) -> [TextLine] {
    let scale = min(1, Double(Self.side(level)) / Double(photo.size.longSide))
    let copy = try photo.raster.scaled(
      width: max(1, Int(Double(photo.size.width) * scale)),
      height: max(1, Int(Double(photo.size.height) * scale)))
    var lines: [TextLine] = []
    for rotation in Rotation.allCases {
      let turned = rotation == .none ? copy : try copy.turned(rotation)
      let found = try engine.withLock { (engine) throws(ScanError) in try engine.read(turned) }
      lines += found.map { Self.line($0, rotation, turned, scale) }
    }
    return DirectionDecision.withoutOverlaps(lines)
  }

  /// A line of the turned copy in the photo's own pixels.
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

/// A line in pixels of the picture that was read.
private struct TesseractLine {
  var text: String
  var confidence: Double
  var box: Box
}

/// The library and one warm engine.
///
/// `@unchecked Sendable`: only touched under the recogniser's lock.
private final class Engine: @unchecked Sendable {
  let version: String
  private let api: OpaquePointer
  private let handle: OpaquePointer
  /// Surer lines are kept, 0…1.
  private static let leastConfidence = 0.5

  init(_ languages: String, _ library: String) throws(ScanError) {
    let remedy = "install libtesseract5 and tesseract-ocr-eng, or run `make models`"
    var reason = [CChar](repeating: 0, count: 512)
    guard let api = tesseract_load(library, &reason, reason.count) else {
      let text = String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      throw .unavailable(what: "Tesseract", reason: text, remedy: remedy)
    }
    guard let handle = tesseract_start(api, languages) else {
      throw .unavailable(what: "Tesseract", reason: "it has no data for \(languages)", remedy: remedy)
    }
    (self.api, self.handle) = (api, handle)
    version = String(cString: tesseract_version(api))
  }

  deinit { tesseract_stop(api, handle) }

  func read(_ raster: Raster) throws(ScanError) -> [TesseractLine] {
    var lines: [TesseractLine] = []
    let luma = raster.luma()
    let status = withUnsafeMutablePointer(to: &lines) { lines in
      tesseract_read(api, handle, luma, Int32(raster.width), Int32(raster.height), Int32(raster.width), lines)
      {
        context, line in
        guard let line = line?.pointee, let lines = context?.assumingMemoryBound(to: [TesseractLine].self)
        else { return }
        let text = String(cString: line.text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let confidence = Double(line.confidence) / 100
        guard !text.isEmpty, confidence >= Engine.leastConfidence else { return }
        let box = Box(
          x: Double(line.left), y: Double(line.top), width: Double(line.right - line.left),
          height: Double(line.bottom - line.top))
        lines.pointee.append(TesseractLine(text: text, confidence: confidence, box: box))
      }
    }
    guard status == 0 else { throw .recognition(engine: "Tesseract", reason: "status \(status)") }
    return lines
  }
}
