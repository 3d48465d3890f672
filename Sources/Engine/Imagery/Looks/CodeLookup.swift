import CPixelMath

/// The nodes of a lattice in fixed point: blue, green, red and an unused word, 16 bits each, so that results are in BGRA order.
struct CodeNodes: Sendable {
  /// Four words for each node.
  let words: [Int16]
  /// The number of fraction bits.
  let fraction: Int

  /// - Parameter most: the code of 1.0. There are as many fraction bits as the largest node leaves in 16 bits, possibly none.
  init(_ lattice: LookupLattice?, most: Int) {
    guard let lattice else {
      words = []
      fraction = 0
      return
    }
    let largest = lattice.values.reduce(Float(1)) { max($0, abs($1)) }
    let finest = most == 255 ? 6 : 4
    let bits = (0...finest).last { Double(largest) * Double(most << $0) <= 32_767 } ?? 0
    let scale = Double(most << bits)
    var words = [Int16](repeating: 0, count: lattice.values.count / 3 * 4)
    lattice.values.withUnsafeBufferPointer { values in
      for node in 0..<values.count / 3 {
        for channel in 0..<3 {
          let value = (Double(values[node &* 3 &+ channel]) * scale).rounded()
          words[node &* 4 &+ 2 &- channel] = Int16(min(max(value, -32_767), 32_767))
        }
      }
    }
    self.words = words
    fraction = bits
  }
}

/// A look prepared for codes of one depth: the lattice cell of each code of a channel, and the distance from its corner.
/// Curves before a lattice, and the lattice's domain, are part of these tables and cost no time for each pixel.
struct CodeLookup: Sendable {
  /// The position of a code along one axis of the lattice.
  struct Place: Sendable {
    /// The offset of the cell's corner in words.
    var offset: Int32
    /// The distance from the corner to the next node, in 1/16384.
    var fraction: Int32
  }

  /// One entry for each code, of blue, green and red in turn; empty without a lattice.
  private let places: [Place]
  private let nodes: CodeNodes
  /// Without a lattice: the new code for each code, of blue, green and red in turn.
  private let codes: [UInt16]
  /// The new codes as tables for libyuv, for 8 bits only: four bytes for each code, in BGRA or RGBA order.
  private let (tableBGRA, tableRGBA): ([UInt8], [UInt8])
  /// The number of codes of a channel.
  private let count: Int
  private let most: Int16
  /// The distance in words to the next node along blue, green and red.
  private let steps: (blue: Int, green: Int, red: Int)

  /// - Parameters:
  ///   - nodes: the nodes of `lattice`, for results up to `most`.
  ///   - inputBits: 8 or 10.
  init(
    _ curves: LookupCurves?, _ lattice: LookupLattice?, nodes: CodeNodes, inputBits: Int, most: Int16
  ) {
    let count = 1 << inputBits
    self.count = count
    self.most = most
    self.nodes = nodes
    let inputs = (0..<count).map { code in
      let value = SIMD3<Double>(repeating: Double(code) / Double(count - 1))
      return curves?.value(value) ?? value
    }
    guard let lattice else {
      let codes = [2, 1, 0].flatMap { channel in inputs.map { Self.code($0[channel], most) } }
      self.codes = codes
      places = []
      steps = (0, 0, 0)
      let isByte = inputBits == 8 && most == 255
      tableBGRA = isByte ? Self.table(codes, [0, 1, 2]) : []
      tableRGBA = isByte ? Self.table(codes, [2, 1, 0]) : []
      return
    }
    places = [2, 1, 0].flatMap { channel in
      inputs.map { Self.place($0[channel], on: lattice, channel) }
    }
    codes = []
    tableBGRA = []
    tableRGBA = []
    steps = (lattice.strides[2] * 4, lattice.strides[1] * 4, lattice.strides[0] * 4)
  }

  private static func code(_ value: Double, _ most: Int16) -> UInt16 {
    UInt16(min(max((value * Double(most)).rounded(), 0), Double(most)))
  }

