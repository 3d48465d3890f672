/// Converts between points of a surface and points of the stored picture, as needed for tap to focus. AVFoundation's
/// counterparts are `captureDevicePointConverted(fromLayerPoint:)` and `layerPointConverted(fromCaptureDevicePoint:)`.
///
/// Points of the surface are in its pixels, continuous: the centre of the first pixel is (0.5, 0.5). Points of the picture go from 0 to
/// 1, in the picture as it is stored, before it is turned.
public struct PreviewGeometry: Hashable, Sendable {
  /// The placement of the picture on the surface. This enumeration is closed.
  public enum Gravity: String, Hashable, Sendable, Codable {
    /// Fills the surface edge to edge; the rest of the picture is cropped. ``PreviewRenderer`` draws this.
    case fill
    /// Shows the whole picture, with bars at two sides.
    case fit
  }

  /// The size of the stored picture, in pixels.
  public let source: PixelSize
  /// The orientation from stored pixels to shown pixels, turned and mirrored.
  public let orientation: Orientation
  /// The size of the surface, in pixels.
  public let surface: PixelSize
  /// The placement: fill or fit.
  public let gravity: Gravity
  /// The digital zoom about the centre, 1…4.
  public let zoom: Double

  /// - Parameters:
  ///   - orientation: the orientation of the shown frames (`Frame.orientation.preview`).
  ///   - zoom: the crop (`FrameSettings.digitalZoom`, and the output's own); clamped to 1…4.
  public init(
    source: PixelSize, orientation: Orientation, surface: PixelSize, gravity: Gravity = .fill,
    zoom: Double = 1
  ) {
    self.source = source
    self.orientation = orientation
    self.surface = surface
    self.gravity = gravity
    self.zoom = zoom.isNaN ? 1 : min(max(zoom, 1), 4)
  }

  /// The point of the stored picture that is shown at a point of the surface; for a point beside the picture, the nearest one.
  public func devicePoint(x: Double, y: Double) -> (x: Double, y: Double) {
    let point: (x: Double, y: Double)
    switch gravity {
    case .fill:
      let pixel = fill.devicePoint(surface: (x, y))
      point = (pixel.x / width, pixel.y / height)
    case .fit:
      // Undo, about the centre of the surface, in reverse order: scaling, turn, mirror.
      let (u, v) = ((x - Double(surface.width) / 2) / scale, (y - Double(surface.height) / 2) / scale)
      let (s, t) = Self.turned(u, v, orientation: orientation.inverse)
      point = (s / width + 0.5, t / height + 0.5)
    }
    return (Self.unit(point.x), Self.unit(point.y))
  }

  /// The point of the surface that shows a point of the stored picture; outside the surface if it is cropped away.
  public func surfacePoint(x: Double, y: Double) -> (x: Double, y: Double) {
    switch gravity {
    case .fill: return fill.surfacePoint(device: (x * width, y * height))
    case .fit:
      let (u, v) = Self.turned((x - 0.5) * width, (y - 0.5) * height, orientation: orientation)
      return (u * scale + Double(surface.width) / 2, v * scale + Double(surface.height) / 2)
    }
  }

  private var width: Double { Double(max(source.width, 1)) }
  private var height: Double { Double(max(source.height, 1)) }
  private var fill: AspectFill {
    AspectFill(source: source, orientation: orientation, surface: surface, zoom: zoom)
  }

  /// The number of surface pixels per stored pixel with `fit`.
  private var scale: Double {
    let shown = orientation.applied(to: source)
    return min(
      Double(max(surface.width, 1)) / Double(max(shown.width, 1)),
      Double(max(surface.height, 1)) / Double(max(shown.height, 1))) * zoom
  }

  /// A vector, mirrored left to right and then turned clockwise, with y downwards.
  private static func turned(_ x: Double, _ y: Double, orientation: Orientation) -> (Double, Double) {
    let x = orientation.isMirrored ? -x : x
    return switch orientation.rotation {
    case .none: (x, y)
    case .clockwise90: (-y, x)
    case .half: (-x, -y)
    case .clockwise270: (y, -x)
    }
  }

  private static func unit(_ value: Double) -> Double { value.isNaN ? 0.5 : min(max(value, 0), 1) }
}
