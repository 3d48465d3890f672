package import Imagery

/// Vertical bars that get darker from left to right (SMPTE 100 % or 75 %), as vivid shows them. They show how a picture was turned, but not whether
/// it was mirrored and turned by a half.
package enum ColorBars {
  private static let bars = 8

  /// Returns how far upright bars have been turned clockwise.
  /// - Parameter picture: a `.grey` picture.
  /// - Returns: nil if there are no bars.
  package static func reading(of picture: PixelBuffer) -> Rotation? {
    guard picture.format.pixelFormat == .grey else { return nil }
    // After a clockwise turn, the left side is at the top.
    for turned in Rotation.allCases {
      let levels = (0..<bars).map { level(of: $0, in: picture, turned) }
      // The two darkest bars may both be black.
      let falls = zip(levels.dropLast(), levels.dropFirst().dropLast()).allSatisfy { $0 > $1 + 4 }
      if falls, levels[bars - 2] >= levels[bars - 1], levels[0] - levels[bars - 1] > 80 { return turned }
    }
    return nil
  }

  /// Returns the mean brightness in the middle of a bar, away from text in the corners.
  private static func level(of bar: Int, in picture: PixelBuffer, _ turned: Rotation) -> Double {
    let size = picture.format.size
    var (sum, count) = (0.0, 0)
    for along in stride(from: 0.6, through: 0.9, by: 0.05) {
      for across in stride(from: 0.35, through: 0.65, by: 0.1) {
        let place = (Double(bar) + across) / Double(bars)
        let (x, y) =
          switch turned {
          case .none: (place, along)
          case .clockwise90: (1 - along, place)
          case .half: (1 - place, 1 - along)
          case .clockwise270: (along, 1 - place)
          }
        let (column, row) = (Int(x * Double(size.width)), Int(y * Double(size.height)))
        let plane = picture.planes[0]
        sum += Double((plane.base + row * plane.bytesPerRow + column).load(as: UInt8.self))
        count += 1
      }
    }
    return sum / Double(count)
  }

  /// Draws a picture of bars, turned. For nil, the picture is grey.
  package static func example(_ turned: Rotation?) throws -> PixelBuffer {
    let size = turned?.swapsAxes == true ? PixelSize(width: 48, height: 64) : PixelSize(width: 64, height: 48)
    let picture = try PixelBufferPool().makeBuffer(
      ImageFormat(pixelFormat: .grey, size: size, color: ColorDescription(matrix: .bt601, range: .full)))
    let plane = picture.planes[0]
    for row in 0..<size.height {
      for column in 0..<size.width {
        let (x, y) = (Double(column) / Double(size.width), Double(row) / Double(size.height))
        let place: Double =
          switch turned {
          case nil: 0.5
          case .some(.none): x
          case .clockwise90: y
          case .half: 1 - x
          case .clockwise270: 1 - y
          }
        let bar = turned == nil ? 4 : min(bars - 1, Int(place * Double(bars)))
        (plane.base + row * plane.bytesPerRow + column).storeBytes(of: UInt8(230 - bar * 28), as: UInt8.self)
      }
    }
    return picture
  }
}