  private static func table(_ codes: [UInt16], _ order: [Int]) -> [UInt8] {
    (0..<256).flatMap { code in
      order.map { UInt8(truncatingIfNeeded: codes[$0 * 256 + code]) } + [UInt8(code)]
    }
  }

  private static func place(_ value: Double, on lattice: LookupLattice, _ channel: Int) -> Place {
    let position = lattice.domain[channel].position(of: value, among: lattice.size)
    let index = min(Int(position), lattice.size - 2)
    return Place(
      offset: Int32(index * lattice.strides[channel] * 4),
      fraction: Int32(((position - Double(index)) * 16_384).rounded()))
  }

  // MARK: 8 bits

  /// Applies the look to 8-bit full-range codes in place; alpha stays.
  func apply(to pixels: PackedPixels, _ size: PixelSize) {
    guard !places.isEmpty else {
      let table = pixels.isRGBA ? tableRGBA : tableBGRA
      return RGBRange.apply(table, to: pixels, size)
    }
    withCells { cells in
      for y in 0..<size.height {
        let row = pixels.base + y * pixels.bytesPerRow
        if pixels.isRGBA { cells.mixRGBA(row, size.width) } else { cells.mixBGRA(row, size.width) }
      }
    }
  }

  // MARK: 10 bits

  /// Converts a row of codes of each colour, with `inputBits` bits, to opaque BGRA or RGBA bytes.
  func convert(_ row: WideRow, width: Int, isRGBA: Bool, into bytes: UnsafeMutablePointer<UInt8>) {
    let (redAt, blueAt) = isRGBA ? (0, 2) : (2, 0)
    convert(row, width: width) { x, blue, green, red in
      bytes[x &* 4 &+ blueAt] = UInt8(truncatingIfNeeded: blue)
      bytes[x &* 4 &+ 1] = UInt8(truncatingIfNeeded: green)
      bytes[x &* 4 &+ redAt] = UInt8(truncatingIfNeeded: red)
      bytes[x &* 4 &+ 3] = 255
    }
  }

  /// Converts a row of codes in place, with results up to `most`.
  func convert(_ row: WideRow, width: Int) {
    convert(row, width: width) { x, blue, green, red in
      row.blue[x] = Int16(truncatingIfNeeded: blue)
      row.green[x] = Int16(truncatingIfNeeded: green)
      row.red[x] = Int16(truncatingIfNeeded: red)
    }
  }

  @inline(__always)
  private func convert(
    _ row: WideRow, width: Int, store: (_ x: Int, _ blue: UInt16, _ green: UInt16, _ red: UInt16) -> Void
  ) {
    let last = Int16(truncatingIfNeeded: count - 1)
    guard !places.isEmpty else {
      return codes.withUnsafeBufferPointer { codes in
        for x in 0..<width {
          let (b, g, r) = row.clamped(x, to: last)
          store(x, codes[b], codes[count &+ g], codes[2 &* count &+ r])
        }
      }
    }
    withCells { cells in
      for x in 0..<width {
        let (b, g, r) = row.clamped(x, to: last)
        let words = cells.words(b, g, r: r, most: most)
        store(
          x, UInt16(truncatingIfNeeded: words), UInt16(truncatingIfNeeded: words &>> 16),
          UInt16(truncatingIfNeeded: words &>> 32))
      }
    }
  }

  @inline(__always)
  private func withCells(_ body: (LatticeCells) -> Void) {
    places.withUnsafeBufferPointer { places in
      nodes.words.withUnsafeBufferPointer { words in
        guard let first = places.baseAddress, let words = words.baseAddress else { return }
        body(
          LatticeCells(
            nodes: words, blue: first, green: first + count, red: first + 2 * count, steps: steps,
            shift: Int32(14 + nodes.fraction)))
      }
    }
  }
}

/// A row of 10-bit codes, one plane for each colour. Its owner keeps the memory.
struct WideRow {
  let red, green, blue: UnsafeMutablePointer<Int16>

  @inline(__always)
  fileprivate func clamped(_ x: Int, to last: Int16) -> (blue: Int, green: Int, red: Int) {
    (
      Int(min(max(blue[x], 0), last)), Int(min(max(green[x], 0), last)), Int(min(max(red[x], 0), last))
    )
  }
}

