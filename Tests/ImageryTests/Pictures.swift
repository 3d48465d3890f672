import Foundation
import Imagery
import System

/// Pictures and reference implementations that these tests share.
enum Pictures {
  static let data = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../shared/data").standardizedFileURL

  static func hasData(_ folder: String) -> Bool {
    FileManager.default.fileExists(atPath: data.appending(path: folder).path)
  }

  /// Returns every regular file below a folder of the shared data, sorted.
  static func files(_ folder: String) -> [URL] {
    let walk = FileManager.default.enumerator(
      at: data.appending(path: folder), includingPropertiesForKeys: [.isRegularFileKey])
    let urls = (walk?.allObjects ?? []).compactMap { $0 as? URL }
    return urls.filter { (try? $0.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true }
      .sorted { $0.path < $1.path }
  }

  static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: data.appending(path: path)))
  }

  /// Returns a picture in which every visible byte is `value(plane, x, y)`, with x in bytes.
  static func raw(
    _ pixelFormat: PixelFormat, _ width: Int, _ height: Int,
    _ color: ColorDescription = ColorDescription(matrix: .bt709, range: .limited),
    _ value: (Int, Int, Int) -> UInt8
  ) throws -> PixelBuffer {
    let format = ImageFormat(
      pixelFormat: pixelFormat, size: PixelSize(width: width, height: height), color: color)
    let buffer = try PixelBufferPool().makeBuffer(format)
    for (index, layout) in try format.planeLayout().enumerated() {
      let plane = buffer.planes[index]
      for y in 0..<layout.height {
        for x in 0..<layout.bytesPerRow {
          plane.base.storeBytes(
            of: value(index, x, y), toByteOffset: y * plane.bytesPerRow + x, as: UInt8.self)
        }
      }
    }
    return buffer
  }

  /// Returns the positions in the first plane of luma samples, or of the first colour in RGB: every `step`-th sample from `first`
  /// on.
  static func luma(_ format: PixelFormat) -> (step: Int, first: Int) {
    switch format {
    case .nv12, .nv21, .nv16, .i420, .yv12, .i422, .i444, .grey, .p010, .mjpeg, .bayerBGGR, .bayerGBRG,
      .bayerGRBG, .bayerRGGB:
      (1, 0)
    case .yuyv, .yvyu, .y210: (2, 0)
    case .uyvy: (2, 1)
    case .bgra, .rgba, .xrgb: (4, 0)
    case .rgb24, .bgr24: (3, 0)
    }
  }

  /// Whether the format stores each sample in two bytes.
  static func isWide(_ format: PixelFormat) -> Bool { [.p010, .y210].contains(format) }

  static func surface(_ width: Int, _ height: Int, _ pixelFormat: PixelFormat = .rgba) throws -> PixelBuffer {
    try raw(pixelFormat, width, height, .jpeg) { _, _, _ in 7 }
  }

  static func jpeg(_ bytes: [UInt8], _ size: PixelSize) throws -> PixelBuffer {
    try bytes.withUnsafeBytes {
      try PixelBufferPool().makeBuffer(
        ImageFormat(pixelFormat: .mjpeg, size: size, color: .jpeg), compressed: $0)
    }
  }

  /// Returns red, green and blue of a pixel of an RGB picture.
  static func rgb(_ image: PixelBuffer, _ x: Int, _ y: Int) -> [Int] {
    let pixel = image.planes[0].base + y * image.planes[0].bytesPerRow + x * 4
    let bytes = (0..<4).map { Int(pixel.load(fromByteOffset: $0, as: UInt8.self)) }
    return image.format.pixelFormat == .rgba
      ? [bytes[0], bytes[1], bytes[2]] : [bytes[2], bytes[1], bytes[0]]
  }

  /// Returns a byte that looks random but is reproducible.
  static func noise(_ a: Int, _ b: Int, _ c: Int) -> UInt8 {
    var x = UInt64(truncatingIfNeeded: a &* 73_856_093 ^ b &* 19_349_663 ^ c &* 83_492_791)
    x = (x ^ x >> 30) &* 0xBF58_476D_1CE4_E5B9
    x = (x ^ x >> 27) &* 0x94D0_49BB_1331_11EB
    return UInt8(truncatingIfNeeded: x ^ x >> 31)
  }
}

