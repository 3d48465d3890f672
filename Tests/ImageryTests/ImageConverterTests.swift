import Imagery
import Testing

@Suite struct ImageConverterTests {
  static let raw = PixelFormat.allCases.filter { $0 != .mjpeg }
  static let target = ColorDescription(matrix: .bt601, range: .full)

  /// Smooth colours survive conversion between every pair of formats, even if the matrix and the range change.
  @Test(arguments: raw, raw) func everyPairKeepsColours(from: PixelFormat, to: PixelFormat) throws {
    let source = ColorDescription(matrix: .bt709, range: .limited)
    let rgb = try Pictures.raw(.rgba, 34, 18, .jpeg) { _, x, y in
      let value = 60 + x / 4 * 2 + y * 2 + (x % 4) * 15
      return x % 4 == 3 ? 255 : UInt8(value)
    }
    let pool = PixelBufferPool()
    let converter = ImageConverter(pool: pool)
    let first = try converter.convert(rgb, to: from, color: source)
    let second = try converter.convert(first, to: to, color: Self.target)
    #expect(second.format.pixelFormat == to && second.format.size == rgb.format.size)
    for (x, y) in [(4, 4), (15, 9), (30, 14)] {
      let (want, have) = (Reference.rgb(rgb, x, y), Reference.rgb(second, x, y))
      if from == .grey || to == .grey {
        #expect(abs(luma(want) - luma(have)) <= 4)
      } else {
        for (want, have) in zip(want, have) { #expect(abs(want - have) <= 5, "\(from) → \(to)") }
      }
    }
  }

  /// RGB may have limited range. It keeps that range or is expanded to full range, as requested.
  @Test(arguments: [PixelFormat.bgra, .rgba, .nv12, .p010, .i444, .grey], ColorRange.allCases)
  func limitedRGBIsReadAndWritten(to: PixelFormat, range: ColorRange) throws {
    let limited = ColorDescription(matrix: .bt709, range: .limited)
    let rgb = try Pictures.raw(.bgra, 32, 16, limited) { _, x, _ in
      x % 4 == 3 ? 255 : UInt8([16, 126, 235, 250][x / 32])
    }
    let color = ColorDescription(matrix: .bt709, range: range)
    let result = try ImageConverter(pool: PixelBufferPool()).convert(rgb, to: to, color: color)
    #expect(result.format.color == color)
    for (x, light) in [(3, 0.0), (11, 128), (19, 255), (27, 255)] {
      for have in Reference.rgb(result, x, 8) { #expect(abs(have - light) <= 1.5, "\(to) \(range) \(x)") }
    }
  }

  private func luma(_ rgb: [Double]) -> Double { 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2] }

  @Test func whatItAlreadyIsStaysUntouched() throws {
    let image = try Pictures.raw(.nv12, 16, 16, .jpeg, Pictures.noise)
    #expect(try ImageConverter(pool: PixelBufferPool()).convert(image, to: .nv12, color: .jpeg) === image)
  }

  @Test func subsampledLayoutsAreLossless() throws {
    let image = try Pictures.raw(.nv12, 37, 23, .jpeg, Pictures.noise)
    let converter = ImageConverter(pool: PixelBufferPool())
    let back = try converter.convert(
      try converter.convert(image, to: .i420, color: .jpeg), to: .nv12, color: .jpeg)
    for y in 0..<23 {
      for x in 0..<37 { #expect(Reference.codes(image, x, y) == Reference.codes(back, x, y)) }
    }
  }

  @Test func refusesToCompress() throws {
    let image = try Pictures.raw(.nv12, 16, 16, .jpeg, Pictures.noise)
    #expect(throws: ImageError.self) {
      try ImageConverter(pool: PixelBufferPool()).convert(image, to: .mjpeg, color: .jpeg)
    }
  }
}
