/// A point in the upright picture: 0, 0 is the top left corner and 1, 1 the bottom right one.
public struct DockPoint: Hashable, Sendable, Codable {
  /// The distance from the left, 0 to 1.
  public var x: Double
  /// The distance from the top, 0 to 1.
  public var y: Double

  /// Creates a point, which may lie outside the picture.
  public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
}

/// An upright rectangle in the upright picture, in shares of its width and height.
public struct DockRect: Hashable, Sendable, Codable {
  /// The left edge.
  public var x: Double
  /// The top edge.
  public var y: Double
  /// The width, as a share of the picture's.
  public var width: Double
  /// The height, as a share of the picture's.
  public var height: Double

  /// The whole picture.
  public static let whole = DockRect(x: 0, y: 0, width: 1, height: 1)

  /// Creates a rectangle without checking it.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Creates a rectangle about its centre.
  public init(center: DockPoint, width: Double, height: Double) {
    self.init(x: center.x - width / 2, y: center.y - height / 2, width: width, height: height)
  }

  /// The centre of the rectangle.
  public var center: DockPoint { DockPoint(x: x + width / 2, y: y + height / 2) }

  /// Whether the numbers are finite, and a part of the rectangle lies in the picture.
  public var isUsable: Bool {
    [x, y, width, height].allSatisfy(\.isFinite) && width > 0 && height > 0
      && intersection(.whole) != nil
  }

  /// Whether the rectangle contains a point.
  public func contains(_ point: DockPoint) -> Bool {
    point.x >= x && point.x < x + width && point.y >= y && point.y < y + height
  }

  /// The common part of this rectangle and `other`; nil if they do not overlap.
  public func intersection(_ other: DockRect) -> DockRect? {
    let (left, top) = (max(x, other.x), max(y, other.y))
    let (right, bottom) = (
      min(x + width, other.x + other.width), min(y + height, other.y + other.height)
    )
    guard right > left, bottom > top else { return nil }
    return DockRect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The area of the intersection divided by the area of the union, 0...1.
  public func overlap(_ other: DockRect) -> Double {
    guard let common = intersection(other) else { return 0 }
    let shared = common.width * common.height
    return shared / (width * height + other.width * other.height - shared)
  }

  func moved(x dx: Double, y dy: Double) -> DockRect {
    DockRect(x: x + dx, y: y + dy, width: width, height: height)
  }
}

/// A pan and a tilt, in radians, or in radians a second.
public struct DockAngles: Hashable, Sendable, Codable {
  /// The pan, to the right.
  public var pan: Double
  /// The tilt, upwards.
  public var tilt: Double

  /// No pan and no tilt.
  public static let zero = DockAngles(pan: 0, tilt: 0)

  /// - Parameters:
  ///   - pan: the turn to the right, in radians.
  ///   - tilt: the turn upwards, in radians.
  public init(pan: Double, tilt: Double) { (self.pan, self.tilt) = (pan, tilt) }

  /// Whether both angles are finite.
  public var isFinite: Bool { pan.isFinite && tilt.isFinite }

  static func degrees(pan: Double, tilt: Double) -> DockAngles {
    DockAngles(pan: pan * .pi / 180, tilt: tilt * .pi / 180)
  }

  static func + (left: DockAngles, right: DockAngles) -> DockAngles {
    DockAngles(pan: left.pan + right.pan, tilt: left.tilt + right.tilt)
  }
  static func - (left: DockAngles, right: DockAngles) -> DockAngles {
    DockAngles(pan: left.pan - right.pan, tilt: left.tilt - right.tilt)
  }
  static func * (left: DockAngles, factor: Double) -> DockAngles {
    DockAngles(pan: left.pan * factor, tilt: left.tilt * factor)
  }
}
