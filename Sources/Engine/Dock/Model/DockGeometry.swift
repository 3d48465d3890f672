import Glibc

/// A place in the upright picture: 0, 0 is its top left corner and 1, 1 its bottom right one.
public struct DockPoint: Hashable, Sendable, Codable {
  /// To the right.
  public var x: Double
  /// Downwards.
  public var y: Double

  /// A place; it may lie outside the picture.
  public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
}

/// An upright rectangle in the upright picture, in parts of its width and height.
public struct DockRect: Hashable, Sendable, Codable {
  /// Of its left edge.
  public var x: Double
  /// Of its top edge.
  public var y: Double
  /// In parts of the picture's width.
  public var width: Double
  /// In parts of the picture's height.
  public var height: Double

  /// All of the picture.
  public static let whole = DockRect(x: 0, y: 0, width: 1, height: 1)

  /// A rectangle, as it is given.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// A rectangle about its centre.
  public init(center: DockPoint, width: Double, height: Double) {
    self.init(x: center.x - width / 2, y: center.y - height / 2, width: width, height: height)
  }

  /// The middle of it.
  public var center: DockPoint { DockPoint(x: x + width / 2, y: y + height / 2) }

  /// Its numbers are finite, and some of it lies in the picture.
  public var isUsable: Bool {
    [x, y, width, height].allSatisfy(\.isFinite) && width > 0 && height > 0
      && intersection(.whole) != nil
  }

  /// Whether a place is in it.
  public func contains(_ point: DockPoint) -> Bool {
    point.x >= x && point.x < x + width && point.y >= y && point.y < y + height
  }

  /// What both have; nil for nothing.
  public func intersection(_ other: DockRect) -> DockRect? {
    let (left, top) = (max(x, other.x), max(y, other.y))
    let (right, bottom) = (
      min(x + width, other.x + other.width), min(y + height, other.y + other.height)
    )
    guard right > left, bottom > top else { return nil }
    return DockRect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The area of what both have, in parts of what either has, 0...1.
  public func overlap(_ other: DockRect) -> Double {
    guard let common = intersection(other) else { return 0 }
    let shared = common.width * common.height
    return shared / (width * height + other.width * other.height - shared)
  }

  func moved(x dx: Double, y dy: Double) -> DockRect {
    DockRect(x: x + dx, y: y + dy, width: width, height: height)
  }
}

/// A number for each of the two axes: radians, or radians a second.
public struct DockAngles: Hashable, Sendable, Codable {
  /// To the right.
  public var pan: Double
  /// Upwards.
  public var tilt: Double

  /// Neither.
  public static let zero = DockAngles(pan: 0, tilt: 0)

  /// - Parameters:
  ///   - pan: to the right.
  ///   - tilt: upwards.
  public init(pan: Double, tilt: Double) { (self.pan, self.tilt) = (pan, tilt) }

  /// Both are finite numbers.
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
