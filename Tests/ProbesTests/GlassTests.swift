import Imagery
import System
import Testing

@testable import Probes

/// LAT-1: codes that a screen shows to a camera in front of it.
@Suite struct GlassTests {
  @Test(arguments: [
    GlassCode(number: 0, before: nil), GlassCode(number: 999_999, before: 9_876_543_210_123),
    GlassCode(number: 1, before: .max / 1000),
  ])
  func codeIsReadAsItWasWritten(code: GlassCode) throws {
    #expect(GlassCode(code.text) == code)
    let seen = try Self.seen(code, size: PixelSize(width: 320, height: 240))
    #expect(GlassCode.read(luma: seen.luma, width: seen.width, height: seen.height) == code)
  }

  /// In the camera's picture, the screen is smaller, rotated and in perspective.
  @Test func codeIsReadAskew() throws {
    let code = GlassCode(number: 41, before: 1_234_567_890)
    let seen = try Self.seen(code, size: PixelSize(width: 640, height: 480))
    let (width, height) = (640, 360)
    var luma = [UInt8](repeating: 90, count: width * height)
    for y in 0..<height {
      for x in 0..<width {
        // The screen is rotated clockwise by a third of a radian, and narrower to the right.
        let (dx, dy) = (Double(x - width / 2), Double(y - height / 2))
        let depth = 1.6 + dx / 1200
        let (u, v) = (depth * (dx * 0.945 + dy * 0.327), depth * (dy * 0.945 - dx * 0.327))
        let (column, row) = (Int(u) + seen.width / 2, Int(v) + seen.height / 2)
        guard (0..<seen.width).contains(column), (0..<seen.height).contains(row) else { continue }
        luma[y * width + x] = seen.luma[row * seen.width + column] / 2 + 40
      }
    }
    #expect(GlassCode.read(luma: luma, width: width, height: height) == code)
  }

  @Test(arguments: [
    "", "SW", "SW:1", "SW:1:2:3", "XX:1:2", "SW:-1:2", "SW:1000000:2", "SW:1:-2", "SW:1:x",
    "SW:1:9223372036854775807", "SW:1:9223372036854776",
  ])
  func codeOfSomebodyElseIsNone(text: String) { #expect(GlassCode(text) == nil) }

  @Test func pictureWithoutACodeHasNone() {
    #expect(GlassCode.read(luma: [UInt8](repeating: 128, count: 64 * 48), width: 64, height: 48) == nil)
    #expect(GlassCode.read(luma: [1, 2, 3], width: 64, height: 48) == nil)
    #expect(GlassCode.read(luma: [], width: 0, height: 0) == nil)
  }

  /// The first code has no latency, because it was on screen before the camera began; nor has the last, because only the next code
  /// tells when it was shown.
  @Test func latenciesAreFromTheVblankToTheFirstPicture() {
    func seen(_ milliseconds: Int64, _ code: GlassCode?) -> GlassReading.Seen {
      GlassReading.Seen(presentedTime: MonotonicTime(nanoseconds: milliseconds * 1_000_000), code: code)
    }
    let reading = GlassReading([
      seen(1000, GlassCode(number: 999_998, before: nil)),
      seen(1100, GlassCode(number: 999_999, before: 900_000)), seen(1133, nil),
      seen(1140, GlassCode(number: 999_999, before: 900_000)),
      seen(1250, GlassCode(number: 0, before: 1_040_000)),
      seen(1300, GlassCode(number: 1, before: 1_200_000)),
    ])
    #expect(reading.latencies == [60, 50])
    #expect(reading.unread == 1 && reading.pictures == 6 && !reading.isOfAnotherClock)
  }

  @Test func anotherMachinesScreenIsKnown() {
    let seen = (0..<3).map {
      GlassReading.Seen(
        presentedTime: MonotonicTime(nanoseconds: Int64($0) * 100_000_000),
        code: GlassCode(number: $0, before: 77_000_000_000))
    }
    #expect(GlassReading(seen).isOfAnotherClock)
  }

  /// Returns the luma of a drawn code, as a screen shows it.
  private static func seen(
    _ code: GlassCode, size: PixelSize
  ) throws -> (luma: [UInt8], width: Int, height: Int) {
    let pool = PixelBufferPool()
    let image = try pool.makeBuffer(
      ImageFormat(
        pixelFormat: .bgra, size: size, color: ColorDescription(matrix: .bt709, range: .full)))
    code.draw(into: image)
    let plane = image.planes[0]
    var luma: [UInt8] = []
    for y in 0..<size.height {
      let row = (plane.base + y * plane.bytesPerRow).assumingMemoryBound(to: UInt8.self)
      luma += (0..<size.width).map { row[4 * $0 + 1] }
    }
    return (luma, size.width, size.height)
  }
}
