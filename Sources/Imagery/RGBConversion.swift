import CYUV

/// A packed 8-bit picture being written: BGRA or RGBA bytes.
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
  /// libyuv's table, corrected, for BGRA or RGBA bytes; nil when it has none that is good enough.
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
  /// Writes the picture as RGB; chroma samples are repeated for the luma they cover. At most one code from the exact
  /// matrix.
  func writeRGB(_ pixels: PackedPixels) {
    guard let constants = color.constants(isRGBA: pixels.isRGBA), !sampling.isMonochrome,
      sampling.horizontal <= 2, sampling != .s440
    else { return writeExactRGB(pixels) }
    let (y, cb, cr) = (planes[0], planes[1], planes[2])
    // With Cb and Cr swapped, blue and red swap places.
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

  private func writeExactRGB(_ pixels: PackedPixels) {
    let matrix = RGBFromCodes(color, bits: 8)
    if sampling.isMonochrome { return writeGrey(pixels) }
    for row in 0..<size.height {
      writeExactRow(row, matrix, pixels)
    }
  }

  private func writeExactRow(_ row: Int, _ matrix: RGBFromCodes, _ pixels: PackedPixels) {
    let chromaRow = row / sampling.vertical
    matrix.row(
      luma: planes[0].row(row), step: 1, cb: planes[1].row(chromaRow), cr: planes[2].row(chromaRow),
      chromaStep: 1, chromaShift: sampling.horizontal.trailingZeroBitCount, shift: 0, width: size.width,
      into: pixels.base + row * pixels.bytesPerRow, isRGBA: pixels.isRGBA)
  }

  private func writeGrey(_ pixels: PackedPixels) {
    let matrix = RGBFromCodes(color, bits: 8)
    for row in 0..<size.height {
      let (source, target) = (planes[0].row(row), pixels.base + row * pixels.bytesPerRow)
      for x in 0..<size.width {
        let value = clampedToByte(((Int32(source[x]) &- matrix.black) &* matrix.luma &+ 8192) &>> 14)
        let pixel = target + x &* 4
        (pixel[0], pixel[1], pixel[2], pixel[3]) = (value, value, value, 255)
      }
    }
  }
}

/// 10-bit pictures → RGB straight from their codes: chroma cut to 8 bits first would be up to two codes off.
struct TenBitRGB {
  private let matrix: RGBFromCodes

  init(_ color: ColorDescription) { matrix = RGBFromCodes(color, bits: 10) }

  /// - Parameter region: within the picture, its origin even.
  func write(_ image: PixelBuffer, _ region: AspectFill.Region, _ pixels: PackedPixels) {
    let isP010 = image.format.pixelFormat == .p010
    for row in 0..<region.size.height {
      let y = region.y + row
      let target = pixels.base + row * pixels.bytesPerRow
      if isP010 {
        let pairs = image.planes[1].words(y / 2) + region.x
        matrix.row(
          luma: image.planes[0].words(y) + region.x, step: 1, cb: pairs, cr: pairs + 1, chromaStep: 2,
          chromaShift: 1, shift: 6, width: region.size.width, into: target, isRGBA: pixels.isRGBA)
      } else {
        let words = image.planes[0].words(y) + region.x * 2
        matrix.row(
          luma: words, step: 2, cb: words + 1, cr: words + 3, chromaStep: 4, chromaShift: 1, shift: 6,
          width: region.size.width, into: target, isRGBA: pixels.isRGBA)
      }
    }
  }
}
