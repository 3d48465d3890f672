import Glibc

/// A point of the upright photo, pixels, y downwards.
public struct Point: Sendable, Hashable, Codable {
  /// The distance from the left edge of the photo, pixels.
  public var x: Double
  /// The distance from the upper edge of the photo, pixels.
  public var y: Double

  /// Creates a point; it may lie outside the photo.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  static func + (left: Point, right: Point) -> Point { Point(x: left.x + right.x, y: left.y + right.y) }
  static func - (left: Point, right: Point) -> Point { Point(x: left.x - right.x, y: left.y - right.y) }
  static func * (left: Point, right: Double) -> Point { Point(x: left.x * right, y: left.y * right) }

  func dot(_ other: Point) -> Double { x * other.x + y * other.y }
  func cross(_ other: Point) -> Double { x * other.y - y * other.x }
}

/// An axis-aligned box of the upright photo, pixels.
public struct Box: Sendable, Hashable, Codable {
  /// The left edge, in pixels from the left edge of the photo.
  public var x: Double
  /// The upper edge, in pixels from the upper edge of the photo.
  public var y: Double
  /// The width, pixels, 0 or more.
  public var width: Double
  /// The height, pixels, 0 or more.
  public var height: Double

  /// Creates a box; it is neither checked nor clipped to the photo.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  var maxX: Double { x + width }
  var maxY: Double { y + height }
  /// The corners, clockwise from the upper left.
  var corners: [Point] {
    [Point(x: x, y: y), Point(x: maxX, y: y), Point(x: maxX, y: maxY), Point(x: x, y: maxY)]
  }

  /// Whether the two boxes share a point.
  func meets(_ other: Box) -> Bool {
    x <= other.maxX && other.x <= maxX && y <= other.maxY && other.y <= maxY
  }

  /// Returns the smallest box around all of `boxes`; nil if there are none.
  static func around(_ boxes: [Box]) -> Box? {
    guard let first = boxes.first else { return nil }
    let (left, top) = boxes.reduce((first.x, first.y)) { (min($0.0, $1.x), min($0.1, $1.y)) }
    let (right, bottom) = boxes.reduce((first.maxX, first.maxY)) { (max($0.0, $1.maxX), max($0.1, $1.maxY)) }
    return Box(x: left, y: top, width: right - left, height: bottom - top)
  }
}

/// A rectangle of text in the upright photo.
public struct TextRegion: Sendable, Hashable, Codable {
  /// The centre of the rectangle.
  public var center: Point
  /// The extent along the reading direction, pixels.
  public var length: Double
  /// The extent across the reading direction, pixels.
  public var height: Double
  /// The clockwise turn of the text from upright, degrees in 0..<360: 0 reads left to right, 90 top to bottom, 270 bottom to top.
  public var angle: Double {
    didSet { angle = TextRegion.normalised(angle) }
  }

  /// Creates a rectangle of text.
  /// - Parameter angle: any number of degrees; it is reduced to 0..<360.
  public init(center: Point, length: Double, height: Double, angle: Double) {
    self.center = center
    self.length = length
    self.height = height
    self.angle = TextRegion.normalised(angle)
  }

  static func normalised(_ degrees: Double) -> Double {
    let remainder = degrees.truncatingRemainder(dividingBy: 360)
    return remainder < 0 ? remainder + 360 : remainder
  }

  /// The unit vector of the reading direction.
  var along: Point { Point(x: cos(angle * .pi / 180), y: sin(angle * .pi / 180)) }
  /// The unit vector from the top of the letters to their feet.
  var down: Point { Point(x: -along.y, y: along.x) }
  var area: Double { length * height }

  /// The corners in this order: the first letter's top, the last letter's top, the last letter's foot, the first letter's foot.
  public var corners: [Point] {
    let (u, v) = (along * (length / 2), down * (height / 2))
    return [center - u - v, center + u - v, center + u + v, center - u + v]
  }

  /// The axis-aligned box around the rectangle.
  public var box: Box {
    let corners = corners
    let (left, right) = (corners.map(\.x).min() ?? 0, corners.map(\.x).max() ?? 0)
    let (top, bottom) = (corners.map(\.y).min() ?? 0, corners.map(\.y).max() ?? 0)
    return Box(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The same rectangle, with the text read from the other end.
  var reversed: TextRegion { TextRegion(center: center, length: length, height: height, angle: angle + 180) }

  /// Returns the smaller angle between two directions, degrees in 0...180.
  static func difference(_ left: Double, _ right: Double) -> Double {
    let turn = normalised(left - right)
    return min(turn, 360 - turn)
  }

  /// Returns the area of the intersection with `other`, square pixels, by Sutherland and Hodgman's clipping ("Reentrant polygon
  /// clipping", CACM 17(1), 1974).
  func intersection(_ other: TextRegion) -> Double {
    var polygon = corners
    let clip = other.corners
    for index in clip.indices {
      let (start, end) = (clip[index], clip[(index + 1) % clip.count])
      polygon = TextRegion.clipped(polygon, start, end)
      if polygon.count < 3 { return 0 }
    }
    return abs(TextRegion.area(polygon))
  }

  private static func clipped(_ polygon: [Point], _ start: Point, _ end: Point) -> [Point] {
    let edge = end - start
    var result: [Point] = []
    for index in polygon.indices {
      let (current, next) = (polygon[index], polygon[(index + 1) % polygon.count])
      let (a, b) = (edge.cross(current - start), edge.cross(next - start))
      if a >= 0 { result.append(current) }
      if (a > 0 && b < 0) || (a < 0 && b > 0) { result.append(current + (next - current) * (a / (a - b))) }
    }
    return result
  }

  private static func area(_ polygon: [Point]) -> Double {
    polygon.indices.reduce(0) { $0 + polygon[$1].cross(polygon[($1 + 1) % polygon.count]) } / 2
  }
}
