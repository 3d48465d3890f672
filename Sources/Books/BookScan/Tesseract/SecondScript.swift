import CTesseract
import System

/// Reads lines that PP-OCRv6 has no letters for: Cyrillic, by Tesseract, where its data is installed.
public final class SecondScript: Sendable {
  /// With its version.
  let name: String
  private let engine: Locked<TesseractEngine>
  /// At most so many lines a photo are judged, the longest.
  private static let limit = 30
  /// At most so many are read anew: each line may be among them in several sizes.
  private static let rereadLimit = 60

  /// Tesseract's names of languages that are written in Cyrillic.
  public static let languages: Set<String> = ["bel", "bul", "mkd", "rus", "srp", "ukr"]

  /// - Throws: `unavailable` without Tesseract or its data for the language.
  init(language: String = "rus", library: String = "libtesseract.so.5") throws(ScanError) {
    let engine = try TesseractEngine(language, library, mode: tesseract_one_line)
    name = "Tesseract \(engine.version) (\(language))"
    self.engine = Locked(engine)
  }

  /// Whether the lines look as if they were written in letters the recogniser does not know: most of the longer ones were
  /// read unsurely, which happens on no photo of Latin titles.
  static func isSuspected(_ lines: [TextLine]) -> Bool {
    let long = longest(lines)
    return long.count >= 4 && long.count { lines[$0].confidence < 0.9 } * 2 > long.count
  }

  /// Indices of the longest lines of at least three characters.
  private static func longest(_ lines: [TextLine], _ limit: Int = limit) -> [Int] {
    lines.indices.filter {
      lines[$0].text.count >= 3 && lines[$0].region.length > 2 * lines[$0].region.height
    }
    .sorted { lines[$0].region.length > lines[$1].region.length }.prefix(limit).map { $0 }
  }

  /// The lines, those that are Cyrillic read anew in the surer of both directions.
  func reread(_ lines: [TextLine], in photo: Raster) throws(ScanError) -> [TextLine] {
    var lines = lines
    for index in Self.longest(lines, Self.rereadLimit) {
      let region = lines[index].region
      let readings = [try read(region, photo), try read(region.reversed, photo)].compactMap { $0 }
      guard let best = readings.max(by: { $0.confidence < $1.confidence }) else { continue }
      lines[index] = best
    }
    return lines
  }

  private func read(_ region: TextRegion, _ photo: Raster) throws(ScanError) -> TextLine? {
    let width = min(LineRectifier.width(of: region), LineReader.widest)
    let luma = LineRectifier(photo: photo).luma(region, width: width)
    let lines = try engine.withLock { (engine) throws(ScanError) in
      try engine.read(luma, width: width, height: LineRectifier.height)
    }
    let text = lines.map(\.text).joined(separator: " ")
    guard let confidence = lines.map(\.confidence).min(), Self.isCyrillic(text) else { return nil }
    return TextLine(text: text, confidence: confidence, region: region)
  }

  /// At least three Cyrillic letters, and more of them than of anything else.
  static func isCyrillic(_ text: String) -> Bool {
    let cyrillic = text.unicodeScalars.count { (0x400...0x52F).contains($0.value) }
    return cyrillic >= 3 && cyrillic * 2 > text.unicodeScalars.count { !$0.properties.isWhitespace }
  }
}
