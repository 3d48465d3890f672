import CYUV

/// A conversion between ranges of RGB codes. V4L2 gives RGB its own quantisation (`V4L2_QUANTIZATION_LIM_RANGE`: black 16, white 235 in each of
/// red, green and blue), which HDMI sources of films and broadcasts use.
struct RGBRange {
  /// The new code for each code, for each byte of a BGRA or RGBA pixel; alpha stays.
  private let table: [UInt8]

  /// From limited codes to full ones; codes beyond black and white are clipped.
  static let expanding = RGBRange { (Double($0) - 16) * 255 / 219 }
  /// From full codes to limited ones.
  static let compressing = RGBRange { Double($0) * 219 / 255 + 16 }

  /// The conversion from `source` to `destination`; nil if they are the same.
  static func change(from source: ColorRange, to destination: ColorRange) -> RGBRange? {
    source == destination ? nil : destination == .full ? expanding : compressing
  }

  private init(_ code: (Int) -> Double) {
    table = (0...255).flatMap { old in
      let new = UInt8(min(max(code(old).rounded(), 0), 255))
      return [new, new, new, UInt8(old)]
    }
  }

  func apply(to pixels: PackedPixels, _ size: PixelSize) { Self.apply(table, to: pixels, size) }

  /// - Parameter table: the new code for each code, for each byte of a pixel: 256 times four.
  static func apply(_ table: [UInt8], to pixels: PackedPixels, _ size: PixelSize) {
    _ = table.withUnsafeBufferPointer { table in
      ARGBColorTable(
        pixels.base, pixels.stride, table.baseAddress, 0, 0, Int32(size.width), Int32(size.height))
    }
  }
}

extension Scratch {
  /// The pixels of an RGB or Bayer picture in full range: in place if possible, otherwise a copy, as RGBA for an RGBA picture and as
  /// BGRA for any other.
  func full(_ image: PixelBuffer) throws(ImageError) -> Plane {
    let change = RGBRange.change(from: image.format.color.range, to: .full)
    let isPlain = image.format.pixelFormat == .bgra || image.format.pixelFormat == .rgba
    if isPlain, change == nil { return image.planes[0] }
    let (size, bytesPerRow) = (image.format.size, (image.format.size.width * 4).aligned(to: 64))
    let copy = Plane(
      base: try reserve(bytesPerRow * size.height), bytesPerRow: bytesPerRow, height: size.height)
    let pixels = PackedPixels(base: copy.pointer, bytesPerRow: bytesPerRow, isRGBA: image.packed.isRGBA)
    image.writePacked(AspectFill.Region(x: 0, y: 0, size: size), into: pixels)
    change?.apply(to: pixels, size)
    return copy
  }
}
