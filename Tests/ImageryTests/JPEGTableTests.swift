import CTurboJPEG
import Imagery
import Testing

/// A decoder that is used again must not apply one picture's tables to the next.
@Suite struct JPEGTableTests {
  private static let size = PixelSize(width: 96, height: 64)

  /// Encodes a picture.
  /// - Parameter isProgressive: whether the picture is progressive, with Huffman tables of its own instead of the standard ones.
  private static func encoded(seed: Int, quality: Int32 = 90, isProgressive: Bool = false) -> [UInt8] {
    var pixels = [UInt8](repeating: 0, count: size.area * 3)
    for place in pixels.indices {
      let (x, y) = (place / 3 % size.width, place / 3 / size.width)
      pixels[place] = UInt8((x * (seed + 1) + y * 3 + Int(Pictures.noise(seed, x / 8, y / 8)) / 4) % 256)
    }
    let handle = tjInitCompress()
    defer { tjDestroy(handle) }
    var (out, count) = (nil as UnsafeMutablePointer<UInt8>?, UInt(0))
    tjCompress2(
      handle, pixels, Int32(size.width), 0, Int32(size.height), Int32(TJPF_RGB.rawValue), &out, &count,
      Int32(TJSAMP_422.rawValue), quality, isProgressive ? TJFLAG_PROGRESSIVE : 0)
    defer { tjFree(out) }
    return Array(UnsafeBufferPointer(start: out, count: Int(count)))
  }

  /// Removes the segments of one marker, and adds the `AVI1` mark of cameras that omit Huffman tables.
  private static func without(_ marker: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    var (result, at) = (Array(bytes[0..<2]), 2)
    result += [0xFF, 0xE0, 0, 16] + Array("AVI1".utf8) + [UInt8](repeating: 0, count: 10)
    while bytes[at + 1] != 0xDA {
      let length = 2 + Int(bytes[at + 2]) << 8 + Int(bytes[at + 3])
      if bytes[at + 1] != marker { result += bytes[at..<at + length] }
      at += length
    }
    return result + bytes[at...]
  }

  private func shown(_ renderer: PreviewRenderer, _ bytes: [UInt8]) throws -> [UInt8] {
    let surface = try Pictures.surface(Self.size.width, Self.size.height)
    try renderer.render(Pictures.jpeg(bytes, Self.size), orientation: .upright, into: surface)
    return Array(UnsafeRawBufferPointer(start: surface.planes[0].base, count: surface.planes[0].byteCount))
  }

  private static let others = [
    encoded(seed: 5, isProgressive: true), encoded(seed: 9, quality: 20), encoded(seed: 2, quality: 99),
  ]

  /// In Motion JPEG, missing Huffman tables mean the standard ones, whatever picture was decoded before.
  @Test(arguments: 0..<3, [false, true]) func missingHuffmanTablesAreTheStandardOnes(
    other: Int, preservesEncoding: Bool
  ) throws {
    let (whole, bare) = (Self.encoded(seed: 1), Self.without(0xC4, Self.encoded(seed: 1)))
    let renderer = PreviewRenderer()
    let want = try shown(PreviewRenderer(), whole)
    _ = try shown(renderer, Self.others[other])
    #expect(try shown(renderer, bare) == want)
    let pipeline = PhotoPipeline()
    let settings = PhotoSettings(preservesEncoding: preservesEncoding)
    let photo = try pipeline.process(
      Pictures.jpeg(whole, Self.size), orientation: .upright, settings: settings)
    _ = try pipeline.process(
      Pictures.jpeg(Self.others[other], Self.size), orientation: .upright, settings: settings)
    let again = try pipeline.process(
      Pictures.jpeg(bare, Self.size), orientation: .upright, settings: settings)
    #expect(again.bytes == photo.bytes)
  }

  /// There are no standard quantisation tables. A picture without them is refused, rather than decoded with the previous picture's.
  @Test func missingQuantisationTablesAreNotTakenFromThePictureBefore() throws {
    let renderer = PreviewRenderer()
    _ = try shown(renderer, Self.others[1])
    #expect(throws: ImageError.self) { try shown(renderer, Self.without(0xDB, Self.encoded(seed: 1))) }
  }

  /// Restart intervals, colour spaces, Adobe marks, sizes and damage only affect their own picture.
  @Test func noPictureChangesTheNext() throws {
    let plain = Self.encoded(seed: 1)
    var torn = Self.others[0]
    torn.removeLast(torn.count / 2)
    let adobe =
      Array(plain[0..<2]) + [0xFF, 0xEE, 0, 14] + Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0]
      + Array(plain[2...])
    let restarts = Array(plain[0..<2]) + [0xFF, 0xDD, 0, 4, 0, 3] + Array(plain[2...])
    let want = try shown(PreviewRenderer(), plain)
    let renderer = PreviewRenderer()
    for other in Self.others + [torn, adobe, restarts] {
      _ = try? shown(renderer, other)
      #expect(try shown(renderer, plain) == want)
    }
  }
}
