import CYUV

/// A packed 8-bit picture that is being written: BGRA or RGBA bytes.
struct PackedPixels {
  let base: UnsafeMutablePointer<UInt8>
  let bytesPerRow: Int
  let isRGBA: Bool

  func from(x: Int, y: Int) -> PackedPixels {
    PackedPixels(base: base + y * bytesPerRow + x * 4, bytesPerRow: bytesPerRow, isRGBA: isRGBA)
  }

  var stride: Int32 { Int32(bytesPerRow) }
}

extension ColorDescription {
  /// libyuv's table, corrected, for BGRA or RGBA bytes; nil if libyuv has none that is exact enough.
  func constants(isRGBA: Bool) -> UnsafePointer<YuvConstants>? {
    let index: Int32 =
      switch matrix {
      case .bt601: 0
      case .bt709: 1
      case .bt2020: 2
      }
    return cyuv_constants(index, range == .full ? 1 : 0, isRGBA ? 1 : 0)
  }
}

extension PlanarImage {
  /// Writes the picture as RGB; chroma samples are repeated for the luma that they cover. Each code differs by at most one from the exact
  /// matrix.
  /// - Parameter rows: memory for one row, used if libyuv is not exact enough for the colours.
  func writeRGB(_ pixels: PackedPixels, rows: Scratch) throws(ImageError) {
    guard let constants = color.constants(isRGBA: pixels.isRGBA), !sampling.isMonochrome,
      sampling.horizontal <= 2, sampling != .s440
    else { return try writeExactRGB(pixels, rows) }
    let (y, cb, cr) = (planes[0], planes[1], planes[2])
    // With Cb and Cr swapped, blue and red are swapped too.
    let (u, v) = pixels.isRGBA ? (cr, cb) : (cb, cr)
    let convert =
      switch sampling {
      case .s444: I444ToARGBMatrix
      case .s422: I422ToARGBMatrix
      default: I420ToARGBMatrix
      }
    _ = convert(
      y.pointer, y.stride, u.pointer, u.stride, v.pointer, v.stride, pixels.base, pixels.stride, constants,
      Int32(size.width), Int32(size.height))
  }

  private func writeExactRGB(_ pixels: PackedPixels, _ rows: Scratch) throws(ImageError) {
    let matrix = RGBFromCodes(color, bits: 8)
    try matrix.convert(width: size.width, height: size.height, into: pixels, rows: rows) { y, lines in
      loadCodes(
        planes[0].row(y), step: 1, shift: 0, zero: matrix.black, count: size.width, repeats: 1,
        into: lines.luma)
      loadChroma(1, y, zero: matrix.chromaZero, into: lines.cb)
      loadChroma(2, y, zero: matrix.chromaZero, into: lines.cr)
    }
  }

  /// Loads the chroma of row `y`, repeated for each luma sample, minus its zero.
  private func loadChroma(_ plane: Int, _ y: Int, zero: Int16, into line: UnsafeMutablePointer<Int16>) {
    guard !sampling.isMonochrome else { return line.update(repeating: 0, count: size.width) }
    let (across, row) = (sampling.horizontal, planes[plane].row(y / sampling.vertical))
    let whole = size.width / across
    loadCodes(row, step: 1, shift: 0, zero: zero, count: whole, repeats: across, into: line)
    for x in whole * across..<size.width { line[x] = Int16(row[whole]) - zero }
  }
}

/// Converts 10-bit pictures to RGB directly: with chroma reduced to 8 bits first, results would be up to two codes off.
///
/// A look is applied to the 10-bit codes, before they become bytes: a steep curve would otherwise show the steps of 8 bits.
struct TenBitRGB {
  private let matrix: RGBFromCodes
  private let look: ColorLookup?
  private let rows: Scratch

  /// - Parameter rows: memory for one row.
  init(_ color: ColorDescription, look: ColorLookup? = nil, rows: Scratch) {
    matrix = RGBFromCodes(color, bits: 10, most: look == nil ? 255 : 1023)
    self.look = look
    self.rows = rows
  }

  /// - Parameter region: within the picture, with an even origin.
  func write(
    _ image: PixelBuffer, _ region: AspectFill.Region, pixels: PackedPixels
  ) throws(ImageError) {
    let (width, height) = (region.size.width, region.size.height)
    guard let look else {
      return try matrix.convert(width: width, height: height, into: pixels, rows: rows) {
        load(image, region, row: $0, lines: $1)
      }
    }
    try matrix.convertWide(width: width, height: height, rows: rows) {
      load(image, region, row: $0, lines: $1)
    } use: { y, row in
      look.tables.narrowing.convert(
        row, width: width, isRGBA: pixels.isRGBA, into: pixels.base + y * pixels.bytesPerRow)
    }
  }

  /// Converts the whole picture with the look to 10-bit RGB, and passes it to `use` row by row.
  /// - Precondition: there is a look.
  func convertWide(_ image: PixelBuffer, use: (_ y: Int, _ row: WideRow) -> Void) throws(ImageError) {
    let whole = AspectFill.Region(x: 0, y: 0, size: image.format.size)
    try matrix.convertWide(width: whole.size.width, height: whole.size.height, rows: rows) {
      load(image, whole, row: $0, lines: $1)
    } use: { y, row in
      look?.tables.words.convert(row, width: whole.size.width)
      use(y, row)
    }
  }

  private func load(
    _ image: PixelBuffer, _ region: AspectFill.Region, row: Int, lines: RGBFromCodes.Lines
  ) {
    let (isP010, y) = (image.format.pixelFormat == .p010, region.y + row)
    let words = image.planes[0].words(y) + region.x * (isP010 ? 1 : 2)
    if isP010 {
      loadP010(words, image.planes[1].words(y / 2) + region.x, width: region.size.width, lines: lines)
    } else {
      loadY210(words, region.size.width, lines: lines)
    }
  }

  private func loadP010(
    _ luma: UnsafePointer<UInt16>, _ pairs: UnsafePointer<UInt16>, width: Int, lines: RGBFromCodes.Lines
  ) {
    let (black, zero, half) = (matrix.black, matrix.chromaZero, (width + 1) / 2)
    loadCodes(luma, step: 1, shift: 6, zero: black, count: width, repeats: 1, into: lines.luma)
    loadCodes(pairs, step: 2, shift: 6, zero: zero, count: half, repeats: 2, into: lines.cb)
    loadCodes(pairs + 1, step: 2, shift: 6, zero: zero, count: half, repeats: 2, into: lines.cr)
  }

  private func loadY210(_ words: UnsafePointer<UInt16>, _ width: Int, lines: RGBFromCodes.Lines) {
    let (black, zero, half) = (matrix.black, matrix.chromaZero, (width + 1) / 2)
    loadCodes(words, step: 2, shift: 6, zero: black, count: width, repeats: 1, into: lines.luma)
    loadCodes(words + 1, step: 4, shift: 6, zero: zero, count: half, repeats: 2, into: lines.cb)
    loadCodes(words + 3, step: 4, shift: 6, zero: zero, count: half, repeats: 2, into: lines.cr)
  }
}
