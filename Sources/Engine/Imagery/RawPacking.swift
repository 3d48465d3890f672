/// The layout of a sensor's samples in memory: one number per pixel, of 8 to 16 bits.
///
/// Source of the layouts: Linux media documentation, "Bayer Formats" and "Luma-Only Formats".
package struct RawPacking: Hashable, Sendable {
  /// The arrangement of the samples in a row.
  package enum Arrangement: Hashable, Sendable, CaseIterable {
    /// A byte for each sample.
    case bytes
    /// A little-endian word of 16 bits for each sample, which is in the low bits (`V4L2_PIX_FMT_SRGGB12`).
    case lowWords
    /// A little-endian word of 16 bits for each sample, which is in the high bits (`V4L2_PIX_FMT_Y012`).
    case highWords
    /// A big-endian word of 16 bits for each sample (`V4L2_PIX_FMT_Y16_BE`).
    case bigEndianWords
    /// As on MIPI CSI-2: the high bytes of a group of samples, then the low bits of all of them, those of the first sample lowest
    /// (`V4L2_PIX_FMT_SRGGB10P`).
    case csi2
    /// One bit after the other, the highest first (`V4L2_PIX_FMT_Y10BPACK`).
    case bits
    /// 25 samples of 10 bits in 32 bytes, the lowest bit first; six bits are unused (`V4L2_PIX_FMT_IPU3_SRGGB10`).
    case ipu3
  }

  /// The number of bits of a sample, 8 to 16.
  package let bits: Int
  package let arrangement: Arrangement

  package init(bits: Int, _ arrangement: Arrangement) {
    self.bits = bits
    self.arrangement = arrangement
  }

  /// The greatest sample.
  package var white: Int { 1 << bits - 1 }

  /// The least number of bytes of a row of so many samples. A group of samples is always whole.
  package func bytesPerRow(_ width: Int) -> Int {
    switch arrangement {
    case .bytes: width
    case .lowWords, .highWords, .bigEndianWords: width * 2
    case .csi2: (width + group - 1) / group * (group * bits / 8)
    case .bits: (width * bits + 7) / 8
    case .ipu3: (width + 24) / 25 * 32
    }
  }

  /// The number of samples on MIPI CSI-2 that fill whole bytes: 4 of 10 or 14 bits, 2 of 12 bits.
  private var group: Int { bits == 12 ? 2 : 4 }

  /// Calls `body` with each sample of a row, in order.
  /// - Parameters:
  ///   - row: at least `bytesPerRow(width)` bytes.
  ///   - body: takes the index of a sample and its value, which is at most `white`.
  @inline(__always)
  func forEach(_ row: UnsafePointer<UInt8>, width: Int, body: (Int, Int) -> Void) {
    switch arrangement {
    case .bytes: for x in 0..<width { body(x, Int(row[x])) }
    case .lowWords:
      // Some drivers leave something in the unused high bits.
      let mask = white
      for x in 0..<width { body(x, (Int(row[x &* 2]) | Int(row[x &* 2 &+ 1]) &<< 8) & mask) }
    case .highWords:
      let unused = 16 &- bits
      for x in 0..<width { body(x, (Int(row[x &* 2]) | Int(row[x &* 2 &+ 1]) &<< 8) &>> unused) }
    case .bigEndianWords: for x in 0..<width { body(x, Int(row[x &* 2]) &<< 8 | Int(row[x &* 2 &+ 1])) }
    case .csi2:
      let count = forEachOfWholeGroups(row, width: width, body: body)
      forEachOfGroups(row, width, from: count, body: body)
    case .bits:
      for x in 0..<width {
        let first = x &* bits
        body(x, number(row + first / 8, skipping: first % 8))
      }
    case .ipu3:
      for x in 0..<width {
        let first = x % 25 &* 10
        let at = row + x / 25 &* 32 + first / 8
        body(x, (Int(at[0]) | Int(at[1]) &<< 8) &>> (first % 8) & 1023)
      }
    }
  }

  /// Reads the groups of a row that are whole, each with its own instructions.
  /// - Returns: the number of samples that were read.
  @inline(__always)
  private func forEachOfWholeGroups(
    _ row: UnsafePointer<UInt8>, width: Int, body: (Int, Int) -> Void
  ) -> Int {
    switch bits {
    case 10:
      for index in 0..<width / 4 {
        let (bytes, x) = (row + index &* 5, index &* 4)
        let low = Int(bytes[4])
        body(x, Int(bytes[0]) &<< 2 | low & 3)
        body(x &+ 1, Int(bytes[1]) &<< 2 | low &>> 2 & 3)
        body(x &+ 2, Int(bytes[2]) &<< 2 | low &>> 4 & 3)
        body(x &+ 3, Int(bytes[3]) &<< 2 | low &>> 6)
      }
      return width / 4 * 4
    case 12:
      for index in 0..<width / 2 {
        let (bytes, x) = (row + index &* 3, index &* 2)
        let low = Int(bytes[2])
        body(x, Int(bytes[0]) &<< 4 | low & 15)
        body(x &+ 1, Int(bytes[1]) &<< 4 | low &>> 4)
      }
      return width / 2 * 2
    default: return 0
    }
  }

  @inline(__always)
  private func forEachOfGroups(
    _ row: UnsafePointer<UInt8>, _ width: Int, from first: Int, body: (Int, Int) -> Void
  ) {
    let low = bits &- 8
    let mask = 1 &<< low &- 1
    for start in stride(from: first, to: width, by: group) {
      let bytes = row + start &* bits / 8
      // The low bits of all samples of the group, as one number.
      let rest = (0..<(group &* low / 8)).reduce(0) { $0 | Int(bytes[group &+ $1]) &<< ($1 &* 8) }
      for x in start..<min(start &+ group, width) {
        body(x, Int(bytes[x &- start]) &<< low | rest &>> ((x &- start) &* low) & mask)
      }
    }
  }

  /// The sample that begins after so many bits of the first byte, the highest bit first. Reads only the bytes that it is in.
  @inline(__always)
  private func number(_ bytes: UnsafePointer<UInt8>, skipping: Int) -> Int {
    let end = skipping &+ bits
    var number = 0
    for index in 0..<((end &+ 7) / 8) { number = number &<< 8 | Int(bytes[index]) }
    return number &>> (((end &+ 7) / 8) &* 8 &- end) & white
  }
}