/// The exact conversion Y′CbCr → RGB in double precision, independent of the engine's.
enum Reference {
  /// Returns the Y′CbCr codes at a luma site, with repeated chroma. 10-bit codes are not reduced.
  static func codes(_ image: PixelBuffer, _ x: Int, _ y: Int) -> (y: Double, u: Double, v: Double) {
    func byte(_ plane: Int, _ row: Int, _ at: Int) -> Double {
      let plane = image.planes[plane]
      return Double((plane.base + row * plane.bytesPerRow).load(fromByteOffset: at, as: UInt8.self))
    }
    func word(_ plane: Int, _ row: Int, _ at: Int) -> Double {
      let plane = image.planes[plane]
      return Double((plane.base + row * plane.bytesPerRow).load(fromByteOffset: at * 2, as: UInt16.self) >> 6)
    }
    switch image.format.pixelFormat {
    case .nv12: return (byte(0, y, x), byte(1, y / 2, x / 2 * 2), byte(1, y / 2, x / 2 * 2 + 1))
    case .nv21: return (byte(0, y, x), byte(1, y / 2, x / 2 * 2 + 1), byte(1, y / 2, x / 2 * 2))
    case .nv16: return (byte(0, y, x), byte(1, y, x / 2 * 2), byte(1, y, x / 2 * 2 + 1))
    case .i420: return (byte(0, y, x), byte(1, y / 2, x / 2), byte(2, y / 2, x / 2))
    case .yv12: return (byte(0, y, x), byte(2, y / 2, x / 2), byte(1, y / 2, x / 2))
    case .i422: return (byte(0, y, x), byte(1, y, x / 2), byte(2, y, x / 2))
    case .i444: return (byte(0, y, x), byte(1, y, x), byte(2, y, x))
    case .yuyv: return (byte(0, y, x * 2), byte(0, y, x / 2 * 4 + 1), byte(0, y, x / 2 * 4 + 3))
    case .yvyu: return (byte(0, y, x * 2), byte(0, y, x / 2 * 4 + 3), byte(0, y, x / 2 * 4 + 1))
    case .uyvy: return (byte(0, y, x * 2 + 1), byte(0, y, x / 2 * 4), byte(0, y, x / 2 * 4 + 2))
    case .grey: return (byte(0, y, x), 128, 128)
    case .p010: return (word(0, y, x), word(1, y / 2, x / 2 * 2), word(1, y / 2, x / 2 * 2 + 1))
    case .y210: return (word(0, y, x * 2), word(0, y, x / 2 * 4 + 1), word(0, y, x / 2 * 4 + 3))
    case .mjpeg, .bgra, .rgba, .rgb24, .bgr24, .xrgb, .bayerBGGR, .bayerGBRG, .bayerGRBG, .bayerRGGB:
      return (0, 0, 0)
    }
  }

  static func rgb(_ image: PixelBuffer, _ x: Int, _ y: Int) -> [Double] {
    if let codes = Sensor.rgb(image, x, y) {
      guard image.format.color.range == .limited else { return codes }
      return codes.map { min(max(($0 - 16) / 219, 0), 1) * 255 }
    }
    let ten = Pictures.isWide(image.format.pixelFormat)
    let (luma, u, v) = codes(image, x, y)
    return rgb(luma, u, v, image.format.color, ten)
  }

  static func rgb(_ y: Double, _ u: Double, _ v: Double, _ color: ColorDescription, _ ten: Bool) -> [Double] {
    let (kr, kb) =
      switch color.matrix {
      case .bt601: (0.299, 0.114)
      case .bt709: (0.2126, 0.0722)
      case .bt2020: (0.2627, 0.0593)
      }
    let full = color.range == .full
    let unit: Double = ten ? (full ? 1023.0 / 255 : 4) : 1
    let luma = full ? y / unit / 255 : (y / unit - 16) / 219
    let zero: Double = ten ? 512 : 128
    let (cb, cr) = ((u - zero) / unit / (full ? 255 : 224), (v - zero) / unit / (full ? 255 : 224))
    let (red, blue) = (luma + 2 * (1 - kr) * cr, luma + 2 * (1 - kb) * cb)
    let green = (luma - kr * red - kb * blue) / (1 - kr - kb)
    return [red, green, blue].map { min(max($0, 0), 1) * 255 }
  }

  /// Returns the place of the stored pixel (x, y) after mirroring and then clockwise rotation.
  static func place(_ x: Int, _ y: Int, _ size: PixelSize, _ orientation: Orientation) -> (x: Int, y: Int) {
    let x = orientation.isMirrored ? size.width - 1 - x : x
    return switch orientation.rotation {
    case .none: (x, y)
    case .clockwise90: (size.height - 1 - y, x)
    case .half: (size.width - 1 - x, size.height - 1 - y)
    case .clockwise270: (y, size.width - 1 - x)
    }
  }
}
