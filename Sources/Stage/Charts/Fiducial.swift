public import Imagery

/// A mark that distinguishes all eight ways in which a picture can be turned and mirrored.
///
/// Six by six cells, eighteen dark, eighteen light. Every other orientation correlates with the drawn one by −1/9 or less (one by −1/3), so a reading
/// is either clearly one of the eight or clearly none.
public enum Fiducial {
  /// Cells per side. Four pixels per cell are plenty for reading.
  public static let side = 6

  static let darkLevel: UInt8 = 28
  static let lightLevel: UInt8 = 224

  /// Row by row: `#` dark, `.` light. Found by a search over balanced patterns with few edges.
  static let isLight: [Bool] = [
    ".#####",
    ".#####",
    ".##..#",
    ".##...",
    "......",
    "#..##.",
  ].joined().map { $0 == "." }

  /// Returns whether a cell of the mark, as drawn, is light. Columns and rows count from the top left, 0..<6.
  public static func isLight(column: Int, row: Int) -> Bool { isLight[row * side + column] }

  /// Draws the mark into a luma plane, or into all three colours of a four-byte format.
  /// - Parameters:
  ///   - rect: the place of the mark, in pixels of the stored picture. Parts outside the plane are not drawn.
  ///   - orientation: the orientation in which the mark is drawn; by default upright.
  ///   - luma: the luma plane, or the only plane of a packed format. Chroma is not changed: make it neutral (128).
  ///   - pixelStride: bytes from pixel to pixel: 1 planar, 2 YUYV, 4 BGRA or RGBA.
  public static func draw(
    in rect: ChartRect, orientation: Orientation = .upright, luma: Plane, pixelStride: Int
  ) {
    let cells = turned(orientation)
    ChartPainter(luma: luma, pixelStride: pixelStride).paint(side: side, in: rect) {
      cells[$0] ? lightLevel : darkLevel
    }
  }

  /// Identifies the orientation of the mark in a picture.
  /// - Parameters:
  ///   - image: a picture of any uncompressed format.
  ///   - corners: the square that the mark fills *in this picture*: its top left, top right and bottom left as seen, in pixels.
  ///     (To find them from the drawn square, follow the picture's centre and scale, not the mark's own corners: those would undo the turn that is
  ///     to be identified.)
  /// - Returns: nil for a compressed picture, or a square that is not wholly in it.
  public static func identify(in image: PixelBuffer, corners: ChartCorners) -> FiducialReading? {
    withExtendedLifetime(image) {
      guard let sampler = LumaSampler(image), corners.isInside(sampler.size) else { return nil }
      return reading(of: sampler.cells(side: side, corners: corners))
    }
  }

  /// Identifies the orientation of the mark in an upright square around a centre.
  public static func identify(in image: PixelBuffer, center: ChartPoint, side: Double) -> FiducialReading? {
    identify(in: image, corners: ChartCorners(center: center, side: side))
  }

  /// Returns Pearson's correlation of the cells seen with each of the eight orientations.
  static func reading(of levels: [Double]) -> FiducialReading {
    let mean = levels.reduce(0, +) / Double(levels.count)
    let deviations = levels.map { $0 - mean }
    let energy = deviations.reduce(0) { $0 + $1 * $1 }
    let contrast = (energy / Double(levels.count)).squareRoot()
    let scores = images.map { image in
      let sum = zip(image, deviations).reduce(0) { $0 + ($1.0 ? $1.1 : -$1.1) }
      return energy > 0 ? sum / (energy * Double(levels.count)).squareRoot() : 0
    }
    return FiducialReading(scores: scores, contrast: contrast)
  }

  /// The mark's cells in each of `Orientation.allCases`.
  private static let images = Orientation.allCases.map(turned)

  /// Returns the mark's cells, row by row, after a turn.
  static func turned(_ orientation: Orientation) -> [Bool] {
    let corners = ChartCorners(ChartRect(x: 0, y: 0, width: side, height: side))
      .oriented(orientation.inverse, in: PixelSize(width: side, height: side))
    return (0..<side * side).map { index in
      let source = corners.position(
        u: (Double(index % side) + 0.5) / Double(side), v: (Double(index / side) + 0.5) / Double(side))
      return isLight[Int(source.y) * side + Int(source.x)]
    }
  }
}

/// The similarity of a square in a picture to the mark in each of the eight orientations.
public struct FiducialReading: Hashable, Sendable {
  /// The correlation, −1…1, for each of `Orientation.allCases`, in that order.
  public let scores: [Double]
  /// Standard deviation of the cells, 0–127. That of a flat patch is 0.
  public let contrast: Double

  /// Returns how well the drawn mark, mirrored and turned by `orientation`, matches the picture, −1…1.
  public func score(_ orientation: Orientation) -> Double {
    zip(Orientation.allCases, scores).first { $0.0 == orientation }?.1 ?? 0
  }

  /// The orientation with the highest score, which turns the drawn mark into the seen one: `.upright` if the picture is the right way up.
  public var best: Orientation {
    zip(Orientation.allCases, scores).max { $0.1 < $1.1 }?.0 ?? .upright
  }

  /// The distance between the best score and the second best, 0…2. A whole mark gives more than 1.
  public var margin: Double {
    let sorted = scores.sorted(by: >)
    return sorted.count > 1 ? sorted[0] - sorted[1] : 0
  }

  /// Whether the mark is present and its orientation beyond doubt: correlation at least 0.75, margin 0.5, contrast 12.
  public var isCertain: Bool { (scores.max() ?? 0) >= 0.75 && margin >= 0.5 && contrast >= 12 }
}
