/// A checked outline of a part of a photo: four corners in reading order, clockwise from the upper left of the text.
struct CropOutline {
  private let corners: [Point]
  /// The length along the text, pixels.
  let length: Double
  /// The height across the text, pixels.
  let height: Double

  /// Checks the corners.
  /// - Returns: nil unless the outline has four corners in clockwise order, is at least a pixel wide and high, and lies in or near
  ///   the photo.
  init?(_ corners: [Point], in photo: Raster) {
    let reach = 4 * Double(max(photo.width, photo.height))
    guard corners.count == 4, corners.allSatisfy({ abs($0.x) <= reach && abs($0.y) <= reach }) else {
      return nil
    }
    self.corners = corners
    let sides = (0..<4).map { index in
      let side = corners[(index + 1) % 4] - corners[index]
      return side.dot(side).squareRoot()
    }
    (length, height) = (max(sides[0], sides[2]), max(sides[1], sides[3]))
    let turns = (0..<4).map { index in
      let (here, next, after) = (corners[index], corners[(index + 1) % 4], corners[(index + 2) % 4])
      return (next - here).cross(after - next)
    }
    guard length >= 1, height >= 1, turns.allSatisfy({ $0 > 0 }) else { return nil }
    let (left, right) = (corners.map(\.x).min() ?? 0, corners.map(\.x).max() ?? 0)
    let (top, bottom) = (corners.map(\.y).min() ?? 0, corners.map(\.y).max() ?? 0)
    guard right > 0, bottom > 0, left < Double(photo.width), top < Double(photo.height) else { return nil }
  }

  /// Returns a point of the photo.
  /// - Parameters:
  ///   - along: 0 where the text begins, 1 where it ends. Values below 0 or above 1 give points outside the outline.
  ///   - across: 0 at the top of the text, 1 at its foot. Values below 0 or above 1 give points outside the outline.
  @inline(__always)
  func point(_ along: Double, _ across: Double) -> Point {
    let top = corners[0] + (corners[1] - corners[0]) * along
    let foot = corners[3] + (corners[2] - corners[3]) * along
    return top + (foot - top) * across
  }
}
