import CTesseract
import System

/// Reads lines in a script that PP-OCRv6 does not know: Cyrillic, with Tesseract, if its data is installed.
public final class SecondScript: Sendable {
  /// The engine's name with its version.
  let name: String
  private let engine: Locked<TesseractEngine>
  /// The greatest number of lines of a photo that are judged, longest first.
  private static let limit = 30
  /// The greatest number of lines that are read again. It is larger than `limit` because a line may be among the readings in
  /// several sizes.
  private static let rereadLimit = 60

  /// Tesseract's names of languages that are written in Cyrillic.
  public static let languages: Set<String> = ["bel", "bul", "mkd", "rus", "srp", "ukr"]

  /// Loads Tesseract.
  /// - Throws: `unavailable` if Tesseract or its data for the language is missing.
  init(language: String = "rus", library: String = "libtesseract.so.5") throws(ScanError) {
    let engine = try TesseractEngine(language, library, mode: tesseract_one_line)
    name = "Tesseract \(engine.version) (\(language))"
    self.engine = Locked(engine)
  }

  /// Whether the lines seem to be in a script that the recogniser does not know: most of the longer ones have a low confidence,
  /// which happens on no photo of Latin titles.
  static func isSuspected(_ lines: [TextLine]) -> Bool {
    let long = longest(lines)
    return long.count >= 4 && long.count { lines[$0].confidence < 0.9 } * 2 > long.count
  }

  /// Returns the indices of the longest lines of at least three characters.
  private static func longest(_ lines: [TextLine], _ limit: Int = limit) -> [Int] {
    lines.indices.filter {
      lines[$0].text.count >= 3 && lines[$0].region.length > 2 * lines[$0].region.height
    }
    .sorted { lines[$0].region.length > lines[$1].region.length }.prefix(limit).map { $0 }
  }

  /// Returns the lines. The longest ones are read again in both directions. A Cyrillic reading replaces the
  /// line; if both readings are Cyrillic, the one with the higher confidence does.
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

  /// Whether a text has at least three Cyrillic letters, and more of them than other characters, blanks aside.
  static func isCyrillic(_ text: String) -> Bool {
    let cyrillic = text.unicodeScalars.count { (0x400...0x52F).contains($0.value) }
    return cyrillic >= 3 && cyrillic * 2 > text.unicodeScalars.count { !$0.properties.isWhitespace }
  }
}
