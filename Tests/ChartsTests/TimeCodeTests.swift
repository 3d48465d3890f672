import Imagery
import System
import Testing

@testable import Charts

@Suite("Time-code")
struct TimeCodeTests {
  let rect = ChartRect(x: 17, y: 9, width: 96, height: 96)

  func picture(
    _ value: UInt32, _ format: PixelFormat = .grey, size: PixelSize = .init(width: 160, height: 128)
  )
    -> TestPicture
  {
    let picture = TestPicture(size, format)
    TimeCode.draw(value, in: rect, luma: picture.plane, pixelStride: picture.stride)
    return picture
  }

  @Test("The checksum has the check value of CRC-16/IBM-3740")
  func checksum() {
    // Python's `binascii.crc_hqx(b"1234", 0xFFFF)` gives this checksum.
    #expect(TimeCode.checksum(of: 0x3132_3334) == 0x5349)
  }

  @Test(
    "Every kind of number in every format it can be drawn into",
    arguments: [PixelFormat.grey, .nv12, .yuyv, .bgra, .rgba])
  func roundTrip(format: PixelFormat) {
    for value: UInt32 in [0, 1, 2, 255, 0x8000_0000, 0xFFFF_FFFF, 0x1234_5678] {
      #expect(TimeCode.read(from: picture(value, format).image, corners: ChartCorners(rect)) == value)
    }
  }

  @Test("The code is read in all eight orientations, given its corners", arguments: Orientation.allCases)
  func orientations(orientation: Orientation) {
    let source = picture(0xCAFE_0042)
    let corners = ChartCorners(rect).oriented(orientation, in: source.format.size)
    #expect(TimeCode.read(from: source.oriented(orientation).image, corners: corners) == 0xCAFE_0042)
  }

  @Test(
    "Refused when the corners claim another way up", arguments: Orientation.allCases.filter { $0 != .upright }
  )
  func wrongWayUp(orientation: Orientation) {
    let source = picture(77)
    // The corners are those of the same square, read from another corner.
    let square = PixelSize(width: rect.width, height: rect.height)
    let corners = ChartCorners(ChartRect(x: 0, y: 0, width: rect.width, height: rect.height))
      .oriented(orientation, in: square).moved(x: Double(rect.x), y: Double(rect.y))
    #expect(TimeCode.read(from: source.image, corners: corners) == nil)
  }

  @Test("The code is read at three pixels a cell, odd scales, with noise and JPEG at quality 60")
  func small() throws {
    var random = SplitMix64(seed: 1)
    var read = 0
    for step in 0..<60 {
      let value = UInt32.random(in: 0...UInt32.max, using: &random)
      let source = picture(value)
      // A cell of the code has 12 pixels in a picture 160 pixels wide, and 3 in one 40 pixels wide.
      let size = PixelSize(width: 40 + step, height: 32 + step * 4 / 5)
      let corners = ChartCorners(rect).scaled(x: Double(size.width) / 160, y: Double(size.height) / 128)
      let image = try source.reduced(to: size).noisy(12, &random).throughJPEG(quality: 60).image
      let result = TimeCode.read(from: image, corners: corners)
      #expect(result == value || result == nil)
      if result == value { read += 1 }
    }
    #expect(read == 60)
  }

  @Test("A wrong or missing code is nil: damaged cells, noise, flat pictures, torn pictures")
  func neverWrong() {
    var random = SplitMix64(seed: 2)
    for _ in 0..<3000 {
      let value = UInt32.random(in: 0...UInt32.max, using: &random)
      var levels = TimeCode.cells(of: value).map { $0 ? 228.0 : 24.0 }
      #expect(TimeCode.value(of: levels) == value)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let index = Int.random(in: 0..<64, using: &random)
        levels[index] = 252 - levels[index]
      }
      let damaged = TimeCode.value(of: levels)
      #expect(damaged == nil || damaged == value)
      #expect(TimeCode.value(of: (0..<64).map { _ in Double.random(in: 0...255, using: &random) }) == nil)
    }
    #expect(TimeCode.value(of: [Double](repeating: 128, count: 64)) == nil)
  }

  @Test("A picture torn between two numbers is refused")
  func torn() {
    for value in (0..<1000 as Range<UInt32>).map({ $0 &* 977 }) {
      let (old, new) = (TimeCode.cells(of: value), TimeCode.cells(of: value &+ 1))
      for row in 1..<8 {
        let levels = (0..<64).map { ($0 < row * 8 ? new[$0] : old[$0]) ? 228.0 : 24.0 }
        let read = TimeCode.value(of: levels)
        #expect(read == nil || read == value || read == value &+ 1)
      }
    }
  }

  @Test("Corners outside, upside-down planes and compressed pictures are refused")
  func hostile() {
    let image = picture(5).image
    for bad in [Double.nan, .infinity, -1e300, 1e300, -40] {
      #expect(TimeCode.read(from: image, corners: ChartCorners(rect).moved(x: bad, y: 0)) == nil)
    }
    let short = Plane(base: image.planes[0].base, bytesPerRow: 160, height: 3)
    #expect(
      TimeCode.read(
        from: PixelBuffer(format: image.format, planes: [short], lender: nil), corners: ChartCorners(rect))
        == nil)
    let jpeg = ImageFormat(pixelFormat: .mjpeg, size: image.format.size, color: .jpeg)
    #expect(
      TimeCode.read(
        from: PixelBuffer(format: jpeg, planes: image.planes, lender: nil), corners: ChartCorners(rect))
        == nil)
    withExtendedLifetime(image) {}
  }

  @Test("Of a code beyond the edge, the part that fits is drawn")
  func clipped() {
    let picture = TestPicture(PixelSize(width: 32, height: 32))
    TimeCode.draw(1, in: ChartRect(x: -8, y: 20, width: 96, height: 96), luma: picture.plane, pixelStride: 1)
    #expect(picture[0, 0] == 128 && picture[0, 31] != 128)
  }
}
