import Glibc

/// The colour on which a line of text is printed, in CIE L*a*b* (CIE 15:2004) under the illuminant D65.
struct GroundColor: Equatable {
  /// L*, 0…100.
  var lightness: Double
  /// a*, from green to red.
  var a: Double
  /// b*, from blue to yellow.
  var b: Double

  /// Converts a colour.
  /// - Parameters: values of sRGB (IEC 61966-2-1).
  init(red: UInt8, green: UInt8, blue: UInt8) {
    let (red, green, blue) = (Self.light[Int(red)], Self.light[Int(green)], Self.light[Int(blue)])
    let x = Self.response((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505)
    let y = Self.response(0.2126 * red + 0.7152 * green + 0.0722 * blue)
    let z = Self.response((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089)
    (lightness, a, b) = (116 * y - 16, 500 * (x - y), 200 * (y - z))
  }

  /// The linear light of each sRGB value, 0…1.
  private static let light: [Double] = (0...255).map { value in
    let share = Double(value) / 255
    return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
  }

  /// Measures the ground of a region: the median of the pixels along the region's two long sides.
  init(beside region: TextRegion, in photo: Raster) {
    let count = 32
    let (along, down) = (region.along, region.down)
    var colors: [[UInt8]] = [[], [], []]
    for side in [-0.5, -0.42, 0.42, 0.5] {
      for index in 0..<count {
        let t = (Double(index) + 0.5) / Double(count) - 0.5
        let point = region.center + along * (t * region.length) + down * (side * region.height)
        let x = min(max(Int(point.x), 0), photo.width - 1)
        let y = min(max(Int(point.y), 0), photo.height - 1)
        let pixel = photo.base + (y * photo.bytesPerRow + x * 4)
        for color in 0..<3 { colors[color].append(pixel[color]) }
      }
    }
    let medians = colors.map { $0.sorted()[$0.count / 2] }
    self.init(red: medians[2], green: medians[1], blue: medians[0])
  }

  /// Measures the colour of a region's letters: the median of the eighth of the region's pixels that differs most from the
  /// ground.
  init(lettersOf region: TextRegion, on ground: GroundColor, in photo: Raster) {
    let (columns, rows) = (64, 7)
    let (along, down) = (region.along, region.down)
    var pixels: [(color: GroundColor, difference: Double)] = []
    pixels.reserveCapacity(columns * rows)
    for column in 0..<columns {
      let t = (Double(column) + 0.5) / Double(columns) - 0.5
      for row in 0..<rows {
        let side = 0.5 * ((Double(row) + 0.5) / Double(rows) - 0.5)
        let point = region.center + along * (t * region.length) + down * (side * region.height)
        let x = min(max(Int(point.x), 0), photo.width - 1)
        let y = min(max(Int(point.y), 0), photo.height - 1)
        let pixel = photo.base + (y * photo.bytesPerRow + x * 4)
        let color = GroundColor(red: pixel[2], green: pixel[1], blue: pixel[0])
        pixels.append((color, color.difference(ground)))
      }
    }
    pixels.sort { $0.difference > $1.difference }
    self = pixels[pixels.count / 16].color
  }

  /// Returns ΔE*ab (CIE 1976). About 2 is just visible; over 30 the colours have different names.
  func difference(_ other: GroundColor) -> Double {
    let (l, a, b) = (lightness - other.lightness, a - other.a, b - other.b)
    return (l * l + a * a + b * b).squareRoot()
  }

  private static func response(_ value: Double) -> Double {
    value > 216.0 / 24389 ? cbrt(value) : (24389.0 / 27 * value + 16) / 116
  }
}

/// Decides how strong an edge between two lines side by side must be to divide two books. The more similar the colours of the
/// lines' grounds are, the stronger the edge must be. The constants were chosen on photographs of shelves, for the greatest
/// number of right records.
struct GroundEvidence {
  /// The ΔE*ab of the grounds above which two lines belong to two books even without an edge.
  var apart = 30.0
  /// The ΔE*ab of the grounds above which a weak edge divides two books: see `weakShare`.
  var unlike = 15.0
  /// The least step of a weak edge, as a share of the usual least step.
  var weakShare = 0.7
  /// The ΔE*ab of the grounds below which only a strong edge divides two books: see `strongShare`.
  var alike = 8.0
  /// The least step of a strong edge, as a share of the usual least step.
  var strongShare = 1.3
  /// The ΔE*ab of the letters above which two lines belong to two books, if the letters within each book have similar colours.
  var letters = 22.0

  /// Returns the least step of an edge that divides two books.
  /// - Parameter difference: ΔE*ab of the grounds.
  /// - Returns: a share of the usual step; nil if no edge is needed.
  func share(ofDifference difference: Double) -> Double? {
    if difference > apart { return nil }
    if difference > unlike { return weakShare }
    return difference < alike ? strongShare : 1
  }
}
