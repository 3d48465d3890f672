import Testing

@testable import Imagery

/// The layouts of a sensor's samples, against a packer that places them bit by bit, and their conversion to codes of 8 bits.
@Suite struct RawPackingTests {
  static let all: [RawPacking] =
    [RawPacking(bits: 8, .bytes), RawPacking(bits: 12, .highWords), RawPacking(bits: 16, .bigEndianWords)]
    + [10, 12, 14, 16].map { RawPacking(bits: $0, .lowWords) }
    + [10, 12, 14].map { RawPacking(bits: $0, .csi2) }
    + [RawPacking(bits: 10, .bits), RawPacking(bits: 10, .ipu3)]

  /// Where a bit of a sample lies: its byte, and its place in the byte, 0 for the lowest. `bit` is 0 for the sample's lowest.
  private static func place(_ x: Int, _ bit: Int, _ packing: RawPacking) -> (byte: Int, bit: Int) {
    let address: Int
    switch packing.arrangement {
    case .bytes: address = x * 8 + bit
    case .lowWords: address = x * 16 + bit
    case .highWords: address = x * 16 + 16 - packing.bits + bit
    case .bigEndianWords: address = x * 16 + (bit + 8) % 16
    case .ipu3: address = x / 25 * 256 + x % 25 * 10 + bit
    case .bits:
      let first = x * packing.bits + packing.bits - 1 - bit
      address = first / 8 * 8 + 7 - first % 8
    case .csi2:
      let (count, low) = (packing.bits == 12 ? 2 : 4, packing.bits - 8)
      let (group, index) = (x / count * count * packing.bits, x % count)
      address = group + (bit >= low ? index * 8 + bit - low : count * 8 + index * low + bit)
    }
    return (address / 8, address % 8)
  }

  private static func samples(_ count: Int, _ packing: RawPacking) -> [Int] {
    (0..<count).map { ($0 &* 0x9E37_79B1) >> 7 & packing.white }
  }

  private static func packed(_ samples: [Int], _ packing: RawPacking, filler: UInt8) -> [UInt8] {
    var row = [UInt8](repeating: filler, count: packing.bytesPerRow(samples.count))
    for (x, sample) in samples.enumerated() {
      for bit in 0..<packing.bits {
        let place = place(x, bit, packing)
        row[place.byte] &= ~(1 << place.bit)
        row[place.byte] |= UInt8(sample >> bit & 1) << place.bit
      }
    }
    return row
  }

  private static func read(_ row: [UInt8], _ width: Int, _ packing: RawPacking) -> [Int] {
    var read = [Int](repeating: -1, count: width)
    row.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return }
      packing.forEach(base, width: width) { read[$0] = $1 }
    }
    return read
  }

  /// Unused bits may hold anything.
  @Test(arguments: all, [1, 2, 3, 4, 5, 7, 24, 25, 26, 51, 97])
  func everySampleIsRead(packing: RawPacking, width: Int) {
    let samples = Self.samples(width, packing)
    for filler in [UInt8(0), 0xFF] {
      #expect(Self.read(Self.packed(samples, packing, filler: filler), width, packing) == samples)
    }
  }

  /// The examples are written from the tables of the media documentation, low bits of the first sample lowest.
  @Test func packedRowsAreThoseOfTheDocumentation() {
    #expect(
      Self.read([0x40, 0x80, 0xC0, 0xFF, 0b11_10_01_00], 4, RawPacking(bits: 10, .csi2))
        == [0x100, 0x201, 0x302, 0x3FF])
    #expect(Self.read([0xAB, 0x12, 0x3C], 2, RawPacking(bits: 12, .csi2)) == [0xABC, 0x123])
    #expect(
      Self.read(
        [0x80, 0x40, 0x20, 0xFF, 0b01_000011, 0b0101_1010, 0b111110_10], 4, RawPacking(bits: 14, .csi2))
        == [0x80 << 6 | 3, 0x40 << 6 | 0b1010_01, 0x20 << 6 | 0b10_0101, 0xFF << 6 | 0b111110])
    #expect(Self.read([0xFF, 0xC0, 0x10], 2, RawPacking(bits: 10, .bits)) == [0x3FF, 1])
  }

  @Test(arguments: all) func aPictureIsUnpackedRowByRow(packing: RawPacking) throws {
    let (size, padding) = (PixelSize(width: 27, height: 5), 9)
    let samples = Self.samples(size.area, packing)
    let stride = packing.bytesPerRow(size.width) + padding
    var bytes = [UInt8](repeating: 0xEE, count: stride * size.height)
    for y in 0..<size.height {
      let row = Self.packed(
        Array(samples[y * size.width..<(y + 1) * size.width]), packing, filler: 0)
      bytes.replaceSubrange(y * stride..<y * stride + row.count, with: row)
    }
    let format = ImageFormat(
      pixelFormat: .grey, size: size, color: ColorDescription(matrix: .bt709, range: .full))
    let picture = try PixelBufferPool().makeBuffer(format)
    bytes.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      RawUnpacking(packing, isLinear: false).unpack(
        Plane(base: base, bytesPerRow: stride, height: size.height), size, into: picture.planes[0])
    }
    for y in 0..<size.height {
      for x in 0..<size.width {
        let share = Double(samples[y * size.width + x]) / Double(packing.white)
        #expect(picture.planes[0].row(y)[x] == UInt8((share * 255).rounded()))
      }
    }
  }

  private func codes(
    _ samples: [Int], bits: Int, isLinear: Bool, black: Int = 0, range: ColorRange = .full
  ) throws -> [UInt8] {
    let packing = RawPacking(bits: bits, .lowWords)
    let size = PixelSize(width: samples.count, height: 1)
    let picture = try PixelBufferPool().makeBuffer(
      ImageFormat(pixelFormat: .grey, size: size, color: ColorDescription(matrix: .bt709, range: range)))
    var row = Self.packed(samples, packing, filler: 0)
    row.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      RawUnpacking(packing, isLinear: isLinear, blackLevel: black, range: range).unpack(
        Plane(base: base, bytesPerRow: bytes.count, height: 1), size, into: picture.planes[0])
    }
    return (0..<samples.count).map { picture.planes[0].row(0)[$0] }
  }

  /// 18 % of the light is code 118 in sRGB.
  @Test func linearSamplesGetTheCurveOfSRGB() throws {
    #expect(try codes([0, 184, 1023], bits: 10, isLinear: true) == [0, 118, 255])
    #expect(try codes([0, 3, 737, 4095], bits: 12, isLinear: true) == [0, 2, 118, 255])
  }

  /// Samples below black are black.
  @Test func lightBeginsAtTheBlackLevel() throws {
    #expect(try codes([0, 64, 237, 1023], bits: 10, isLinear: true, black: 64) == [0, 0, 118, 255])
    #expect(try codes([0, 64, 1023], bits: 10, isLinear: false, black: 64) == [0, 0, 255])
  }

  @Test func codesOfALimitedRangeKeepIt() throws {
    let ten = try codes([64, 502, 940, 1023], bits: 10, isLinear: false, range: .limited)
    #expect(ten == [16, 126, 235, 255])
    let sixteen = try codes([4096, 60160], bits: 16, isLinear: false, range: .limited)
    #expect(sixteen == [16, 235])
  }
}