/// The lattice during its use. The loops read memory without bounds checks: codes are within the tables by construction.
private struct LatticeCells {
  let nodes: UnsafePointer<Int16>
  let blue, green, red: UnsafePointer<CodeLookup.Place>
  let steps: (blue: Int, green: Int, red: Int)
  let shift: Int32

  // One loop for each byte order, so that no choice is made for each pixel.

  @inline(never)
  func mixBGRA(_ row: UnsafeMutablePointer<UInt8>, _ width: Int) {
    let (pixels, cells) = (UnsafeMutableRawPointer(row), self)
    for x in 0..<width {
      let pixel = pixels.loadUnaligned(fromByteOffset: x &* 4, as: UInt32.self)
      let mixed = cells.bytes(Int(pixel & 255), Int(pixel &>> 8 & 255), r: Int(pixel &>> 16 & 255))
      pixels.storeBytes(
        of: mixed & 0xFF_FFFF | pixel & 0xFF00_0000, toByteOffset: x &* 4, as: UInt32.self)
    }
  }

  @inline(never)
  func mixRGBA(_ row: UnsafeMutablePointer<UInt8>, _ width: Int) {
    let (pixels, cells) = (UnsafeMutableRawPointer(row), self)
    for x in 0..<width {
      let pixel = pixels.loadUnaligned(fromByteOffset: x &* 4, as: UInt32.self)
      let mixed = cells.bytes(Int(pixel &>> 16 & 255), Int(pixel &>> 8 & 255), r: Int(pixel & 255))
      // Swaps blue and red.
      let turned = mixed &>> 16 & 0xFF | mixed & 0xFF00 | (mixed & 0xFF) &<< 16
      pixels.storeBytes(of: turned | pixel & 0xFF00_0000, toByteOffset: x &* 4, as: UInt32.self)
    }
  }

  @inline(__always)
  private func bytes(_ b: Int, _ g: Int, r: Int) -> UInt32 {
    let way = way(blue[b], green[g], r: red[r])
    return cpixel_mix_bytes(
      way.corner, way.corner + way.first, way.corner + way.second, way.corner + way.end, way.weights.0,
      way.weights.1, way.weights.2, way.weights.3, shift)
  }

  @inline(__always)
  func words(_ b: Int, _ g: Int, r: Int, most: Int16) -> UInt64 {
    let way = way(blue[b], green[g], r: red[r])
    return cpixel_mix_words(
      way.corner, way.corner + way.first, way.corner + way.second, way.corner + way.end, way.weights.0,
      way.weights.1, way.weights.2, way.weights.3, shift, most)
  }

  /// The path along the edges of a cell from its dark corner to its bright one, and the weights of its four nodes.
  private struct Way {
    let corner: UnsafePointer<Int16>
    let first, second, end: Int
    let weights: (Int32, Int32, Int32, Int32)
  }

  /// Chooses the way by the order of the fractions. Uses no branches, which the processor could not predict.
  @inline(__always)
  private func way(_ b: CodeLookup.Place, _ g: CodeLookup.Place, r: CodeLookup.Place) -> Way {
    let end = steps.blue &+ steps.green &+ steps.red
    let isRedOverGreen = r.fraction >= g.fraction
    let more = isRedOverGreen ? r.fraction : g.fraction
    let less = isRedOverGreen ? g.fraction : r.fraction
    let moreStep = isRedOverGreen ? steps.red : steps.green
    let lessStep = isRedOverGreen ? steps.green : steps.red
    let isMost = more >= b.fraction
    let isLeast = less <= b.fraction
    let greatest = isMost ? more : b.fraction
    let least = isLeast ? less : b.fraction
    let middle = r.fraction &+ g.fraction &+ b.fraction &- greatest &- least
    return Way(
      corner: nodes + Int(b.offset &+ g.offset &+ r.offset),
      first: isMost ? moreStep : steps.blue, second: end &- (isLeast ? lessStep : steps.blue), end: end,
      weights: (16_384 &- greatest, greatest &- middle, middle &- least, least))
  }
}
