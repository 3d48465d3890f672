/// The probability of text at each pixel, 0…255, in rows without padding.
struct TextMap {
  var width: Int
  var height: Int
  var bytes: [UInt8]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    bytes = [UInt8](repeating: 0, count: width * height)
  }
}

/// Connected areas of a text map above a threshold, as rectangles: the decoding step of differentiable binarisation (Liao
/// et al., "Real-time scene text detection with differentiable binarization", AAAI 2020).
struct ConnectedComponents {
  /// The least value of a pixel that belongs to text.
  var threshold: UInt8 = 77
  /// The least mean probability over a rectangle, 0…1.
  var leastScore = 0.45
  /// The factor of enlargement: the map shows areas shrunken, so each side of a rectangle moves out by area × `growth` /
  /// perimeter.
  var growth = 1.6
  /// The least length of the shorter side of an area before its enlargement, map pixels.
  var leastSide = 3.0
  /// The greatest number of areas that are taken from a map.
  var limit = 3000

  struct Area {
    /// The rectangle in map pixels; its longer side runs along its angle.
    var region: TextRegion
    /// The mean probability over the rectangle, 0…1.
    var score: Double
  }

  func areas(of map: TextMap) -> [Area] {
    var map = map
    var pixels: [Int32] = []
    var areas: [Area] = []
    for start in map.bytes.indices where map.bytes[start] >= threshold {
      let sum = flood(&map, Int32(start), &pixels)
      guard let area = rectangle(pixels, map.width, sum) else { continue }
      areas.append(area)
      if areas.count == limit { break }
    }
    return areas
  }

  /// Collects the 8-connected area around `start` into `pixels`, and clears the area in the map.
  /// - Returns: the sum of the area's values.
  private func flood(_ map: inout TextMap, _ start: Int32, _ pixels: inout [Int32]) -> Int {
    pixels.removeAll(keepingCapacity: true)
    pixels.append(start)
    let (width, height) = (map.width, map.height)
    return map.bytes.withUnsafeMutableBufferPointer { bytes in
      var sum = Int(bytes[Int(start)])
      bytes[Int(start)] = 0
      var next = 0
      while next < pixels.count {
        let (x, y) = (Int(pixels[next]) % width, Int(pixels[next]) / width)
        next += 1
        for row in max(0, y - 1)...min(height - 1, y + 1) {
          for column in max(0, x - 1)...min(width - 1, x + 1) {
            let index = row &* width &+ column
            let value = bytes[index]
            guard value >= threshold else { continue }
            sum += Int(value)
            bytes[index] = 0
            pixels.append(Int32(index))
          }
        }
      }
      return sum
    }
  }

  private func rectangle(_ pixels: [Int32], _ width: Int, _ sum: Int) -> Area? {
    guard pixels.count > 8, var region = MinimumRectangle.around(outline(pixels, width)) else { return nil }
    let score = Double(sum) / 255 / region.area
    guard region.height >= leastSide, score >= leastScore else { return nil }
    let distance = region.area * growth / (2 * (region.length + region.height))
    region.length += 2 * distance
    region.height += 2 * distance
    return Area(region: region, score: min(score, 1))
  }

  /// Returns the corners of the first and the last pixel of each row.
  private func outline(_ pixels: [Int32], _ width: Int) -> [Point] {
    let rows = pixels.map { Int($0) / width }
    guard let top = rows.min(), let bottom = rows.max() else { return [] }
    var extents = [(Int, Int)](repeating: (.max, .min), count: bottom - top + 1)
    for pixel in pixels {
      let (x, row) = (Int(pixel) % width, Int(pixel) / width - top)
      extents[row] = (min(extents[row].0, x), max(extents[row].1, x))
    }
    return extents.enumerated().flatMap { row, extent in
      [extent.0, extent.1 + 1].flatMap { x in
        [0, 1].map { Point(x: Double(x), y: Double(top + row + $0)) }
      }
    }
  }
}
