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
    // Clockwise, the picture's top left corner is at the top right.
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
}
