import Foundation
import System
import Testing

@testable import Imagery

/// PNG files are read row by row, with the result of libpng's simplified interface, with the file's own colours, and within the
/// announced memory.
@Suite struct PNGReaderTests {
  private static let size = PixelSize(width: 16, height: 8)

  private static func flat(_ color: [UInt8], _ size: PixelSize = size) throws -> [UInt8] {
    // The encoder takes blue, green and red.
    let pixels = color.count == 1 ? color : color.reversed()
    return try PNGCodec.encode(
      Array(Array(repeating: pixels, count: size.area).joined()), size, isGrey: color.count == 1,
      orientation: .upright)
  }

  /// Inserts chunks after the header, and removes libpng's own `sRGB`.
  private static func with(_ chunks: [(String, [UInt8])], _ png: [UInt8]) -> [UInt8] {
    var (result, at) = (Array(png.prefix(33)), 33)
    for (name, data) in chunks { result += chunk(name, data) }
    while at + 12 <= png.count {
      let length = png[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      if String(decoding: png[at + 4..<at + 8], as: UTF8.self) != "sRGB" {
        result += png[at..<at + 12 + length]
      }
      at += 12 + length
    }
    return result
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + data
    let check = ~body.reduce(0xFFFF_FFFF as UInt32) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    return big32(data.count) + body + big32(Int(check))
  }

  private static func big32(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - $0 * 8) & 255) } }

  /// Wraps data in the zlib format (RFC 1950) without compressing it.
  private static func stored(_ data: [UInt8]) -> [UInt8] {
    let (low, high) = (UInt8(data.count & 255), UInt8(data.count >> 8))
    let sums = data.reduce((1, 0)) { sum, byte in
      let first = (sum.0 + Int(byte)) % 65521
      return (first, (sum.1 + first) % 65521)
    }
    return [0x78, 0x01, 1, low, high, ~low, ~high] + data + big32(sums.1 << 16 | sums.0)
  }

  private static func profile(_ bytes: [UInt8]) -> (String, [UInt8]) {
    ("iCCP", Array("x".utf8) + [0, 0] + stored(bytes))
  }

  private static func primaries(_ values: [Double]) -> (String, [UInt8]) {
    ("cHRM", values.flatMap { big32(Int(($0 * 100_000).rounded())) })
  }

  private func color(_ png: [UInt8], notes: Int = 0) throws -> [Int] {
    let (image, _, remarks) = try ImageFile.read(png)
    #expect(remarks.count == notes, "\(remarks)")
    return Pictures.rgb(image, 8, 4)
  }

  private func isClose(_ one: [Int], _ other: [Int]) -> Bool {
    zip(one, other).allSatisfy { abs($0 - $1) <= 1 }
  }

  @Test func aProfileCounts() throws {
    let red = try Self.flat([230, 30, 30])
    #expect(
      isClose(try color(Self.with([Self.profile(Profiles.rgb(Profiles.displayP3))], red)), [251, 0, 0]))
    #expect(try color(Self.with([Self.profile(Profiles.rgb(Profiles.sRGB))], red)) == [230, 30, 30])
    // If there is a profile, the gamma is ignored.
    let gamma = ("gAMA", Self.big32(100_000))
    #expect(try color(Self.with([gamma, Self.profile(Profiles.rgb(Profiles.sRGB))], red)) == [230, 30, 30])
    let grey = Self.with([Self.profile(Profiles.grey(1))], try Self.flat([55]))
    #expect(isClose(try color(grey), [128, 128, 128]))
  }

  @Test func primariesAndGammaCount() throws {
    let red = try Self.flat([230, 30, 30])
    let displayP3 = [0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06]
    #expect(isClose(try color(Self.with([Self.primaries(displayP3)], red)), [251, 0, 0]))
    let usual = Self.primaries([0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06])
    #expect(try color(Self.with([("gAMA", Self.big32(45_455)), usual], red)) == [230, 30, 30])
    // Linear light, with and without primaries.
    let dark = try Self.flat([55, 55, 55])
    let linear = ("gAMA", Self.big32(100_000))
    for chunks in [[linear], [linear, usual], [linear, Self.primaries(displayP3)]] {
      let seen = try color(Self.with(chunks, dark))
      #expect(seen.allSatisfy { abs($0 - 127) <= 3 }, "\(seen)")
    }
    // Invalid primaries are ignored.
    #expect(try color(Self.with([Self.primaries([0, 0, 0, 0, 0, 0, 0, 0])], red)) == [230, 30, 30])
  }

  /// A huge picture is reduced while it is read: each pixel is the mean of a square. The memory stays within the announced limit.
  @Test func aHugePictureIsReadSmaller() throws {
    let size = PixelSize(width: 8001, height: 6300)
    var pixels = [UInt8](repeating: 0, count: size.area)
    for row in 0..<size.height where row % 2 == 1 {
      for x in 0..<size.width { pixels[row * size.width + x] = 100 }
    }
    let png = try PNGCodec.encode(pixels, size, isGrey: true, orientation: .upright)
    let (image, _, notes) = try ImageFile.read(png)
    #expect(image.format.size == PixelSize(width: 4001, height: 3150) && notes.count == 1)
    #expect(image.format.size.area <= ImageLimits.decodedArea)
    for (x, y) in [(0, 0), (4000, 0), (2000, 1000), (4000, 3149)] {
      #expect(Pictures.rgb(image, x, y) == [50, 50, 50])
    }
  }

  @Test(.enabled(if: Pictures.hasData("strangers"))) func aHugeGreyPicture() throws {
    let (image, _, notes) = try ImageFile.read(Pictures.bytes("strangers/large-grey.png"))
    #expect(image.format.size.area <= ImageLimits.decodedArea && notes.count == 1)
  }
}
