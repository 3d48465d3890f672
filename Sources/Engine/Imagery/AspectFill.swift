/// The geometry of a picture that fills a surface edge to edge: cropped about the centre, scaled, turned, mirrored and
/// zoomed. The renderer uses the same geometry, so a point on the surface and the device pixel that it shows always agree.
///
/// All coordinates are continuous: the centre of the first pixel is (0.5, 0.5). Device points are in stored pixels of
/// the source, before it is oriented.
public struct AspectFill: Sendable, Equatable {
  /// A part of the source, in whole stored pixels.
  public struct Region: Sendable, Equatable {
    /// The column of the left edge.
    public var x: Int
    /// The row of the upper edge.
    public var y: Int
    /// Width and height, in stored pixels.
    public var size: PixelSize

    /// Creates a region in stored pixels; it is not checked against the source.
    public init(x: Int, y: Int, size: PixelSize) {
      self.x = x
      self.y = y
      self.size = size
    }
  }

  /// Size of the source as stored, in pixels.
  public let source: PixelSize
  /// The orientation that makes the stored pixels upright.
  public let orientation: Orientation
  /// Size of the surface, in pixels.
  public let surface: PixelSize
  /// Digital zoom, 1...4.
  public let zoom: Double
  /// The crop in stored pixels. Its origin is even, so that it never splits a chroma sample.
  public let visibleSource: Region

  /// - Parameter zoom: digital zoom about the centre, clamped to 1...4.
  public init(source: PixelSize, orientation: Orientation, surface: PixelSize, zoom: Double = 1) {
    self.source = source
    self.orientation = orientation
    self.surface = surface
    self.zoom = zoom.isNaN ? 1 : min(max(zoom, 1), 4)
    let filled = orientation.applied(to: surface)  // The surface as the stored picture sees it.
    let scale =
      max(
        Double(filled.width) / Double(max(source.width, 1)),
        Double(filled.height) / Double(max(source.height, 1))) * self.zoom
    let (x, width) = Self.centred(Double(filled.width) / scale, in: source.width)
    let (y, height) = Self.centred(Double(filled.height) / scale, in: source.height)
    visibleSource = Region(x: x, y: y, size: PixelSize(width: width, height: height))
  }

  /// The start and the length of `length` pixels about the middle of `whole`: the start is even, the length at least 1.
  private static func centred(_ length: Double, in whole: Int) -> (start: Int, length: Int) {
    guard length < Double(whole) - 0.5 else { return (0, whole) }
    let start = Int(((Double(whole) - length) / 4).rounded()) * 2
    return (start, min(max(1, Int(length.rounded())), whole - start))
  }

  /// The stored pixel shown at a point of the surface.
  public func devicePoint(surface point: (x: Double, y: Double)) -> (x: Double, y: Double) {
    let (u, v) = Self.map(
      point.x / Double(surface.width), point.y / Double(surface.height), orientation: orientation.inverse)
    let (across, down) = scales
    return (Double(visibleSource.x) + across.stored(u), Double(visibleSource.y) + down.stored(v))
  }

  /// The point of the surface that shows a stored pixel; outside the surface if the pixel is cropped away.
  public func surfacePoint(device point: (x: Double, y: Double)) -> (x: Double, y: Double) {
    let (across, down) = scales
    let (u, v) = Self.map(
      across.shown(point.x - Double(visibleSource.x)), down.shown(point.y - Double(visibleSource.y)),
      orientation: orientation)
    return (u * Double(surface.width), v * Double(surface.height))
  }

  private var scales: (across: SideScale, down: SideScale) {
    let (crop, shown) = (visibleSource.size, orientation.applied(to: surface))
    return (
      SideScale(length: crop.width, shown: shown.width), SideScale(length: crop.height, shown: shown.height)
    )
  }

  /// A point of the unit square, mirrored and turned by `orientation`.
  private static func map(_ x: Double, _ y: Double, orientation: Orientation) -> (Double, Double) {
    let x = orientation.isMirrored ? 1 - x : x
    return switch orientation.rotation {
    case .none: (x, y)
    case .clockwise90: (1 - y, x)
    case .half: (1 - x, 1 - y)
    case .clockwise270: (y, 1 - x)
    }
  }
}

/// The scaling of one side of a picture. It goes from edge to edge, unless the side becomes longer. Then libyuv scales from the middle of the first
/// pixel to the middle of the last, so half a pixel is missing at each end. (Planes that become exactly twice as large are still scaled from edge to
/// edge, which differs by a quarter of a stored pixel at the ends.)
private struct SideScale {
  let start: Double
  let span: Double

  init(length: Int, shown: Int) {
    let isLonger = shown > length && length > 1
    // From the first middle to the last, `length - 1` stored pixels become `shown - 1`. The edges are half a shown pixel beyond.
    span =
      isLonger
      ? Double(shown) * Double(length - 1) / Double(shown - 1) : Double(length)
    start = (Double(length) - span) / 2
  }

  /// Converts a share of the shown side to stored pixels.
  func stored(_ share: Double) -> Double { start + share * span }
  /// Converts stored pixels to a share of the shown side.
  func shown(_ stored: Double) -> Double { (stored - start) / span }
}
