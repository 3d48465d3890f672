import CZXing

/// An International Standard Book Number seen as an EAN-13 barcode.
struct BarcodeFinding: Sendable, Hashable {
  /// The 13 digits, with a correct check digit.
  var isbn: String
  var box: Box
}

/// Finds the ISBNs of books among EAN-13 barcodes, which zxing-cpp reads.
enum BarcodeReader {
  /// The longest side of the searched copy, pixels. The finest bar of a barcode that is legible in the hand is still wide enough
  /// in it.
  static let longSide = 2400

  /// A photo whose longest side is below this, in pixels, and in which nothing was found is searched again at twice its size.
  static let smallSide = 1200

  static func isbns(in photo: UprightPhoto) -> [BarcodeFinding] {
    let longSide = max(photo.raster.width, photo.raster.height)
    let found = isbns(in: photo.raster, scale: min(1, Double(Self.longSide) / Double(longSide)))
    return found.isEmpty && longSide < smallSide ? isbns(in: photo.raster, scale: 2) : found
  }

  private static func isbns(in raster: Raster, scale: Double) -> [BarcodeFinding] {
    let (width, height) = (
      max(1, Int(Double(raster.width) * scale)), max(1, Int(Double(raster.height) * scale))
    )
    guard let copy = scale == 1 ? raster : try? raster.scaled(width: width, height: height) else { return [] }
    var found = [zxing_barcode](repeating: zxing_barcode(), count: 64)
    let count = zxing_read_ean13(copy.luma(), Int32(width), Int32(height), Int32(width), &found, 64)
    return found.prefix(Int(count)).compactMap { finding($0, scale) }
  }

  private static func finding(_ barcode: zxing_barcode, _ scale: Double) -> BarcodeFinding? {
    let digits = withUnsafeBytes(of: barcode.digits) { String(decoding: $0.prefix(13), as: UTF8.self) }
    guard isISBN(digits) else { return nil }
    let corners = withUnsafeBytes(of: barcode.corners) { Array($0.bindMemory(to: Int32.self)) }
    let points = stride(from: 0, to: 8, by: 2).map {
      Point(x: Double(corners[$0]) / scale, y: Double(corners[$0 + 1]) / scale)
    }
    let boxes = points.map { Box(x: $0.x, y: $0.y, width: 0, height: 0) }
    return Box.around(boxes).map { BarcodeFinding(isbn: digits, box: $0) }
  }

  /// Whether a text is an ISBN-13: 13 digits that begin with 978 or 979, but not with 9790 (music), with the check digit of ISO
  /// 2108.
  static func isISBN(_ text: String) -> Bool {
    let digits = text.utf8.map { Int($0) - 48 }
    guard digits.count == 13, digits.allSatisfy({ (0...9).contains($0) }) else { return false }
    guard text.hasPrefix("978") || (text.hasPrefix("979") && !text.hasPrefix("9790")) else { return false }
    return digits.enumerated().reduce(0) { $0 + $1.element * ($1.offset % 2 == 0 ? 1 : 3) } % 10 == 0
  }
}
