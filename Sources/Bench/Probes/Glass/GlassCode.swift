import CZXing
package import Imagery

/// A code that a screen shows to a camera: a number, and the time at which the previous number was first shown.
///
/// A picture is drawn before its vblank, so only the next picture can state when it was shown. The code is a QR code, which can be found anywhere in
/// the camera's picture, also turned and askew.
package struct GlassCode: Hashable, Sendable {
  /// The number, 0 to 999,999. After 999,999 it starts again at 0.
  package let number: Int
  /// The time at which the number before was first shown, in microseconds of `CLOCK_MONOTONIC` on the machine with the screen. Nil for the
  /// first number.
  package let before: Int64?

  package static let period = 1_000_000

  package init(number: Int, before: Int64?) {
    self.number = number
    self.before = before
  }

  /// The text, such as `SW:12:104223001500`, in characters that a QR code packs densely.
  package var text: String { "SW:\(number):\(before.map { "\($0)" } ?? "")" }

  /// Parses the text of a code. Nil for a foreign code.
  package init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "SW", let number = Int(parts[1]), (0..<Self.period).contains(number)
    else { return nil }
    if parts[2].isEmpty {
      self.init(number: number, before: nil)
    } else {
      guard let before = Int64(parts[2]), (0...Self.latest).contains(before) else { return nil }
      self.init(number: number, before: before)
    }
  }

  /// The latest accepted time, in microseconds: the latest that does not overflow in nanoseconds, 292 years.
  private static let latest = Int64.max / 1000

  /// The modules per side, and whether each is dark, row by row. Nil if the text is too long, which does not happen.
  private var modules: (side: Int, isDark: [Bool])? {
    var bytes = [UInt8](repeating: 0, count: 64 * 64)
    let side = Int(zxing_make_qr(text, &bytes, Int32(bytes.count)))
    return side > 0 ? (side, bytes.prefix(side * side).map { $0 != 0 }) : nil
  }

  /// Fills a BGRA picture with white, and draws the code in its centre, as large as possible with the margin of four modules that readers need.
  package func draw(into image: PixelBuffer) {
    guard image.format.pixelFormat == .bgra, let plane = image.planes.first, let (side, isDark) = modules
    else { return }
    let size = image.format.size
    let module = max(1, size.shortSide / (side + 8))
    let (left, top) = ((size.width - module * side) / 2, (size.height - module * side) / 2)
    for y in 0..<size.height {
      let row = (plane.base + y * plane.bytesPerRow).assumingMemoryBound(to: UInt32.self)
      for x in 0..<size.width { row[x] = 0xFFFF_FFFF }
      let line = (y - top) / module
      guard y >= top, line < side else { continue }
      for column in 0..<side where isDark[line * side + column] {
        for x in left + column * module..<left + (column + 1) * module where (0..<size.width).contains(x) {
          row[x] = 0xFF00_0000
        }
      }
    }
  }

  /// Finds a code anywhere in luma.
  /// - Parameter luma: one byte per pixel, row by row.
  package static func read(luma: [UInt8], width: Int, height: Int) -> GlassCode? {
    guard width > 0, height > 0, luma.count >= width * height else { return nil }
    var text = [CChar](repeating: 0, count: 64)
    let length = zxing_read_qr(
      luma, Int32(width), Int32(height), Int32(width), &text, Int32(text.count))
    guard length > 0 else { return nil }
    return GlassCode(String(decoding: text.prefix(Int(length)).map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }
}
