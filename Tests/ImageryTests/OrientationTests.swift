import Imagery
import Testing

@Suite struct OrientationTests {
  @Test(arguments: 1...8) func exifRoundTrip(value: Int) throws {
    #expect(try #require(Orientation(exif: value)).exif == value)
  }

  @Test(arguments: Orientation.allCases) func inverseUndoes(orientation: Orientation) {
    #expect(orientation.followed(by: orientation.inverse) == .upright)
    #expect(orientation.inverse.followed(by: orientation) == .upright)
  }
}