/// Converts a sensor's samples to codes of 8 bits, as the other formats have them.
package struct RawUnpacking: Sendable {
  package let packing: RawPacking
  /// The code of each sample.
  private let codes: [UInt8]

  /// - Parameters:
  ///   - packing: the layout of the samples.
  ///   - isLinear: whether samples are proportional to light, as those of a sensor. They get the transfer function of sRGB (IEC 61966-2-1) then.
  ///     Otherwise they have one already, and only lose their low bits.
  ///   - blackLevel: the sample of black, at least 0 and below `packing.white`; from there to white the codes are stretched.
  ///   - range: the range of samples that are not linear. Linear ones become full-range codes.
  package init(_ packing: RawPacking, isLinear: Bool, blackLevel: Int = 0, range: ColorRange = .full) {
    self.packing = packing
    let white = packing.white
    codes = (0...white).map { sample in
      if range == .limited, !isLinear, blackLevel == 0 {
        // Limited codes of more bits are those of 8 bits times a power of two.
        let half = packing.bits == 8 ? 0 : 1 << (packing.bits - 9)
        return UInt8(min(255, (sample + half) >> (packing.bits - 8)))
      }
      let light = max(0, Double(sample - blackLevel) / Double(white - blackLevel))
      return UInt8(((isLinear ? SRGBCurve.code(light) : light) * 255).rounded())
    }
  }

  /// Converts the pixels of a picture.
  /// - Parameters:
  ///   - source: rows of at least `packing.bytesPerRow(size.width)` bytes.
  ///   - target: rows of at least `size.width` bytes.
  package func unpack(_ source: Plane, _ size: PixelSize, into target: Plane) {
    codes.withUnsafeBufferPointer { codes in
      for y in 0..<size.height {
        let out = target.row(y)
        packing.forEach(source.row(y), width: size.width) { x, sample in out[x] = codes[sample] }
      }
    }
  }
}
