import Imagery
import Testing

@testable import BookScan

/// Photos that `photo` accepts can also be scanned, within the same memory.
@Suite struct LargePhotoTests {
  @Test func aPhotoOf104MegapixelsIsReadSmaller() throws {
    let size = PixelSize(width: 10_400, height: 10_000)
    let grey = try PixelBufferPool().makeBuffer(ImageFormat(pixelFormat: .grey, size: size, color: .jpeg))
    grey.planes[0].base.initializeMemory(as: UInt8.self, repeating: 90, count: grey.planes[0].byteCount)
    let settings = PhotoSettings(longSide: nil, maximumLongSide: ImageLimits.side, maximumBytes: nil)
    let file = try PhotoPipeline().process(grey, orientation: .upright, settings: settings).bytes
    let (image, orientation, _) = try ImageFile.read(file)
    try #require(image.format.size == size && orientation == .upright)
    let photo = try UprightPhoto(image, orientation: Orientation(rotation: .clockwise90))
    #expect(photo.size == PixelSize(width: 6250, height: 6500))
    #expect(photo.raster.base[(photo.raster.bytesPerRow * 3000) + 4000] == 90)
  }
}
