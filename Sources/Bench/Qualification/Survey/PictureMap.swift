import Imagery

/// A picture as 24 × 24 means of brightness: enough to tell which way up it is.
struct PictureMap: Hashable, Sendable {
  static let side = 24
  /// Row after row, 0...255.
  let cells: [Double]

  init(cells: [Double]) {
    precondition(cells.count == PictureMap.side * PictureMap.side)
    self.cells = cells
  }

  /// Of any picture that `Imagery` can read.
  init(of picture: PixelBuffer) throws(ImageError) {
    let grey = try ImageConverter(pool: PixelBufferPool()).convert(picture, to: .grey, color: .jpeg)
    self = withExtendedLifetime(grey) { PictureMap(grey: grey.planes[0], size: grey.format.size) }
  }

  private init(grey: Plane, size: PixelSize) {
    let side = PictureMap.side
    self.init(
      cells: (0..<side * side).map { cell in
        let (row, column) = (cell / side, cell % side)
        let rows = PictureMap.span(row, of: size.height)
        let columns = PictureMap.span(column, of: size.width)
        var sum = 0
        for y in rows {
          let line = grey.base + y * grey.bytesPerRow
          for x in columns { sum += Int(line.load(fromByteOffset: x, as: UInt8.self)) }
        }
        return Double(sum) / Double(rows.count * columns.count)
      })
  }

  private static func span(_ index: Int, of length: Int) -> Range<Int> {
    let first = min(index * length / side, length - 1)
    return first..<max(first + 1, (index + 1) * length / side)
  }

  /// As it would be after `orientation` was done to it.
  func turned(_ orientation: Orientation) -> PictureMap {
    let last = PictureMap.side - 1
    var turned = cells
    for row in 0...last {
      for column in 0...last {
        var (x, y) = (column, row)
        if orientation.isMirrored { x = last - x }
        for _ in 0..<orientation.rotation.quarterTurns { (x, y) = (last - y, x) }
        turned[y * PictureMap.side + x] = cells[row * PictureMap.side + column]
      }
    }
    return PictureMap(cells: turned)
  }

  var mean: Double { cells.reduce(0, +) / Double(cells.count) }

  /// Standard deviation of the cells, in levels.
  var deviation: Double {
    let mean = mean
    return (cells.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(cells.count)).squareRoot()
  }

  /// Correlation of the two pictures, −1...1; 0 when one of them is flat.
  func likeness(to other: PictureMap) -> Double {
    let (a, b) = (mean, other.mean)
    let product = zip(cells, other.cells).reduce(0) { $0 + ($1.0 - a) * ($1.1 - b) }
    let scale = deviation * other.deviation * Double(cells.count)
    return scale > 0 ? product / scale : 0
  }

  /// What must have been done to `self` to get `other`: the fitting one of the eight. `expected` has the benefit of the doubt where
  /// two fit alike, as with a symmetric picture.
  func orientation(to other: PictureMap, expecting expected: Orientation = .upright) -> (Orientation, Double)
  {
    let fits = Orientation.allCases.map { ($0, turned($0).likeness(to: other)) }
    let asExpected = turned(expected).likeness(to: other)
    let best = fits.max { $0.1 < $1.1 } ?? (expected, asExpected)
    return asExpected >= best.1 - 0.02 ? (expected, asExpected) : best
  }

  /// Turns that look the same as none: those a symmetric picture cannot show.
  var ambiguities: [Orientation] {
    Orientation.allCases.dropFirst().filter { turned($0).likeness(to: self) >= 0.95 }
  }

  /// Whether it shows anything of a turn.
  var showsTurns: Bool { deviation >= 2 && ambiguities.count < Orientation.allCases.count - 1 }
}
