/// The arithmetic of Y′CbCr in floating point, from the definitions (ITU-R BT.601-7, BT.709-6, BT.2020-2 non-constant
/// luminance; the full range of ITU-T T.871).
struct YCbCrMatrix {
  /// The luma weights of red, green and blue.
  let (red, green, blue): (Double, Double, Double)
  /// The code of black, the steps from black to white, and the steps from −0.5 to 0.5 of chroma, at 8 bits.
  let (black, lumaSpan, chromaSpan): (Double, Double, Double)

  init(_ color: ColorDescription) {
    (red, blue) =
      switch color.matrix {
      case .bt601: (0.299, 0.114)
      case .bt709: (0.2126, 0.0722)
      case .bt2020: (0.2627, 0.0593)
      }
    green = 1 - red - blue
    (black, lumaSpan, chromaSpan) = color.range == .full ? (0, 255, 255) : (16, 219, 224)
  }

  /// The red per unit of Cr, for Cr in −0.5...0.5.
  var redFromCr: Double { 2 * (1 - red) }
  /// The blue per unit of Cb, for Cb in −0.5...0.5.
  var blueFromCb: Double { 2 * (1 - blue) }
  /// The green per unit of Cb, for Cb in −0.5...0.5.
  var greenFromCb: Double { -blueFromCb * blue / green }
  /// The green per unit of Cr, for Cr in −0.5...0.5.
  var greenFromCr: Double { -redFromCr * red / green }
}

/// Converts RGB to codes of the same depth, 8 or 10 bits, in 16-bit fixed point.
struct CodesFromRGB {
  let (lumaRed, lumaGreen, lumaBlue): (Int32, Int32, Int32)
  let (cbRed, cbGreen, crGreen, crBlue, chromaHalf): (Int32, Int32, Int32, Int32, Int32)
  let black: Int32
  /// The code of zero chroma (128, or 512 for 10 bits) in fixed point, plus one half for rounding.
  private let chromaZero: Int32

  init(_ color: ColorDescription, bits: Int = 8) {
    let matrix = YCbCrMatrix(color)
    // 10-bit limited codes are the 8-bit ones times 4, while white is 1023 instead of 255.
    let steps = bits == 10 && color.range == .limited ? 4 * 255.0 / 1023 : 1
    let luma = matrix.lumaSpan * steps / 255 * 65536
    let chroma = matrix.chromaSpan * steps / 255 * 65536
    lumaRed = Int32((matrix.red * luma).rounded())
    lumaBlue = Int32((matrix.blue * luma).rounded())
    lumaGreen = Int32(luma.rounded()) - lumaRed - lumaBlue  // White is exactly white.
    chromaHalf = Int32((chroma / 2).rounded())
    cbRed = Int32((matrix.red / matrix.blueFromCb * chroma).rounded())
    cbGreen = chromaHalf - cbRed  // Grey is exactly grey.
    crBlue = Int32((matrix.blue / matrix.redFromCr * chroma).rounded())
    crGreen = chromaHalf - crBlue
    black = Int32(matrix.black) << Int32(16 + bits - 8)
    chromaZero = (128 << Int32(16 + bits - 8)) + 32768
  }

  /// The codes of one pixel, in the depth of this converter; not clamped.
  @inline(__always)
  func codes(_ r: Int32, _ g: Int32, b: Int32) -> (luma: Int32, cb: Int32, cr: Int32) {
    (
      (r &* lumaRed &+ g &* lumaGreen &+ b &* lumaBlue &+ black &+ 32768) &>> 16,
      (b &* chromaHalf &- r &* cbRed &- g &* cbGreen &+ chromaZero) &>> 16,
      (r &* chromaHalf &- g &* crGreen &- b &* crBlue &+ chromaZero) &>> 16
    )
  }

  func row(
    _ pixels: UnsafePointer<UInt8>, isRGBA: Bool, width: Int, luma: UnsafeMutablePointer<UInt8>,
    cb: UnsafeMutablePointer<UInt8>, cr: UnsafeMutablePointer<UInt8>
  ) {
    let (redAt, blueAt) = isRGBA ? (0, 2) : (2, 0)
    for x in 0..<width {
      let pixel = pixels + x &* 4
      let (r, g, b) = (Int32(pixel[redAt]), Int32(pixel[1]), Int32(pixel[blueAt]))
      let codes = codes(r, g, b: b)
      luma[x] = clampedToByte(codes.luma)
      cb[x] = clampedToByte(codes.cb)
      cr[x] = clampedToByte(codes.cr)
    }
  }
}

@inline(__always) func clampedToByte(_ value: Int32) -> UInt8 {
  UInt8(truncatingIfNeeded: value < 0 ? 0 : value > 255 ? 255 : value)
}
