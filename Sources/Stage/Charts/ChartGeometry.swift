public import Imagery

/// A rectangle of whole pixels in a stored picture.
public struct ChartRect: Hashable, Sendable {
  /// Column of the left edge, in pixels.
  public var x: Int
  /// Row of the upper edge, in pixels.
  public var y: Int
  /// Width in pixels.
  public var width: Int
  /// Height in pixels.
  public var height: Int

  /// Creates a rectangle. Whether it lies in a picture is checked where it is used.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Returns whether the rectangle has an area and lies wholly in a picture of `size`.
  public func isInside(_ size: PixelSize) -> Bool {
    x >= 0 && y >= 0 && width > 0 && height > 0 && width <= size.width && height <= size.height
      && x <= size.width - width && y <= size.height - height
  }
}

/// A position in a picture, in continuous pixel coordinates: the first pixel covers 0 to 1, its centre is 0.5.
public struct ChartPoint: Hashable, Sendable {
  /// Distance from the left edge of the picture, in pixels; the centre of the first pixel is at 0.5.
  public var x: Double
  /// Distance from the upper edge of the picture, in pixels.
  public var y: Double

  /// Creates a point.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// The place of a square chart in a picture, given by three of its corners. As an affine frame it expresses every turn, mirror image, scale and crop,
/// which the readers then undo.
public struct ChartCorners: Hashable, Sendable {
  /// The place of the chart's own upper left corner in the picture.
  public var topLeft: ChartPoint
  /// The place of the chart's own upper right corner in the picture.
  public var topRight: ChartPoint
  /// The place of the chart's own lower left corner in the picture. The fourth corner follows from the three.
  public var bottomLeft: ChartPoint

  /// Creates the corners of a chart that may be turned, scaled or mirrored, without perspective.
  public init(topLeft: ChartPoint, topRight: ChartPoint, bottomLeft: ChartPoint) {
    self.topLeft = topLeft
    self.topRight = topRight
    self.bottomLeft = bottomLeft
  }

  /// Creates the corners of a chart as it was drawn.
  public init(_ rect: ChartRect) {
    let (left, top) = (Double(rect.x), Double(rect.y))
    self.init(
      topLeft: ChartPoint(x: left, y: top), topRight: ChartPoint(x: left + Double(rect.width), y: top),
      bottomLeft: ChartPoint(x: left, y: top + Double(rect.height)))
  }

  /// Creates the corners of an upright square around a centre.
  public init(center: ChartPoint, side: Double) {
    let (left, top) = (center.x - side / 2, center.y - side / 2)
    self.init(
      topLeft: ChartPoint(x: left, y: top), topRight: ChartPoint(x: left + side, y: top),
      bottomLeft: ChartPoint(x: left, y: top + side))
  }

  /// Returns the corners after an affine change of the picture: `transform` maps points of the old picture to the new one.
  public func mapped(_ transform: (ChartPoint) -> ChartPoint) -> ChartCorners {
    ChartCorners(
      topLeft: transform(topLeft), topRight: transform(topRight), bottomLeft: transform(bottomLeft))
  }

  /// Returns the corners after a picture of `size` was mirrored and turned by `orientation`.
  public func oriented(_ orientation: Orientation, in size: PixelSize) -> ChartCorners {
    let (width, height) = (Double(size.width), Double(size.height))
    return mapped { point in
      let x = orientation.isMirrored ? width - point.x : point.x
      return switch orientation.rotation {
      case .none: ChartPoint(x: x, y: point.y)
      case .clockwise90: ChartPoint(x: height - point.y, y: x)
      case .half: ChartPoint(x: width - x, y: height - point.y)
      case .clockwise270: ChartPoint(x: point.y, y: width - x)
      }
    }
  }

  /// Returns the corners after the picture was scaled.
  public func scaled(x: Double, y: Double) -> ChartCorners {
    mapped { ChartPoint(x: $0.x * x, y: $0.y * y) }
  }

  /// Returns the corners after `x` columns and `y` rows were added at the left and top, or removed if negative.
  public func moved(x: Double, y: Double) -> ChartCorners {
    mapped { ChartPoint(x: $0.x + x, y: $0.y + y) }
  }

  /// Returns the position of a point of the chart, whose own corners are (0, 0) and (1, 1).
  func position(u: Double, v: Double) -> ChartPoint {
    ChartPoint(
      x: topLeft.x + u * (topRight.x - topLeft.x) + v * (bottomLeft.x - topLeft.x),
      y: topLeft.y + u * (topRight.y - topLeft.y) + v * (bottomLeft.y - topLeft.y))
  }

  /// Returns whether the whole chart lies in a picture of `size`, with a tolerance of half a pixel. False for corners that are not numbers.
  func isInside(_ size: PixelSize) -> Bool {
    [topLeft, topRight, bottomLeft, position(u: 1, v: 1)].allSatisfy { point in
      point.x >= -0.5 && point.y >= -0.5
        && point.x <= Double(size.width) + 0.5 && point.y <= Double(size.height) + 0.5
    }
  }
}
