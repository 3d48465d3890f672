import Imagery
import Testing

/// The conversion of every camera format into a video encoder's input.
@Suite struct PlaneConverterTests {
  private static let color = ColorDescription(matrix: .bt709, range: .limited)

  /// Checks the colours of four quadrants, rotated, in the colour description of the recorded file.
  @Test(arguments: PreviewRendererTests.formats, [PlaneConverter.Sampling.s420, .s422])
  func everyFormatIsEncoded(format: PixelFormat, sampling: PlaneConverter.Sampling) throws {
    for range in ColorRange.allCases {
      let image = try PhotoPipelineTests.quadrants(
        format, 65, 49, ColorDescription(matrix: .bt601, range: range))
      let (converter, even) = (PlaneConverter(), PixelSize(width: 64, height: 48))
      for orientation in [Orientation.upright, Orientation(rotation: .clockwise90)] {
        let planes = try converter.convert(
          image, orientation: orientation, sampling: sampling, color: Self.color)
        #expect(planes.format.size == orientation.applied(to: even))
        for (x, y) in [(16, 12), (48, 12), (16, 36), (48, 36)] {
          let place = Reference.place(x, y, even, orientation)
          let (want, have) = (Reference.rgb(image, x, y), Reference.rgb(planes, place.x, place.y))
          for (want, have) in zip(want, have) {
            #expect(abs(want - have) <= 4, "\(format) \(range) \(orientation)")
          }
        }
      }
    }
  }

  /// A camera's JPEG picture has the size that its header states, even if the format states another.
  @Test func aCompressedFrameIsEncodedInItsOwnSize() throws {
    let image = try PhotoPipelineTests.quadrants(.i420, 66, 50, .jpeg)
    let photo = try PhotoPipeline().process(
      image, orientation: .upright, settings: PhotoSettings(longSide: nil))
    let frame = try Pictures.jpeg(photo.bytes, PixelSize(width: 999, height: 1))
    let converter = PlaneConverter()
    defer { withExtendedLifetime(converter) {} }
    let planes = try converter.convert(
      frame, orientation: .upright, sampling: .s420, color: Self.color)
    #expect(planes.format.size == PixelSize(width: 66, height: 50))
    #expect(abs(Reference.rgb(planes, 16, 12)[1] - 40) <= 4)
  }

  @Test(arguments: [(1, 2), (2, 1)]) func whatHasNoEvenSizeIsRefused(width: Int, height: Int) throws {
    let image = try Pictures.raw(.nv12, width, height, Self.color, Pictures.noise)
    #expect(throws: ImageError.self) {
      try PlaneConverter().convert(image, orientation: .upright, sampling: .s420, color: Self.color)
    }
  }
}
