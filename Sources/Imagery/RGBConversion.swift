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
    let (across, down) = (sampling.horizontal, sampling.vertical)
    matrix.convert(width: size.width, height: size.height, into: pixels) { y, lines in
      loadCodes(
        planes[0].row(y), step: 1, shift: 0, zero: matrix.black, count: size.width, repeats: 1,
        into: lines.luma)
      for (plane, line) in [(1, lines.cb), (2, lines.cr)] {
        guard !sampling.isMonochrome else {
          line.update(repeating: 0, count: size.width)
          continue
        }
        loadCodes(
          planes[plane].row(y / down), step: 1, shift: 0, zero: matrix.chromaZero,
          count: size.width / across, repeats: across, into: line)
        guard size.width % across > 0 else { continue }
        let last = Int16(planes[plane].row(y / down)[size.width / across]) - matrix.chromaZero
        for x in size.width / across * across..<size.width { line[x] = last }
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
    matrix.convert(width: region.size.width, height: region.size.height, into: pixels) { row, lines in
      let y = region.y + row
      let words = image.planes[0].words(y) + region.x * (isP010 ? 1 : 2)
      if isP010 {
        loadP010(words, image.planes[1].words(y / 2) + region.x, region.size.width, lines)
      } else {
        loadY210(words, region.size.width, lines)
      }
    }
  }

  private func loadP010(
    _ luma: UnsafePointer<UInt16>, _ pairs: UnsafePointer<UInt16>, _ width: Int, _ lines: RGBFromCodes.Lines
  ) {
    let (black, zero, half) = (matrix.black, matrix.chromaZero, (width + 1) / 2)
    loadCodes(luma, step: 1, shift: 6, zero: black, count: width, repeats: 1, into: lines.luma)
    loadCodes(pairs, step: 2, shift: 6, zero: zero, count: half, repeats: 2, into: lines.cb)
    loadCodes(pairs + 1, step: 2, shift: 6, zero: zero, count: half, repeats: 2, into: lines.cr)
  }

  private func loadY210(_ words: UnsafePointer<UInt16>, _ width: Int, _ lines: RGBFromCodes.Lines) {
    let (black, zero, half) = (matrix.black, matrix.chromaZero, (width + 1) / 2)
    loadCodes(words, step: 2, shift: 6, zero: black, count: width, repeats: 1, into: lines.luma)
    loadCodes(words + 1, step: 4, shift: 6, zero: zero, count: half, repeats: 2, into: lines.cb)
    loadCodes(words + 3, step: 4, shift: 6, zero: zero, count: half, repeats: 2, into: lines.cr)
  }
}
