import CTurboJPEG
import Testing

@testable import Imagery

/// JPEG pictures beyond the area limit are decoded at a fraction of their size when the whole picture is needed.
@Suite struct DecodedAreaTests {
  @Test func theScaleKeepsWithinTheLimit() {
    #expect(PixelSize(width: 8000, height: 6000).mostDecodedEighths == 8)
    for size in [PixelSize(width: 12000, height: 9000), PixelSize(width: 16384, height: 16384)] {
      let eighths = size.mostDecodedEighths
      #expect(JPEGDecoder.scaled(size, eighths).area <= ImageLimits.decodedArea)
      #expect(JPEGDecoder.scaled(size, eighths + 1).area > ImageLimits.decodedArea)
    }
  }

  @Test func aHugeJPEGIsReadSmaller() throws {
    let size = PixelSize(width: 8000, height: 6400)
    let grey = try Pictures.grey(size, 90)
    var settings = PhotoSettings(longSide: nil, maximumLongSide: ImageLimits.side, maximumBytes: nil)
    let file = try PhotoPipeline().process(grey, orientation: .upright, settings: settings).bytes
    let (image, _, _) = try ImageFile.read(file)
    #expect(image.format.size == size)
    let smaller = JPEGDecoder.scaled(size, 7)
    let converted = try ImageConverter(pool: PixelBufferPool()).convert(image, to: .grey, color: .jpeg)
    #expect(converted.format.size == smaller && converted.planes[0].row(3000)[3000] == 90)
    settings.preservesEncoding = false
    let photo = try PhotoPipeline().process(image, orientation: .upright, settings: settings)
    #expect(photo.size == smaller)
  }
}

extension Pictures {
  /// Returns a picture of one grey.
  fileprivate static func grey(_ size: PixelSize, _ code: UInt8) throws -> PixelBuffer {
    let format = ImageFormat(pixelFormat: .grey, size: size, color: .jpeg)
    let image = try PixelBufferPool().makeBuffer(format)
    image.planes[0].base.initializeMemory(as: UInt8.self, repeating: code, count: image.planes[0].byteCount)
    return image
  }
}
