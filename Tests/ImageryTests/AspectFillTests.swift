import Imagery
import Testing

@Suite struct AspectFillTests {
  @Test(arguments: Orientation.allCases, [1.0, 2.5])
  func pointsThereAndBack(orientation: Orientation, zoom: Double) {
    let fill = AspectFill(
      source: PixelSize(width: 1920, height: 1080), orientation: orientation,
      surface: PixelSize(width: 720, height: 1280), zoom: zoom)
    for point in [(0.0, 0.0), (719.5, 3.0), (360.0, 640.0), (100.25, 1279.0)] {
      let back = fill.surfacePoint(device: fill.devicePoint(surface: point))
      #expect(abs(back.x - point.0) < 1e-9 && abs(back.y - point.1) < 1e-9)
    }
  }

  @Test func turnedCornersLandOnTheirCorners() {
    let fill = AspectFill(
      source: PixelSize(width: 640, height: 480), orientation: Orientation(rotation: .clockwise90),
      surface: PixelSize(width: 480, height: 640))
    // After a clockwise rotation, the picture's top left corner is at the top right.
    let corner = fill.devicePoint(surface: (480, 0))
    #expect(abs(corner.x) < 1e-9 && abs(corner.y) < 1e-9)
  }

  @Test func cropsTheLongerSideAboutTheCentre() {
    let fill = AspectFill(
      source: PixelSize(width: 1920, height: 1080), orientation: .upright,
      surface: PixelSize(width: 500, height: 500))
    #expect(fill.visibleSource == .init(x: 420, y: 0, size: PixelSize(width: 1080, height: 1080)))
  }

  @Test func zoomIsClampedAndCentred() {
    let fill = AspectFill(
      source: PixelSize(width: 800, height: 600), orientation: .upright,
      surface: PixelSize(width: 800, height: 600),
      zoom: 9)
    #expect(fill.zoom == 4)
    #expect(fill.visibleSource == .init(x: 300, y: 226, size: PixelSize(width: 200, height: 150)))
  }

  /// The visible range of an enlarged picture extends from the middle of its first pixel to the middle of its last.
  @Test func whatIsEnlargedBeginsInTheMiddleOfItsFirstPixel() {
    let fill = AspectFill(
      source: PixelSize(width: 320, height: 180), orientation: .upright,
      surface: PixelSize(width: 320, height: 180), zoom: 4)
    let crop = fill.visibleSource
    let first = fill.devicePoint(surface: (0.5, 0.5))
    #expect(abs(first.x - Double(crop.x) - 0.5) < 1e-9 && abs(first.y - Double(crop.y) - 0.5) < 1e-9)
    let last = fill.devicePoint(surface: (319.5, 179.5))
    #expect(abs(last.x - Double(crop.x + crop.size.width) + 0.5) < 1e-9)
    #expect(abs(last.y - Double(crop.y + crop.size.height) + 0.5) < 1e-9)
  }

  /// A soft spot near the edge is drawn at the place that the geometry gives, within half a surface pixel.
  @Test(arguments: [2.3, 4.0], Orientation.allCases)
  func nearTheEdgeTheGeometryIsTheRenderers(zoom: Double, orientation: Orientation) throws {
    let (source, size) = (PixelSize(width: 320, height: 180), PixelSize(width: 240, height: 240))
    let fill = AspectFill(source: source, orientation: orientation, surface: size, zoom: zoom)
    let wanted = (x: 60.0, y: 180.0)
    let spot = fill.devicePoint(surface: wanted)
    let image = try Pictures.raw(.bgra, source.width, source.height) { _, x, y in
      let (dx, dy) = (Double(x / 4) + 0.5 - spot.x, Double(y) + 0.5 - spot.y)
      return UInt8(240 * max(0, 1 - (dx * dx + dy * dy) / 25))
    }
    let surface = try Pictures.surface(size.width, size.height)
    try PreviewRenderer().render(image, orientation: orientation, zoom: zoom, into: surface)
    var (sum, x, y) = (0.0, 0.0, 0.0)
    for row in 0..<size.height {
      for column in 0..<size.width {
        let weight = Double(Pictures.rgb(surface, column, row)[1])
        (sum, x, y) = (
          sum + weight, x + weight * (Double(column) + 0.5), y + weight * (Double(row) + 0.5)
        )
      }
    }
    #expect(abs(x / sum - wanted.x) <= 0.5 && abs(y / sum - wanted.y) <= 0.5)
  }
}
