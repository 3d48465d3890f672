package import Imagery

/// A picture as red, green and blue in doubles, 0...255, row by row, as a reference for the engine's pictures. Nothing in it uses the engine's
/// decoding, scaling, turning or conversion.
package struct ReferencePicture {
  package let size: PixelSize
  /// Fills `samples` with red, green and blue of each pixel of a row: 3 · width numbers.
  let fill: (_ row: Int, _ samples: UnsafeMutableBufferPointer<Double>) -> Void

  /// Creates a picture from packed bytes of red, green and blue.
  init(size: PixelSize, rgb bytes: [UInt8]) {
    self.size = size
    fill = { row, samples in
      bytes.withUnsafeBufferPointer { bytes in
        let start = row * size.width * 3
        for index in 0..<size.width * 3 { samples[index] = Double(bytes[start + index]) }
      }
    }
  }

  init(
    size: PixelSize, fill: @escaping (_ row: Int, _ samples: UnsafeMutableBufferPointer<Double>) -> Void
  ) {
    self.size = size
    self.fill = fill
  }

  /// All samples at the picture's own size.
  package var samples: RGBSamples {
    var values = [Double](repeating: 0, count: size.area * 3)
    values.withUnsafeMutableBufferPointer { values in
      for row in 0..<size.height {
        fill(
          row, UnsafeMutableBufferPointer(rebasing: values[row * size.width * 3..<(row + 1) * size.width * 3])
        )
      }
    }
    return RGBSamples(size: size, values: values)
  }

  /// Scales down with an ideal filter: each pixel is the mean of the area it covers.
  /// - Parameter target: the size, at most that of the picture on either side.
  package func averaged(to target: PixelSize) -> RGBSamples {
    let (columns, rows) = (
      Coverage(from: size.width, to: target.width), Coverage(from: size.height, to: target.height)
    )
    var line = [Double](repeating: 0, count: size.width * 3)
    var narrow = [Double](repeating: 0, count: (target.width + 1) * 3)
    var values = [Double](repeating: 0, count: target.width * (target.height + 1) * 3)
    for row in 0..<size.height {
      line.withUnsafeMutableBufferPointer { fill(row, $0) }
      columns.gather(line, into: &narrow)
      let start = rows.index[row] * target.width * 3
      Self.add(narrow, times: rows.first[row], to: &values, at: start, count: target.width * 3)
      guard rows.second[row] > 0 else { continue }
      Self.add(
        narrow, times: rows.second[row], to: &values, at: start + target.width * 3, count: target.width * 3)
    }
    values.removeLast(target.width * 3)
    return RGBSamples(size: target, values: values)
  }

  private static func add(
    _ line: [Double], times share: Double, to values: inout [Double], at start: Int, count: Int
  ) {
    line.withUnsafeBufferPointer { line in
      values.withUnsafeMutableBufferPointer { values in
        for index in 0..<count { values[start + index] += line[index] * share }
      }
    }
  }
}

/// The pixels of a shorter row that each pixel contributes to, one or two, and its share in each.
private struct Coverage {
  let index: [Int]
  let first, second: [Double]

  init(from source: Int, to target: Int) {
    precondition(target >= 1 && target <= source, "an area can only be averaged into fewer pixels")
    // The starts of the source pixels, in a unit in which a source pixel is `target` long and a target pixel
    // is `source` long.
    let starts = (0..<source).map { $0 * target }
    index = starts.map { $0 / source }
    first = starts.map { Double(min($0 + target, ($0 / source + 1) * source) - $0) / Double(source) }
    second = zip(starts, first).map { _, first in Double(target) / Double(source) - first }
      .map { $0 < 1e-12 ? 0 : $0 }
  }

  /// Adds red, green and blue of a row to those of the shorter row `narrow`, which has space for one pixel beyond its end.
  func gather(_ line: [Double], into narrow: inout [Double]) {
    narrow.withUnsafeMutableBufferPointer { narrow in
      narrow.update(repeating: 0)
      line.withUnsafeBufferPointer { line in
        for x in 0..<index.count {
          let (place, a, b) = (index[x] * 3, first[x], second[x])
          for channel in 0..<3 {
            let value = line[x * 3 + channel]
            narrow[place + channel] += value * a
            narrow[place + 3 + channel] += value * b
          }
        }
      }
    }
  }
}

/// Red, green and blue of every pixel, 0...255.
package struct RGBSamples {
  package let size: PixelSize
  package let values: [Double]

  package init(size: PixelSize, values: [Double]) {
    self.size = size
    self.values = values
  }

  /// Returns the samples mirrored, then turned clockwise.
  package func turned(_ orientation: Orientation) -> RGBSamples {
    guard orientation != .upright else { return self }
    let upright = orientation.rotation.swapsAxes ? PixelSize(width: size.height, height: size.width) : size
    var turned = [Double](repeating: 0, count: values.count)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let place = Self.place(x, y, size: size, orientation: orientation)
        let (from, to) = ((y * size.width + x) * 3, (place.y * upright.width + place.x) * 3)
        for channel in 0..<3 { turned[to + channel] = values[from + channel] }
      }
    }
    return RGBSamples(size: upright, values: turned)
  }

  private static func place(_ x: Int, _ y: Int, size: PixelSize, orientation: Orientation) -> (
    x: Int, y: Int
  ) {
    let x = orientation.isMirrored ? size.width - 1 - x : x
    return switch orientation.rotation {
    case .none: (x, y)
    case .clockwise90: (size.height - 1 - y, x)
    case .half: (size.width - 1 - x, size.height - 1 - y)
    case .clockwise270: (y, size.width - 1 - x)
    }
  }
}
