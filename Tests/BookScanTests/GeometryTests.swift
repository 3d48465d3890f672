import Testing

@testable import BookScan

@Suite struct GeometryTests {
  @Test func regionsOverlapByTheirArea() {
    let region = TextRegion(center: Point(x: 50, y: 50), length: 40, height: 20, angle: 0)
    #expect(abs(region.intersection(region) - 800) < 1e-6)
    #expect(abs(region.intersection(region.reversed) - 800) < 1e-6)
  }
}
