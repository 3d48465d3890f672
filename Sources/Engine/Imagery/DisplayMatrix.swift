extension Orientation {
  /// The matrix of the box `tkhd` for a picture of `size` (ISO/IEC 14496-12, 6.2.2): a, b, u, c, d, v, x, y, w in 16.16 fixed point, the
  /// third column in 2.30. It turns the picture about the origin, and then moves its corner back to the origin.
  package func displayMatrix(_ size: PixelSize) -> [Int32] {
    let (cosine, sine): (Int32, Int32) =
      switch rotation {
      case .none: (1, 0)
      case .clockwise90: (0, 1)
      case .half: (-1, 0)
      case .clockwise270: (0, -1)
      }
    let flip: Int32 = isMirrored ? -1 : 1
    let (a, b, c, d) = (cosine * flip, sine * flip, -sine, cosine)
    let (width, height) = (Int32(clamping: size.width), Int32(clamping: size.height))
    let x = -min(0, a * width) - min(0, c * height)
    let y = -min(0, b * width) - min(0, d * height)
    return [a << 16, b << 16, 0, c << 16, d << 16, 0, x << 16, y << 16, 1 << 30]
  }

  /// Creates the orientation of a matrix, whatever its scale; nil if the matrix is more than a degree away from a quarter-turn.
  package init?(displayMatrix matrix: [Int32]) {
    guard matrix.count == 9, let found = Self.allCases.first(where: { $0.signs == Self.signs(of: matrix) })
    else { return nil }
    self = found
  }

  private var signs: [Int] { Self.signs(of: displayMatrix(PixelSize(width: 0, height: 0))) }

  private static func signs(of matrix: [Int32]) -> [Int] {
    let turn = [matrix[0], matrix[1], matrix[3], matrix[4]].map { Int($0) }
    let largest = turn.map(abs).max() ?? 0
    return turn.map { abs($0) * 57 < largest ? 0 : $0.signum() }
  }
}
