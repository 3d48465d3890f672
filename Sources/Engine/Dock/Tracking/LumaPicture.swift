import Glibc

/// The brightness of an upright picture, in full, half and quarter size.
final class LumaPicture {
  private struct Level {
    let width: Int
    let height: Int
    let codes: [UInt8]
  }

  private let levels: [Level]

  var width: Int { levels[0].width }
  var height: Int { levels[0].height }

  /// - Parameter codes: row by row, width times height codes; both sides at least 4.
  init(width: Int, height: Int, codes: [UInt8]) {
    precondition(width >= 4 && height >= 4 && codes.count == width * height, "a picture has all its pixels")
    var levels = [Level(width: width, height: height, codes: codes)]
    while levels.count < 3, let last = levels.last, last.width >= 16, last.height >= 16 {
      levels.append(Self.halved(last))
    }
    self.levels = levels
  }

  private static func halved(_ level: Level) -> Level {
    let (width, height) = (level.width / 2, level.height / 2)
    var codes = [UInt8](repeating: 0, count: width * height)
    level.codes.withUnsafeBufferPointer { source in
      codes.withUnsafeMutableBufferPointer { codes in
        for y in 0..<height {
          let (upper, lower) = (2 * y * level.width, (2 * y + 1) * level.width)
          for x in 0..<width {
            let sum =
              UInt16(source[upper + 2 * x]) + UInt16(source[upper + 2 * x + 1])
              + UInt16(source[lower + 2 * x]) + UInt16(source[lower + 2 * x + 1])
            codes[y * width + x] = UInt8((sum + 2) / 4)
          }
        }
      }
    }
    return Level(width: width, height: height, codes: codes)
  }

  /// Samples of a rectangle, `columns` times `rows`, interpolated bilinearly; outside the picture the nearest pixel counts.
  /// - Parameters:
  ///   - rect: in shares of the picture; may extend beyond it.
  ///   - turn: the angle by which the rectangle is turned about its centre, in radians.
  func samples(of rect: DockRect, columns: Int, rows: Int, turn: Double = 0) -> [Float] {
    let level = level(for: rect, columns: columns)
    let (across, down) = (rect.width * Double(level.width), rect.height * Double(level.height))
    let middle = (x: rect.center.x * Double(level.width), y: rect.center.y * Double(level.height))
    let (cosine, sine) = (cos(turn), sin(turn))
    var samples = [Float](repeating: 0, count: columns * rows)
    level.codes.withUnsafeBufferPointer { codes in
      samples.withUnsafeMutableBufferPointer { samples in
        for row in 0..<rows {
          let v = ((Double(row) + 0.5) / Double(rows) - 0.5) * down
          for column in 0..<columns {
            let u = ((Double(column) + 0.5) / Double(columns) - 0.5) * across
            let (x, y) = (middle.x + u * cosine - v * sine, middle.y + u * sine + v * cosine)
            samples[row * columns + column] = Self.sample(
              codes, level.width, height: level.height, x: x - 0.5, y: y - 0.5)
          }
        }
      }
    }
    return samples
  }

  /// The coarsest level that has a pixel for each sample.
  private func level(for rect: DockRect, columns: Int) -> Level {
    let step = rect.width * Double(width) / Double(columns)
    let index = step >= 4 ? 2 : step >= 2 ? 1 : 0
    return levels[min(index, levels.count - 1)]
  }

  @inline(__always)
  private static func sample(
    _ codes: UnsafeBufferPointer<UInt8>, _ width: Int, height: Int, x: Double, y: Double
  ) -> Float {
    let x = Float(min(max(x, 0), Double(width - 1)))
    let y = Float(min(max(y, 0), Double(height - 1)))
    let (left, top) = (Int(x), Int(y))
    let (right, bottom) = (min(left + 1, width - 1), min(top + 1, height - 1))
    let (dx, dy) = (x - Float(left), y - Float(top))
    let upper = Float(codes[top * width + left]) * (1 - dx) + Float(codes[top * width + right]) * dx
    let lower = Float(codes[bottom * width + left]) * (1 - dx) + Float(codes[bottom * width + right]) * dx
    return upper * (1 - dy) + lower * dy
  }
}
