import Glibc

/// The rectangle of least area around a set of points, with one side on an edge of their convex hull (Freeman and Shapira,
/// "Determining the minimum-area encasing rectangle for an arbitrary closed curve", CACM 18(7), 1975).
enum MinimumRectangle {
  /// Returns the rectangle.
  /// - Returns: a rectangle with its longer side along `angle`, −90 < angle ≤ 90 before normalisation; nil if the points enclose
  ///   no area.
  static func around(_ points: [Point]) -> TextRegion? {
    let hull = convexHull(points)
    guard hull.count > 2 else { return nil }
    var best: TextRegion?
    for index in hull.indices {
      let edge = hull[(index + 1) % hull.count] - hull[index]
      let length = edge.dot(edge).squareRoot()
      guard length > 0 else { continue }
      let candidate = rectangle(hull, along: edge * (1 / length))
      if candidate.area < best?.area ?? .infinity { best = candidate }
    }
    return best
  }

  private static func rectangle(_ hull: [Point], along u: Point) -> TextRegion {
    let v = Point(x: -u.y, y: u.x)
    var (lowU, highU, lowV, highV) = (Double.infinity, -Double.infinity, Double.infinity, -Double.infinity)
    for point in hull {
      let (a, b) = (point.dot(u), point.dot(v))
      (lowU, highU, lowV, highV) = (min(lowU, a), max(highU, a), min(lowV, b), max(highV, b))
    }
    let center = u * ((lowU + highU) / 2) + v * ((lowV + highV) / 2)
    let axis = highU - lowU >= highV - lowV ? u : v
    var degrees = atan2(axis.y, axis.x) * 180 / .pi
    if degrees > 90 { degrees -= 180 } else if degrees <= -90 { degrees += 180 }
    return TextRegion(
      center: center, length: max(highU - lowU, highV - lowV), height: min(highU - lowU, highV - lowV),
      angle: degrees)
  }

  /// Returns the counter-clockwise hull by Andrew's monotone chain.
  static func convexHull(_ points: [Point]) -> [Point] {
    let sorted = points.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
    guard sorted.count > 2 else { return sorted }
    return halfHull(sorted).dropLast() + halfHull(sorted.reversed()).dropLast()
  }

  private static func halfHull(_ points: [Point]) -> [Point] {
    var hull: [Point] = []
    for point in points {
      while hull.count > 1,
        (hull[hull.count - 1] - hull[hull.count - 2]).cross(point - hull[hull.count - 1]) <= 0
      {
        hull.removeLast()
      }
      hull.append(point)
    }
    return hull
  }
}
