import Imagery
import Testing

/// An interlaced frame is shown as one of its two moments, without combing.
@Suite struct DeinterlacerTests {
  private static let color = ColorDescription(matrix: .bt709, range: .full)

  /// Returns a picture with dark upper lines and bright lower lines, as if something white had moved into view between the fields.
  private func combed(_ format: PixelFormat, isInterlaced: Bool, height: Int = 36) throws -> PixelBuffer {
    let luma = Pictures.luma(format)
    let isWide = Pictures.isWide(format)
    let source = try Pictures.raw(format, 64, height, Self.color) { plane, x, y in
      guard !isWide || x % 2 == 1 else { return 0 }
      let sample = isWide ? x / 2 : x
      guard plane == 0, luma.step >= 3 || sample % luma.step == luma.first else { return 128 }
      return y % 2 == 0 ? 50 : 200
    }
    // The lender keeps the pool's buffer alive.
    return PixelBuffer(
      format: source.format, planes: source.planes, lender: Holder(source), loan: 0,
      isInterlaced: isInterlaced)
  }

  private final class Holder: PixelBufferLender {
    let image: PixelBuffer
    init(_ image: PixelBuffer) { self.image = image }
    func takeBack(_ index: Int) {}
  }

  static let formats = PixelFormat.allCases.filter { $0 != .mjpeg && !$0.isBayer }

  @Test(arguments: formats, [36, 35]) func onlyTheUpperLinesAreShown(format: PixelFormat, height: Int) throws
  {
    let surface = try Pictures.surface(64, height)
    let renderer = PreviewRenderer()
    try renderer.render(
      combed(format, isInterlaced: true, height: height), orientation: .upright, into: surface)
    for y in 0..<height {
      #expect(abs(Pictures.rgb(surface, 20, y)[1] - 50) <= 2, "\(format) \(y)")
    }
    try renderer.render(
      combed(format, isInterlaced: false, height: height), orientation: .upright, into: surface)
    #expect(abs(Pictures.rgb(surface, 20, 1)[1] - 200) <= 2)
  }

  /// The missing lines are the means of their neighbours, so a ramp stays a ramp.
  @Test(arguments: [PixelFormat.grey, .p010]) func linesBetweenAreMeans(format: PixelFormat) throws {
    let ramp = try Pictures.raw(format, 16, 12, Self.color) { plane, x, y in
      if plane > 0 { return x % 2 == 0 ? 0 : 128 }
      return format == .grey ? UInt8(y * 20) : x % 2 == 0 ? 0 : UInt8(y * 20)
    }
    let image = PixelBuffer(
      format: ramp.format, planes: ramp.planes, lender: Holder(ramp), loan: 0, isInterlaced: true)
    let result = try ImageConverter(pool: PixelBufferPool()).convert(image, to: format, color: Self.color)
    #expect(result !== image)
    for y in 0..<11 {
      let (want, have) = (Reference.codes(ramp, 5, y).y, Reference.codes(result, 5, y).y)
      #expect(abs(want - have) <= 1, "\(y)")
    }
  }

  @Test(arguments: formats) func aRecordingHasNoComb(format: PixelFormat) throws {
    let converter = PlaneConverter()
    // The converter owns the deinterlaced copy.
    let planes = try converter.convert(
      combed(format, isInterlaced: true), orientation: .upright, sampling: .s420,
      color: ColorDescription(matrix: .bt709, range: .limited))
    for y in 0..<36 { #expect(abs(Reference.rgb(planes, 20, y)[1] - 50) <= 3, "\(format) \(y)") }
    withExtendedLifetime(converter) {}
  }

  /// The next conversion does not overwrite a result that is still held.
  @Test func whatIsHeldStays() throws {
    let converter = ImageConverter(pool: PixelBufferPool())
    let first = try converter.convert(
      combed(.grey, isInterlaced: true), to: .grey, color: Self.color)
    let before = Array(first.planes[0].bytes)
    let other = try Pictures.raw(.grey, 64, 36, Self.color) { _, _, _ in 120 }
    let image = PixelBuffer(
      format: other.format, planes: other.planes, lender: Holder(other), loan: 0, isInterlaced: true)
    let second = try converter.convert(image, to: .grey, color: Self.color)
    #expect(second.planes[0].base != first.planes[0].base && Array(first.planes[0].bytes) == before)
  }

  @Test func aPhotoHasNoComb() throws {
    let image = try combed(.nv12, isInterlaced: true)
    let photo = try PhotoPipeline().process(
      image, orientation: .upright, settings: PhotoSettings(longSide: nil))
    let shown = try PhotoPipelineTests.displayed(photo)
    for y in 0..<36 { #expect(abs(Pictures.rgb(shown, 20, y)[1] - 50) <= 4) }
  }
}
