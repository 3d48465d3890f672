import Console
import Imagery
import Testing

@testable import swiftwing_tool

/// Picture files shown in a terminal.
@Suite struct TerminalPictureFileTests {
  /// Returns a picture file whose left half is red and whose right half is blue.
  private func file(_ size: PixelSize, container: PhotoSettings.Container, tagged: Orientation = .upright)
    throws -> [UInt8]
  {
    let image = try PixelBufferPool().makeBuffer(ImageFormat(pixelFormat: .bgra, size: size, color: .jpeg))
    let plane = image.planes[0]
    for y in 0..<size.height {
      let row = plane.base.assumingMemoryBound(to: UInt8.self) + y * plane.bytesPerRow
      for x in 0..<size.width {
        let isLeft = x < size.width / 2
        (row[x * 4], row[x * 4 + 1], row[x * 4 + 2], row[x * 4 + 3]) = (
          isLeft ? 0 : 255, 0, isLeft ? 255 : 0, 255
        )
      }
    }
    let settings = PhotoSettings(
      longSide: nil, maximumLongSide: 8000, orientationMode: .tagged, maximumBytes: nil, container: container)
    return try PhotoPipeline().process(image, orientation: tagged, settings: settings).bytes
  }

  private func color(_ picture: TerminalPicture, _ x: Int, _ y: Int) -> [UInt8] {
    let at = (y * picture.width + x) * 3
    return Array(picture.rgb[at..<at + 3])
  }

  @Test(arguments: [PhotoSettings.Container.jpeg, .png])
  func aFileBecomesItsPixels(_ container: PhotoSettings.Container) throws {
    let picture = try TerminalPicture(file: file(PixelSize(width: 33, height: 8), container: container))
    #expect(picture.width == 33 && picture.height == 8)
    #expect(color(picture, 4, 4)[0] > 200 && color(picture, 4, 4)[2] < 60)
    #expect(color(picture, 30, 4)[2] > 200 && color(picture, 30, 4)[0] < 60)
  }

  @Test func aTaggedFileIsTurnedUpright() throws {
    let turned = Orientation(rotation: .clockwise90, isMirrored: false)
    let bytes = try file(PixelSize(width: 32, height: 8), container: .jpeg, tagged: turned)
    let picture = try TerminalPicture(file: bytes)
    #expect(picture.width == 8 && picture.height == 32)
    #expect(color(picture, 4, 3)[0] > 200 && color(picture, 4, 28)[2] > 200)
  }

  @Test func whatIsNoPictureOrTooLargeIsRefused() throws {
    #expect(throws: ImageError.self) { try TerminalPicture(file: [1, 2, 3]) }
    let wide = try file(PixelSize(width: 5000, height: 8), container: .jpeg)
    #expect(throws: ImageError.self) { try TerminalPicture(file: wide) }
  }
}
