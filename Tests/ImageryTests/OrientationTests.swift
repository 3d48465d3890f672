import Imagery
import Testing

@Suite struct OrientationTests {
  @Test(arguments: 1...8) func exifRoundTrip(value: Int) throws {
    #expect(try #require(Orientation(exif: value)).exif == value)
  }

  @Test(arguments: [(44.0, 0), (46, 90), (-44, 0), (-46, 270), (226, 270), (359, 0), (721, 0)])
  func theNearestQuarterTurn(degrees: Double, expected: Int) {
    #expect(Rotation(nearest: degrees).rawValue == expected)
  }

  @Test(arguments: Orientation.allCases) func inverseUndoes(orientation: Orientation) {
    #expect(orientation.followed(by: orientation.inverse) == .upright)
    #expect(orientation.inverse.followed(by: orientation) == .upright)
  }
}
