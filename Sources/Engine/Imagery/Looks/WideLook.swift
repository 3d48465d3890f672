/// Converts 10-bit pictures with a look to 10-bit pictures, without reducing them to 8 bits in between.
struct WideLook {
  private let source: TenBitRGB
  private let codes: CodesFromRGB

  /// - Parameter rows: memory for one row.
  init(
    _ look: ColorLookup, from source: ColorDescription, to destination: ColorDescription, rows: Scratch
  ) {
    self.source = TenBitRGB(source, look: look, rows: rows)
    codes = CodesFromRGB(destination, bits: 10)
  }

  /// - Parameters: both pictures in P010, or both in Y210, and of the same size.
  func convert(_ image: PixelBuffer, into result: PixelBuffer, sums: Scratch) throws(ImageError) {
    let width = image.format.size.width
    let half = (width + 1) / 2
    let isP010 = result.format.pixelFormat == .p010
    // The sums of red, green and blue over the pixels of each chroma sample.
    let memory = try sums.reserve(half * 3 * 4).bindMemory(to: Int32.self, capacity: half * 3)
    try source.convertWide(image) { y, row in
      writeLuma(row, width, into: result.planes[0].words(y), step: isP010 ? 1 : 2)
      if !isP010 {
        add(row, width, to: memory, isFirst: true)
        let words = result.planes[0].words(y)
        if width % 2 == 1 { words[width * 2] = words[width * 2 - 2] }
        return writeChroma(memory, half, shift: 1, into: words + 1, step: 4, apart: 2)
      }
      add(row, width, to: memory, isFirst: y % 2 == 0)
      let isLast = y == image.format.size.height - 1
      guard y % 2 == 1 || isLast else { return }
      // A single last row counts twice.
      if y % 2 == 0 { add(row, width, to: memory, isFirst: false) }
      writeChroma(memory, half, shift: 2, into: result.planes[1].words(y / 2), step: 2, apart: 1)
    }
  }

  private func writeLuma(_ row: WideRow, _ width: Int, into words: UnsafeMutablePointer<UInt16>, step: Int) {
    for x in 0..<width {
      let code = codes.codes(Int32(row.red[x]), Int32(row.green[x]), b: Int32(row.blue[x])).luma
      words[x &* step] = Self.word(code)
    }
  }

  /// Adds the pixels of a row to their chroma samples, two pixels for each; an odd last one counts twice.
  private func add(_ row: WideRow, _ width: Int, to sums: UnsafeMutablePointer<Int32>, isFirst: Bool) {
    for sample in 0..<(width + 1) / 2 {
      let (x, next) = (sample &* 2, min(sample &* 2 &+ 1, width &- 1))
      let place = sums + sample &* 3
      let (red, green, blue) = isFirst ? (0, 0, 0) : (place[0], place[1], place[2])
      place[0] = red &+ Int32(row.red[x]) &+ Int32(row.red[next])
      place[1] = green &+ Int32(row.green[x]) &+ Int32(row.green[next])
      place[2] = blue &+ Int32(row.blue[x]) &+ Int32(row.blue[next])
    }
  }

  /// - Parameters:
  ///   - shift: the shift that turns sums into means.
  ///   - apart: the distance from Cb to Cr in words.
  private func writeChroma(
    _ sums: UnsafePointer<Int32>, _ count: Int, shift: Int32, into words: UnsafeMutablePointer<UInt16>,
    step: Int, apart: Int
  ) {
    let half = Int32(1) &<< (shift &- 1)
    for sample in 0..<count {
      let place = sums + sample &* 3
      let mean = codes.codes(
        (place[0] &+ half) &>> shift, (place[1] &+ half) &>> shift, b: (place[2] &+ half) &>> shift)
      words[sample &* step] = Self.word(mean.cb)
      words[sample &* step &+ apart] = Self.word(mean.cr)
    }
  }

  /// A 10-bit code in the high bits of a 16-bit word.
  @inline(__always)
  private static func word(_ code: Int32) -> UInt16 {
    UInt16(truncatingIfNeeded: min(max(code, 0), 1023)) &<< 6
  }
}
