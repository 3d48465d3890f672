public import Imagery

/// A number drawn into a picture so that it survives scaling, rotation, mirroring and JPEG, and can be read back from the final picture.
///
/// Eight by eight cells, dark or light. Two by two cells in each corner are fixed: they give the levels, and prove that the reader looks at a code in
/// the right orientation. The other 48 cells hold 32 bits of value, most significant first, and their CRC-16/IBM-3740 (polynomial 0x1021, initial
/// 0xFFFF), exclusive-ored with a fixed pattern so that small numbers have as many edges as large ones. The CRC detects every error burst of up to
/// 16 cells, so a picture torn between two numbers is refused, not misread.
public enum TimeCode {
  /// Cells per side. Reading a code takes about 3 pixels per cell: 24 × 24 pixels.
  public static let side = 8

  /// Luma of dark cells. It lies inside 16–235, so that neither range clips it.
  static let darkLevel: UInt8 = 24
  /// Luma of light cells. It lies inside 16–235, so that neither range clips it.
  static let lightLevel: UInt8 = 228

  /// Fixed corner cells, row by row: 1 light, 0 dark; nil carries data. Each of the seven other orientations differs in at least 8 of these 16.
  static let anchors: [Bool?] = pattern([
    "11....11",
    "10....10",
    "........",
    "........",
    "........",
    "........",
    "00....10",
    "01....00",
  ])

  private static let whitening: UInt64 = 0x9A5C_63E1_36CA

  private static func pattern(_ rows: [String]) -> [Bool?] {
    rows.joined().map { $0 == "." ? nil : $0 == "1" }
  }

  /// Draws a code into a luma plane, or into all three colours of a four-byte format.
  /// - Parameters:
  ///   - rect: the place of the code, in pixels of the stored picture; sides that are multiples of 8 give even cells. Parts outside the plane
  ///     are not drawn.
  ///   - luma: the luma plane, or the only plane of a packed format. Chroma is not changed: make it neutral (128).
  ///   - pixelStride: bytes from pixel to pixel: 1 planar, 2 YUYV, 4 BGRA or RGBA.
  public static func draw(_ value: UInt32, in rect: ChartRect, luma: Plane, pixelStride: Int) {
    let cells = cells(of: value)
    ChartPainter(luma: luma, pixelStride: pixelStride).paint(side: side, in: rect) {
      cells[$0] ? lightLevel : darkLevel
    }
  }

  /// Returns whether each cell is light, row by row.
  static func cells(of value: UInt32) -> [Bool] {
    var word = (UInt64(value) << 16 | UInt64(checksum(of: value))) ^ whitening
    word <<= 16
    return anchors.map { anchor in
      if let anchor { return anchor }
      defer { word <<= 1 }
      return word >> 63 == 1
    }
  }

  /// Reads the code in a picture.
  /// - Parameters:
  ///   - image: a picture of any uncompressed format.
  ///   - corners: the places of the drawn code's corners in this picture, in pixels.
  /// - Returns: the number; nil if no undamaged code is visible.
  public static func read(from image: PixelBuffer, corners: ChartCorners) -> UInt32? {
    withExtendedLifetime(image) {
      guard let sampler = LumaSampler(image), corners.isInside(sampler.size) else { return nil }
      return value(of: sampler.cells(side: side, corners: corners))
    }
  }

  static func value(of levels: [Double]) -> UInt32? {
    guard let threshold = threshold(of: levels) else { return nil }
    var word: UInt64 = 0
    for (anchor, level) in zip(anchors, levels) {
      let isLight = level > threshold
      if let anchor {
        if anchor != isLight { return nil }
      } else {
        word = word << 1 | (isLight ? 1 : 0)
      }
    }
    word ^= whitening
    let value = UInt32(word >> 16)
    return UInt16(truncatingIfNeeded: word) == checksum(of: value) ? value : nil
  }

  /// Returns the level halfway between the light and the dark anchors. Nil if they hardly differ.
  private static func threshold(of levels: [Double]) -> Double? {
    var (light, dark) = (0.0, 0.0)
    for (anchor, level) in zip(anchors, levels) {
      guard let anchor else { continue }
      if anchor { light += level } else { dark += level }
    }
    // Eight anchors are light, eight are dark.
    return light - dark >= 8 * 24 ? (light + dark) / 16 : nil
  }

  /// Returns the CRC-16/IBM-3740 of the four bytes, most significant first.
  static func checksum(of value: UInt32) -> UInt16 {
    var remainder: UInt16 = 0xFFFF
    for shift in [24, 16, 8, 0] {
      remainder ^= UInt16(truncatingIfNeeded: value >> UInt32(shift) & 0xFF) << 8
      for _ in 0..<8 {
        remainder = remainder & 0x8000 == 0 ? remainder << 1 : remainder << 1 ^ 0x1021
      }
    }
    return remainder
  }
}
