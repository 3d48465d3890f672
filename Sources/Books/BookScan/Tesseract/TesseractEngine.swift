import CTesseract
import Glibc

/// A read line, in pixels of the picture that was read.
struct TesseractLine {
  var text: String
  var confidence: Double
  var box: Box
}

/// Tesseract's library and one initialised engine.
///
/// `@unchecked Sendable`: the initialiser sets the pointers, and the engine is used only under its owner's lock.
final class TesseractEngine: @unchecked Sendable {
  let version: String
  private let api: OpaquePointer
  private let handle: OpaquePointer
  /// The least confidence of lines that are kept, 0…1.
  private static let leastConfidence = 0.5

  /// Loads the library and starts an engine.
  /// - Parameter mode: Tesseract's page segmentation mode.
  init(_ languages: String, _ library: String, mode: some BinaryInteger) throws(ScanError) {
    // With more threads, Tesseract takes up to forty times the processor time. libgomp reads this variable when it is loaded.
    setenv("OMP_THREAD_LIMIT", "1", 1)
    let names = languages.split(separator: "+").map(String.init)
    guard !names.isEmpty, names.allSatisfy(Self.isLanguage) else {
      throw .unavailable(
        what: "Tesseract", reason: "\"\(languages.prefix(40))\" names no languages",
        remedy: "name them like eng+rus, with --languages")
    }
    let packages = names.map { "tesseract-ocr-\($0.lowercased().replacing("_", with: "-"))" }
    let remedy = "install libtesseract5 and \(packages.joined(separator: ", "))"
    var reason = [CChar](repeating: 0, count: 512)
    guard let api = tesseract_load(library, &reason, reason.count) else {
      let text = String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      throw .unavailable(what: "Tesseract", reason: text, remedy: remedy)
    }
    guard let handle = tesseract_start(api, languages, Int32(mode)) else {
      tesseract_unload(api)
      throw Self.withoutData(languages, remedy)
    }
    (self.api, self.handle) = (api, handle)
    version = String(cString: tesseract_version(api))
  }

  /// - Parameter remedy: how to install the data.
  private static func withoutData(_ languages: String, _ remedy: String) -> ScanError {
    let reason = "it has no data for \(languages)"
    // With this variable, Tesseract does not look where Debian installs the data.
    guard let folder = getenv("TESSDATA_PREFIX"), folder[0] != 0 else {
      return .unavailable(what: "Tesseract", reason: reason, remedy: remedy)
    }
    return .unavailable(
      what: "Tesseract", reason: "\(reason) in \(String(cString: folder)), which TESSDATA_PREFIX names",
      remedy: "unset TESSDATA_PREFIX; if the data is missing then too, \(remedy)")
  }

  /// Whether a name has only letters, digits and underscores, so that it cannot lead to another folder.
  private static func isLanguage(_ name: String) -> Bool {
    (3...16).contains(name.utf8.count)
      && name.utf8.allSatisfy { $0 == 95 || (48...57).contains($0) || isLetter($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (65...90).contains(byte) || (97...122).contains(byte)
  }

  deinit {
    tesseract_stop(api, handle)
    tesseract_unload(api)
  }

  /// Reads a picture.
  /// - Parameter luma: rows of `width` bytes without padding.
  func read(_ luma: [UInt8], width: Int, height: Int) throws(ScanError) -> [TesseractLine] {
    var lines: [TesseractLine] = []
    let status = withUnsafeMutablePointer(to: &lines) { lines in
      tesseract_read(api, handle, luma, Int32(width), Int32(height), Int32(width), lines) {
        context, line in
        guard let line = line?.pointee, let lines = context?.assumingMemoryBound(to: [TesseractLine].self)
        else { return }
        let text = String(cString: line.text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let confidence = Double(line.confidence) / 100
        guard !text.isEmpty, confidence >= TesseractEngine.leastConfidence else { return }
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
