/// Contrast-limited adaptive histogram equalisation (Zuiderveld, in "Graphics Gems IV", 1994), each colour by itself: print that is
/// nearly as bright as its ground stands out from it.
struct ContrastEqualization {
  /// The picture is divided into so many tiles a side, each with a curve of its own.
  var tiles = 16
  /// A level counts at most so many times the mean of all levels in its tile; what is more is shared by all levels.
  var clip = 4.0

  /// A copy with the blue, green and red of each pixel changed; alpha stays.
  func applied(to raster: Raster) throws(ScanError) -> Raster {
    let (columns, rows) = (Axis(raster.width, tiles), Axis(raster.height, tiles))
    let curves = curves(raster, columns, rows)
    return try raster.remade { target in
      for y in 0..<raster.height {
        let start = y * raster.bytesPerRow
        write(raster.base + start, target + start, curves, columns, rows, y)
      }
    }
  }

  /// The tiles along one side.
  private struct Axis {
    /// Where each tile begins, and the end of the last.
    var bounds: [Int]
    /// By pixel: the tile whose middle it has passed, the next, and how near it is to the next, 0…256.
    var places: [(tile: Int, next: Int, weight: Int32)]

    init(_ length: Int, _ tiles: Int) {
      let count = max(1, min(tiles, length))
      bounds = (0...count).map { $0 * length / count }
      places = (0..<length).map { position in
        let place = (Double(position) + 0.5) * Double(count) / Double(length) - 0.5
        guard place > 0 else { return (0, 0, 0) }
        let tile = min(Int(place), count - 1)
        return (tile, min(tile + 1, count - 1), Int32(((place - Double(tile)) * 256).rounded()))
      }
    }

    var count: Int { bounds.count - 1 }
  }

  /// By tile, colour and level: the new level.
  private func curves(_ raster: Raster, _ columns: Axis, _ rows: Axis) -> [UInt8] {
    var curves: [UInt8] = []
    curves.reserveCapacity(rows.count * columns.count * 768)
    for row in 0..<rows.count {
      for column in 0..<columns.count {
        let (left, right) = (columns.bounds[column], columns.bounds[column + 1])
        let (top, bottom) = (rows.bounds[row], rows.bounds[row + 1])
        let counts = Self.counts(raster, left..<right, top..<bottom)
        for color in 0..<3 {
          curves += Self.curve(
            counts[(color * 256)..<(color * 256 + 256)], area: (right - left) * (bottom - top), clip)
        }
      }
    }
    return curves
  }

  /// How often each level of each colour occurs.
  private static func counts(_ raster: Raster, _ columns: Range<Int>, _ rows: Range<Int>) -> [Int32] {
    var counts = [Int32](repeating: 0, count: 768)
    counts.withUnsafeMutableBufferPointer { counts in
      for y in rows {
        var pixel = raster.base + (y * raster.bytesPerRow + columns.lowerBound * 4)
        for _ in columns {
          counts[Int(pixel[0])] &+= 1
          counts[256 &+ Int(pixel[1])] &+= 1
          counts[512 &+ Int(pixel[2])] &+= 1
          pixel += 4
        }
      }
    }
    return counts
  }

  /// The share of a tile's pixels that are at most as bright, of 255, by clipped counts.
  static func curve(_ counts: ArraySlice<Int32>, area: Int, _ clip: Double) -> [UInt8] {
    let most = max(1, Int(clip * Double(area) / 256))
    var clipped = counts.map { min(Int($0), most) }
    let excess = area - clipped.reduce(0, +)
    for level in clipped.indices { clipped[level] += excess / 256 }
    let rest = excess % 256
    if rest > 0 { for index in 0..<rest { clipped[index * 256 / rest] += 1 } }
    var sum = 0
    return clipped.map { count in
      sum += count
      return UInt8((sum * 255 + area / 2) / area)
    }
  }

  /// Each level by the curves of the four tiles whose middles are around its pixel, the nearer the more.
  private func write(
    _ source: UnsafeMutablePointer<UInt8>, _ target: UnsafeMutablePointer<UInt8>, _ curves: [UInt8],
    _ columns: Axis, _ rows: Axis, _ y: Int
  ) {
    let row = rows.places[y]
    let (upper, lower) = (row.tile * columns.count * 768, row.next * columns.count * 768)
    curves.withUnsafeBufferPointer { curves in
      for (x, place) in columns.places.enumerated() {
        let (left, right) = (place.tile &* 768, place.next &* 768)
        for color in 0..<3 {
          let index = x &* 4 &+ color
          let level = color &* 256 &+ Int(source[index])
          let above =
            Int32(curves[upper &+ left &+ level]) &* (256 &- place.weight)
            &+ Int32(curves[upper &+ right &+ level]) &* place.weight
          let below =
            Int32(curves[lower &+ left &+ level]) &* (256 &- place.weight)
            &+ Int32(curves[lower &+ right &+ level]) &* place.weight
          target[index] = UInt8(
            truncatingIfNeeded: (above &* (256 &- row.weight) &+ below &* row.weight &+ 32768) >> 16)
        }
        target[x &* 4 &+ 3] = source[x &* 4 &+ 3]
      }
    }
  }
}
