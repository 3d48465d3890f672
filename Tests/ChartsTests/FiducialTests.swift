import Imagery
import System
import Testing

@testable import Charts

@Suite("Fiducial")
struct FiducialTests {
  let rect = ChartRect(x: 20, y: 14, width: 72, height: 72)
  let size = PixelSize(width: 120, height: 100)

  var picture: TestPicture {
    let picture = TestPicture(size)
    Fiducial.draw(in: rect, luma: picture.plane, pixelStride: 1)
    return picture
  }

  /// Returns the centre and the side of the mark's square in the picture after `orientation`.
  func square(after orientation: Orientation) -> (center: ChartPoint, side: Double) {
    let corners = ChartCorners(rect).oriented(orientation, in: size)
    return (corners.position(u: 0.5, v: 0.5), Double(rect.width))
  }

  @Test("The eight orientations of the mark differ clearly, and half of it is dark")
  func pattern() {
    #expect(Fiducial.isLight.filter { $0 }.count == 18)
    let marks = Orientation.allCases.map(Fiducial.turned)
    for first in 0..<8 {
      for second in 0..<first {
        #expect(zip(marks[first], marks[second]).filter { $0 != $1 }.count >= 20)
      }
    }
  }

  @Test("The mark shows how the picture was turned", arguments: Orientation.allCases)
  func orientations(orientation: Orientation) throws {
    let (center, side) = square(after: orientation)
    let reading = try #require(
      Fiducial.identify(in: picture.oriented(orientation).image, center: center, side: side))
    #expect(reading.best == orientation)
    #expect(reading.score(orientation) > 0.99)
    #expect(reading.margin > 1 && reading.isCertain)
  }

  @Test("A mark that is drawn turned is read as turned", arguments: Orientation.allCases)
  func drawnTurned(orientation: Orientation) throws {
    let picture = TestPicture(size, .bgra)
    Fiducial.draw(in: rect, orientation: orientation, luma: picture.plane, pixelStride: 4)
    #expect(Fiducial.identify(in: picture.image, corners: ChartCorners(rect))?.best == orientation)
  }

  @Test(
    "The mark is read in spite of blur, noise and JPEG, at four pixels a cell",
    arguments: Orientation.allCases)
  func degraded(orientation: Orientation) throws {
    var random = SplitMix64(seed: 3)
    let turned = picture.oriented(orientation)
    let small = PixelSize(width: turned.format.size.width / 3, height: turned.format.size.height / 3)
    let image = try turned.blurred(times: 3).reduced(to: small).noisy(25, &random).throughJPEG(quality: 50)
      .image
    let (center, side) = square(after: orientation)
    let scale = Double(small.width) / Double(turned.format.size.width)
    let seen = ChartPoint(
      x: center.x * scale, y: center.y * Double(small.height) / Double(turned.format.size.height))
    let reading = try #require(Fiducial.identify(in: image, center: seen, side: side * scale))
    #expect(reading.best == orientation && reading.isCertain)
  }

  @Test("Noise and flat patches are never certain")
  func absent() throws {
    var random = SplitMix64(seed: 4)
    for _ in 0..<2000 {
      #expect(
        !Fiducial.reading(of: (0..<36).map { _ in Double.random(in: 0...255, using: &random) }).isCertain)
    }
    let flat = try #require(Fiducial.identify(in: TestPicture(size).image, corners: ChartCorners(rect)))
    #expect(!flat.isCertain && flat.scores == [Double](repeating: 0, count: 8))
    #expect(Fiducial.identify(in: picture.image, center: ChartPoint(x: 3, y: 3), side: 72) == nil)
  }
}
