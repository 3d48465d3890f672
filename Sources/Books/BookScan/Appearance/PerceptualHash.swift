import Glibc
public import Imagery

/// A hash of 64 bits that hardly changes if a picture is scaled, recompressed or lit differently. The bits tell which of the 8 × 8 lowest
/// frequencies of a 32 × 32 copy are above their median (C. Zauner, "Implementation and Benchmarking of Perceptual Image Hash Functions", 2010,
/// section 3.2: the DCT based hash).
public struct PerceptualHash: Hashable, Sendable, Codable {
  /// The 64 bits. Save them to recreate the hash.
  public let bits: UInt64

  /// Creates a hash from its saved `bits`.
  public init(bits: UInt64) { self.bits = bits }

  /// The number of differing bits, 0...64. Unrelated pictures are about 32 apart.
  public func distance(to other: PerceptualHash) -> Int { (bits ^ other.bits).nonzeroBitCount }

  /// - Parameters:
  ///   - luma: a picture in the format `grey`.
  ///   - box: the part of the picture to hash, in pixels; nil for all. Parts outside the picture are ignored.
  /// - Returns: nil for another format, or if less than 8 × 8 pixels are left.
  public init?(_ luma: PixelBuffer, in box: Box? = nil) {
    guard let cells = LumaCells(luma, in: box, columns: Self.side, rows: Self.side) else { return nil }
    self.init(cells)
  }

  package static let side = 32

  /// - Parameter cells: 32 × 32 cells.
  package init(_ cells: LumaCells) {
    let waves = Self.frequencies(of: cells.values)
    let median = waves.sorted()[waves.count / 2]
    bits = waves.enumerated().reduce(0) { $1.element > median ? $0 | 1 << UInt64($1.offset) : $0 }
  }

  /// Coefficients 1...8 of the type II DCT in both directions. Coefficient 0, the mean brightness, is left out.
  private static func frequencies(of values: [Double]) -> [Double] {
    let across = (0..<side * 8).map { product(values, from: $0 / 8 * side, by: 1, wave: $0 % 8) }
    return (0..<64).map { product(across, from: $0 % 8, by: 8, wave: $0 / 8) }
  }

  /// The sum of 32 values times a cosine wave.
  private static func product(_ values: [Double], from start: Int, by step: Int, wave: Int) -> Double {
    values.withUnsafeBufferPointer { values in
      cosines.withUnsafeBufferPointer { cosines in
        var (sum, place) = (0.0, 0)
        while place < side {
          sum += values[start + place * step] * cosines[wave * side + place]
          place += 1
        }
        return sum
      }
    }
  }

  /// The cosines of frequencies 1...8 at each of the 32 samples.
  private static let cosines: [Double] = (1...8).flatMap { frequency in
    (0..<side).map { (sample: Int) -> Double in
      let middle = Double(sample) + 0.5
      return cos(Double.pi * middle * Double(frequency) / Double(side))
    }
  }
}

/// The mean luma of the cells of a grid laid over a picture.
package struct LumaCells: Sendable, Hashable {
  package let columns: Int
  package let rows: Int
  /// The means, 0...255, row by row.
  package let values: [Double]

  /// - Returns: nil for another format than `grey`, or if less than 8 × 8 pixels are left.
  package init?(_ luma: PixelBuffer, in box: Box? = nil, columns: Int, rows: Int) {
    guard luma.format.pixelFormat == .grey, let plane = luma.planes.first else { return nil }
    let size = luma.format.size
    let (left, width) = Self.range(box?.x, box?.width, within: size.width)
    let (top, height) = Self.range(box?.y, box?.height, within: size.height)
    guard width >= 8, height >= 8 else { return nil }
    var values = [Double](repeating: 0, count: columns * rows)
    let across = (0..<columns).map { Self.cell($0, of: columns, over: width) }
    for row in 0..<rows {
      let lines = Self.cell(row, of: rows, over: height)
      for column in 0..<columns {
        let dots = across[column]
        let area = (lines.upperBound - lines.lowerBound) * (dots.upperBound - dots.lowerBound)
        var sum = 0
        var y = lines.lowerBound
        while y < lines.upperBound {
          let line = plane.base.advanced(by: (top + y) * plane.bytesPerRow + left)
            .assumingMemoryBound(to: UInt8.self)
          var x = dots.lowerBound
          while x < dots.upperBound {
            sum += Int(line[x])
            x += 1
          }
          y += 1
        }
        values[row * columns + column] = Double(sum) / Double(area)
      }
    }
    self.columns = columns
    self.rows = rows
    self.values = values
  }

  /// The mean absolute difference of the cells, 0...255.
  package func difference(to other: LumaCells) -> Double {
    guard values.count == other.values.count, !values.isEmpty else { return 255 }
    return zip(values, other.values).reduce(0) { $0 + abs($1.0 - $1.1) } / Double(values.count)
  }

  private static func range(_ start: Double?, _ length: Double?, within limit: Int) -> (Int, Int) {
    guard let start, let length else { return (0, limit) }
    guard start.isFinite, length.isFinite else { return (0, 0) }
    let first = Int(min(max(start, 0), Double(limit)).rounded(.down))
    let last = Int(min(max(start + length, 0), Double(limit)).rounded(.up))
    return (first, last - first)
  }

  /// The samples of a cell: at least one, even if the picture is smaller than the grid.
  private static func cell(_ index: Int, of count: Int, over length: Int) -> Range<Int> {
    let start = index * length / count
    return start..<max(start + 1, (index + 1) * length / count)
  }
}
