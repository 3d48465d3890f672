import Imagery

/// The brightness of a small picture summed down its columns and along its rows: enough to see how far the camera has moved
/// since another one (integral projections, as in K. Sauer and B. Schwartz, "Efficient Block Motion Estimation Using Integral
/// Projections", IEEE Trans. Circuits Syst. Video Technol. 6(5), 1996).
struct ViewProfile: Sendable, Hashable {
  let columns: [Double]
  let rows: [Double]

  /// - Parameter luma: in the format `grey`.
  init?(_ luma: PixelBuffer) {
    let size = luma.format.size
    let (width, height) = (min(size.width, 256), min(size.height, 256))
    guard let cells = LumaCells(luma, columns: width, rows: height) else { return nil }
    var columns = [Double](repeating: 0, count: width)
    var rows = [Double](repeating: 0, count: height)
    for y in 0..<height {
      for x in 0..<width {
        let value = cells.values[y * width + x]
        columns[x] += value / Double(height)
        rows[y] += value / Double(width)
      }
    }
    (self.columns, self.rows) = (columns, rows)
  }
}

/// How far the scene has moved from one picture to the next.
struct ViewMotion: Sendable, Hashable {
  /// Shares of width and height.
  var x: Double
  var y: Double
  /// How badly the two fit after that, 0…255: above 10 or so they show different things.
  var residual: Double

  var distance: Double { max(abs(x), abs(y)) }

  init(from before: ViewProfile, to after: ViewProfile) {
    let (across, restAcross) = Self.shift(before.columns, after.columns)
    let (down, restDown) = Self.shift(before.rows, after.rows)
    x = across / Double(max(after.columns.count, 1))
    y = down / Double(max(after.rows.count, 1))
    residual = max(restAcross, restDown)
  }

  /// The shift of up to a quarter with the least mean difference; the smaller one of equals.
  private static func shift(_ before: [Double], _ after: [Double]) -> (Double, Double) {
    guard before.count == after.count, before.count >= 8 else { return (0, 255) }
    let reach = before.count / 4
    var best = (shift: 0, difference: Double.infinity)
    for shift in (-reach...reach).sorted(by: { abs($0) < abs($1) }) {
      let range = max(0, shift)..<min(after.count, after.count + shift)
      let difference = Self.difference(range.map { after[$0] - before[$0 - shift] })
      if difference < best.difference - 1e-9 { best = (shift, difference) }
    }
    return (Double(best.shift), best.difference)
  }

  /// Mean deviation from the mean, so that a change of exposure is no motion.
  private static func difference(_ steps: [Double]) -> Double {
    let count = Double(max(steps.count, 1))
    let mean = steps.reduce(0, +) / count
    return steps.reduce(0) { $0 + abs($1 - mean) } / count
  }
}
