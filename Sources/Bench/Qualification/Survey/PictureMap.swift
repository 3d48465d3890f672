import Imagery

/// A picture as 24 × 24 mean brightness values: enough to tell its orientation.
struct PictureMap: Hashable, Sendable {
  static let side = 24
  /// Row by row, 0...255.
  let cells: [Double]

  init(cells: [Double]) {
    precondition(cells.count == PictureMap.side * PictureMap.side)
    self.cells = cells
  }

  /// Creates the map of any picture that `Imagery` can read.
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

  /// Returns the map after applying `orientation`.
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

  /// Returns the correlation of the two pictures, −1...1; 0 if one of them is flat.
  func likeness(to other: PictureMap) -> Double {
    let (a, b) = (mean, other.mean)
    let product = zip(cells, other.cells).reduce(0) { $0 + ($1.0 - a) * ($1.1 - b) }
    let scale = deviation * other.deviation * Double(cells.count)
    return scale > 0 ? product / scale : 0
  }

  /// Returns the orientation that turns `self` into `other`: the best fit of the eight. `expected` is preferred if it fits almost as well, as in a
  /// symmetric picture.
  func orientation(to other: PictureMap, expecting expected: Orientation = .upright) -> (Orientation, Double)
  {
    let fits = Orientation.allCases.map { ($0, turned($0).likeness(to: other)) }
    let asExpected = turned(expected).likeness(to: other)
    let best = fits.max { $0.1 < $1.1 } ?? (expected, asExpected)
    return asExpected >= best.1 - 0.02 ? (expected, asExpected) : best
  }

  /// The orientations in which the picture looks as it does upright, because it is symmetric.
  var ambiguities: [Orientation] {
    Orientation.allCases.dropFirst().filter { turned($0).likeness(to: self) >= 0.95 }
  }

  /// Whether the picture can show a turn at all.
  var showsTurns: Bool { deviation >= 2 && ambiguities.count < Orientation.allCases.count - 1 }
}
