import BookScan
import Imagery

/// The brightness of a small picture, summed over its columns and over its rows. Two profiles suffice to measure how far the camera moved between the
/// two pictures (integral projections, as in K. Sauer and B. Schwartz, "Efficient Block Motion Estimation Using Integral Projections", IEEE Trans.
/// Circuits Syst. Video Technol. 6(5), 1996).
struct ViewProfile: Sendable, Hashable {
  let columns: [Double]
  let rows: [Double]

  /// - Parameter luma: a picture in the format `grey`.
  init?(_ luma: PixelBuffer) {
    let size = luma.format.size
    let (width, height) = (min(size.width, 256), min(size.height, 256))
    guard let cells = LumaCells(luma, columns: width, rows: height) else { return nil }
    var columns = [Double](repeating: 0, count: width)
    var rows = [Double](repeating: 0, count: height)
    cells.values.withUnsafeBufferPointer { values in
      columns.withUnsafeMutableBufferPointer { columns in
        for y in 0..<height {
          let line = values.baseAddress! + y * width
          var (sum, x) = (0.0, 0)
          while x < width {
            columns[x] += line[x] / Double(height)
            sum += line[x] / Double(width)
            x += 1
          }
          rows[y] = sum
        }
      }
    }
    self.columns = columns
    self.rows = rows
  }
}

/// The shift of the scene from one picture to the next.
struct ViewMotion: Sendable, Hashable {
  /// The horizontal shift, as a share of the width.
  var x: Double
  /// The vertical shift, as a share of the height.
  var y: Double
  /// The greater of the mean differences of columns and rows after the shift, 0…255. Above about 10 the pictures show different scenes.
  var residual: Double

  var distance: Double { max(abs(x), abs(y)) }

  init(from before: ViewProfile, to after: ViewProfile) {
    let (across, restAcross) = Self.shift(before.columns, after.columns)
    let (down, restDown) = Self.shift(before.rows, after.rows)
    x = across / Double(max(after.columns.count, 1))
    y = down / Double(max(after.rows.count, 1))
    residual = max(restAcross, restDown)
  }

  /// The shift with the least mean difference, and this difference. Tries shifts of up to a quarter of the length. Among shifts with equal
  /// differences, the smallest counts.
  private static func shift(_ before: [Double], _ after: [Double]) -> (Double, Double) {
    guard before.count == after.count, before.count >= 8 else { return (0, 255) }
    return before.withUnsafeBufferPointer { before in
      after.withUnsafeBufferPointer { after in
        var best = (shift: 0, difference: Double.infinity)
        // The order of the tried shifts: 0, -1, 1, -2, 2 …
        for step in 1...2 * (before.count / 4) + 1 {
          let shift = step % 2 == 0 ? -step / 2 : step / 2
          let difference = Self.difference(
            before.baseAddress!, after.baseAddress!, length: after.count, shift: shift)
          if difference < best.difference - 1e-9 { best = (shift, difference) }
        }
        return (Double(best.shift), best.difference)
      }
    }
  }

  /// The mean absolute deviation of the differences from their mean, so that a change of exposure does not count as motion.
  ///
  /// Plain loops, because this runs a hundred times per picture.
  private static func difference(
    _ before: UnsafePointer<Double>, _ after: UnsafePointer<Double>, length: Int, shift: Int
  ) -> Double {
    let (first, end) = (max(0, shift), min(length, length + shift))
    let count = Double(max(end - first, 1))
    var (sum, deviation) = (0.0, 0.0)
    var at = first
    while at < end {
      sum += after[at] - before[at - shift]
      at += 1
    }
    let mean = sum / count
    at = first
    while at < end {
      deviation += abs(after[at] - before[at - shift] - mean)
      at += 1
    }
    return deviation / count
  }
}
