import CYUV

/// Converts codes to 8-bit RGB in 14-bit fixed point, exact except for rounding: for 10 bits, and wherever libyuv is not exact enough.
struct RGBFromCodes {
  private let luma, redFromCr, greenFromCb, greenFromCr, blueFromCb: Int16
  let black, chromaZero: Int16

  /// - Parameters:
  ///   - bits: the number of bits of a code, 8 or 10.
  ///   - most: the code of white: 255, or 1023 for `convertWide` with 10 bits.
  init(_ color: ColorDescription, bits: Int, most: Int = 255) {
    let matrix = YCbCrMatrix(color)
    // 10-bit limited codes are the 8-bit ones times 4; full range runs to 1023.
    let steps = bits == 8 ? 1.0 : color.range == .limited ? 4 : 1023.0 / 255
    let lumaUnit = Double(most) * Self.one / (matrix.lumaSpan * steps)
    let chromaUnit = Double(most) * Self.one / (matrix.chromaSpan * steps)
    luma = Int16(lumaUnit.rounded())
    redFromCr = Int16((matrix.redFromCr * chromaUnit).rounded())
    greenFromCb = Int16((matrix.greenFromCb * chromaUnit).rounded())
    greenFromCr = Int16((matrix.greenFromCr * chromaUnit).rounded())
    blueFromCb = Int16((matrix.blueFromCb * chromaUnit).rounded())
    black = Int16(matrix.black) << Int16(bits - 8)
    chromaZero = 128 << Int16(bits - 8)
  }

  /// No coefficient reaches 4, so 13 bits of fraction fit.
  private static let one = 8192.0

  /// The codes of one row, with chroma repeated for each luma sample, minus their zero; and the resulting RGB.
  struct Lines {
    let luma, cb, cr: UnsafeMutablePointer<Int16>
    fileprivate let red, green, blue: UnsafeMutablePointer<UInt8>
  }

  /// Converts `height` rows: `load` provides the codes of row y, at least `width` of each kind.
  /// - Parameter rows: memory for one row.
  func convert(
    width: Int, height: Int, into pixels: PackedPixels, rows: Scratch,
    load: (_ y: Int, _ lines: Lines) -> Void
  ) throws(ImageError) {
    let length = (width + 1).aligned(to: 64)
    let base = try rows.reserve(length * 9)
    let words = base.bindMemory(to: Int16.self, capacity: length * 3)
    let bytes = (base + length * 6).bindMemory(to: UInt8.self, capacity: length * 3)
    let lines = Lines(
      luma: words, cb: words + length, cr: words + 2 * length, red: bytes, green: bytes + length,
      blue: bytes + 2 * length)
    for y in 0..<height {
      load(y, lines)
      mix(lines.luma, luma, b: lines.cr, q: redFromCr, width: width, bytes: lines.red)
      mix(
        lines.luma, luma, b: lines.cb, q: greenFromCb, c: lines.cr, r: greenFromCr, width: width,
        bytes: lines.green)
      mix(lines.luma, luma, b: lines.cb, q: blueFromCb, width: width, bytes: lines.blue)
      let (first, last) = pixels.isRGBA ? (lines.blue, lines.red) : (lines.red, lines.blue)
      let row = pixels.base + y * pixels.bytesPerRow
      MergeARGBPlane(first, 0, lines.green, 0, last, 0, nil, 0, row, 0, Int32(width), 1)
    }
  }
}

extension RGBFromCodes {
  /// Like `convert`, but passes on each row in words without clamping; the reader must clamp them.
  /// - Parameter rows: memory for one row.
  func convertWide(
    width: Int, height: Int, rows: Scratch, load: (_ y: Int, _ lines: Lines) -> Void,
    use: (_ y: Int, _ row: WideRow) -> Void
  ) throws(ImageError) {
    let length = (width + 1).aligned(to: 64)
    let base = try rows.reserve(length * 12)
    let words = base.bindMemory(to: Int16.self, capacity: length * 6)
    // The bytes of `Lines` are not written here.
    let bytes = base.assumingMemoryBound(to: UInt8.self)
    let lines = Lines(
      luma: words, cb: words + length, cr: words + 2 * length, red: bytes, green: bytes, blue: bytes)
    let row = WideRow(red: words + 3 * length, green: words + 4 * length, blue: words + 5 * length)
    for y in 0..<height {
      load(y, lines)
      mixWide(lines.luma, luma, b: lines.cr, q: redFromCr, width: width, words: row.red)
      mixWide(
        lines.luma, luma, b: lines.cb, q: greenFromCb, c: lines.cr, r: greenFromCr, width: width,
        words: row.green)
      mixWide(lines.luma, luma, b: lines.cb, q: blueFromCb, width: width, words: row.blue)
      use(y, row)
    }
  }
}

@inline(never)
private func mixWide(
  _ a: UnsafePointer<Int16>, _ p: Int16, b: UnsafePointer<Int16>, q: Int16, width: Int,
  words: UnsafeMutablePointer<Int16>
) {
  for x in 0..<width {
    words[x] = Int16(
      truncatingIfNeeded: ((Int32(a[x]) &* Int32(p) &+ Int32(b[x]) &* Int32(q)) &+ 4096) &>> 13)
  }
}

@inline(never)
private func mixWide(
  _ a: UnsafePointer<Int16>, _ p: Int16, b: UnsafePointer<Int16>, q: Int16, c: UnsafePointer<Int16>,
  r: Int16, width: Int, words: UnsafeMutablePointer<Int16>
) {
  for x in 0..<width {
    let sum = (Int32(a[x]) &* Int32(p) &+ Int32(b[x]) &* Int32(q)) &+ Int32(c[x]) &* Int32(r)
    words[x] = Int16(truncatingIfNeeded: (sum &+ 4096) &>> 13)
  }
}

// Each loop is a function of its own, with products in pairs: see `Resampler.swift`.

@inline(never)
private func mix(
  _ a: UnsafePointer<Int16>, _ p: Int16, b: UnsafePointer<Int16>, q: Int16, width: Int,
  bytes: UnsafeMutablePointer<UInt8>
) {
  for x in 0..<width {
    bytes[x] = clampedToByte(((Int32(a[x]) &* Int32(p) &+ Int32(b[x]) &* Int32(q)) &+ 4096) &>> 13)
  }
}

@inline(never)
private func mix(
  _ a: UnsafePointer<Int16>, _ p: Int16, b: UnsafePointer<Int16>, q: Int16, c: UnsafePointer<Int16>,
  r: Int16, width: Int, bytes: UnsafeMutablePointer<UInt8>
) {
  for x in 0..<width {
    let sum = (Int32(a[x]) &* Int32(p) &+ Int32(b[x]) &* Int32(q)) &+ Int32(c[x]) &* Int32(r)
    bytes[x] = clampedToByte((sum &+ 4096) &>> 13)
  }
}

/// Loads every `step`th sample, shifted right and minus `zero`, written `repeats` times. With literal steps it becomes SIMD code.
@inline(__always)
func loadCodes<Sample: FixedWidthInteger & UnsignedInteger>(
  _ samples: UnsafePointer<Sample>, step: Int, shift: Sample, zero: Int16, count: Int, repeats: Int,
  into line: UnsafeMutablePointer<Int16>
) {
  for index in 0..<count {
    let code = Int16(truncatingIfNeeded: samples[index &* step] &>> shift) &- zero
    for place in 0..<repeats { line[index &* repeats &+ place] = code }
  }
}
