import Foundation
import Imagery
import System
import Testing

@Suite struct ImageFileTests {
  private func photo(
    _ bytes: [UInt8], longSide: Int? = 256, container: PhotoSettings.Container = .jpeg
  ) throws -> Photo {
    let (image, orientation, _) = try ImageFile.read(bytes)
    let settings = PhotoSettings(longSide: longSide, container: container)
    return try PhotoPipeline().process(image, orientation: orientation, settings: settings)
  }

  private func luma(_ photo: Photo) throws -> LumaImage {
    let grey = try ImageConverter(pool: PixelBufferPool())
      .convert(try ImageFile.read(photo.bytes).image, to: .grey, color: .jpeg)
    let bytes = (0..<photo.size.height).flatMap { row in
      (0..<photo.size.width).map { grey.planes[0].bytes[row * grey.planes[0].bytesPerRow + $0] }
    }
    return LumaImage(size: photo.size, bytes: bytes)
  }

  /// The eight pictures of the set show the same scene when they are upright.
  @Test(.enabled(if: Pictures.hasData("exif_orientation"))) func landscapesAgree() throws {
    let first = try luma(try photo(try Pictures.bytes("exif_orientation/Landscape_1.jpg")))
    #expect(first.size == PixelSize(width: 256, height: 171))
    for value in 2...8 {
      let bytes = try Pictures.bytes("exif_orientation/Landscape_\(value).jpg")
      #expect(try ImageFile.read(bytes).orientation == Orientation(exif: value))
      let psnr = try #require(ImageQuality.psnr(first, try luma(try photo(bytes))))
      // The files have different labels and are recompressed: they differ by 29 dB at full size. With a wrong rotation the PSNR is
      // below 20.
      #expect(psnr > 30, "EXIF \(value): \(psnr) dB")
    }
  }

  /// UVC cameras omit the Huffman tables; libjpeg-turbo then uses those of T.81 Annex K.3.
  @Test(.enabled(if: Pictures.hasData("video/mjpeg_avi1"))) func framesWithoutHuffmanTablesDecode() throws {
    let files = Pictures.files("video/mjpeg_avi1").filter { $0.pathExtension == "jpg" }
    #expect(!files.isEmpty)
    for file in files {
      let bytes = [UInt8](try Data(contentsOf: file))
      let photo = try photo(bytes)
      // One file has stray bytes between its restart intervals.
      #expect(photo.notes.isEmpty || file.lastPathComponent == "imagers_mjpeg.jpg")
      #expect(photo.size.longSide == 256, "\(file.lastPathComponent)")
    }
  }

  /// Each damaged or odd file gives a picture or a one-sentence error, without a crash or a hang.
  @Test(
    .enabled(if: Pictures.hasData("malformed")),
    arguments: ["malformed", "exif_orientation/pillow_hopper"]
  )
  func damageIsSurvived(folder: String) throws {
    var pictures = 0
    for file in Pictures.files(folder) where ["jpg", "jpeg", "png", "webp"].contains(file.pathExtension) {
      let bytes = [UInt8](try Data(contentsOf: file))
      do {
        let result = try photo(bytes)
        #expect(result.size.longSide <= 256 && result.bytes.count > 100)
        pictures += 1
        let image = try ImageFile.read(bytes).image
        try PreviewRenderer().render(image, orientation: .upright, into: try Pictures.surface(64, 48))
      } catch let error as ImageError {
        let text = error.description
        #expect(
          text.hasSuffix(".") && !text.contains("\n") && text.count < 250,
          "\(file.lastPathComponent): \(text)")
      }
    }
    #expect(pictures > 10)
  }

  /// PngSuite: files whose names begin with x must be refused, all others read.
  @Test(.enabled(if: Pictures.hasData("malformed/pngsuite"))) func pngSuite() throws {
    for file in Pictures.files("malformed/pngsuite") where file.pathExtension == "png" {
      let (name, bytes) = (file.lastPathComponent, [UInt8](try Data(contentsOf: file)))
      if name.hasPrefix("x") {
        #expect(throws: ImageError.self, "\(name)") { try ImageFile.read(bytes) }
      } else {
        #expect(try photo(bytes).notes.isEmpty, "\(name)")
      }
    }
  }

  /// A JPEG file that is cut anywhere gives a picture with a note, or an error.
  @Test func truncatedJPEG() throws {
    let image = try Pictures.raw(.i420, 128, 96, .jpeg, Pictures.noise)
    let whole = try PhotoPipeline().process(image, orientation: .upright, settings: PhotoSettings()).bytes
    var (noted, refused) = (0, 0)
    for count in stride(from: 0, to: whole.count - 2, by: 97) {
      do {
        let result = try photo(Array(whole.prefix(count)))
        #expect(result.notes.count == 1 && result.size == image.format.size)
        noted += 1
      } catch is ImageError { refused += 1 }
    }
    #expect(noted > 10 && refused > 3)
  }

  /// A file with one changed bit gives a picture of at most the requested size, or an error. PNG has checksums, so its picture must
  /// be unchanged.
  @Test(arguments: PhotoSettings.Container.allCases) func flippedBytes(container: PhotoSettings.Container)
    throws
  {
    let image = try Pictures.raw(.i420, 48, 32, .jpeg, Pictures.noise)
    let settings = PhotoSettings(container: container)
    let whole = try PhotoPipeline().process(image, orientation: .upright, settings: settings).bytes
    let undamaged = try photo(whole, container: .png)
    var (read, refused) = (0, 0)
    for index in stride(from: 0, to: whole.count, by: container == .jpeg ? 3 : 41) {
      var damaged = whole
      damaged[index] ^= UInt8(1 << (index % 8))
      do {
        let result = try photo(damaged, container: .png)
        #expect(result.size.longSide <= 256)
        if container == .png { #expect(result.bytes == undamaged.bytes, "byte \(index)") }
        read += 1
      } catch is ImageError { refused += 1 }
    }
    #expect(refused > 10 && (container == .png || read > 10))
  }

  /// A header with an absurd size is refused before memory is allocated for it.
  @Test func absurdClaims() throws {
    let image = try Pictures.raw(.i420, 48, 32, .jpeg, Pictures.noise)
    var jpeg = try PhotoPipeline().process(image, orientation: .upright, settings: PhotoSettings()).bytes
    let frame = try #require(jpeg.indices.first { jpeg[$0...].starts(with: [0xFF, 0xC0]) })
    for (high, low) in [(0xFF, 0xFF), (0x7F, 0xFF)] as [(UInt8, UInt8)] {
      jpeg.replaceSubrange(frame + 5..<frame + 9, with: [high, low, high, low])
      #expect(throws: ImageError.self) { try ImageFile.read(jpeg) }
    }
    jpeg.replaceSubrange(frame + 5..<frame + 9, with: [0, 0, 0, 8])
    #expect(throws: ImageError.corrupt(format: "JPEG", reason: "its header gives a size of 8×0")) {
      try ImageFile.read(jpeg)
    }
    let settings = PhotoSettings(container: .png)
    var png = try PhotoPipeline().process(image, orientation: .upright, settings: settings).bytes
    png.replaceSubrange(16..<24, with: [0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF])
    #expect(throws: ImageError.self) { try ImageFile.read(png) }
  }

  /// A grey PNG of 16 bits with the samples 87 · 257 and 200 · 257, written by Pillow. Other readers show 87 and 200.
  @Test func sixteenBitsAreTakenForSRGB() throws {
    let png: [UInt8] = [
      137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 2, 0, 0, 0, 1, 16, 0, 0, 0, 0,
      129, 217,
      252, 21, 0, 0, 0, 13, 73, 68, 65, 84, 120, 156, 99, 8, 15, 63, 113, 2, 0, 4, 190, 2, 63, 81, 69, 97, 37,
      0, 0, 0,
      0, 73, 69, 78, 68, 174, 66, 96, 130,
    ]
    let image = try ImageFile.read(png).image
    let plane = image.planes[0]
    #expect([plane.bytes[1], plane.bytes[5]] == [87, 200])
  }

  /// libpng would reserve a gigabyte for a chunk that claims this size.
  @Test func aChunkThatClaimsMoreThanTheFileHasIsRefused() throws {
    let settings = PhotoSettings(orientationMode: .tagged, container: .png)
    let turned = Orientation(rotation: .clockwise90)
    var png = try PhotoPipeline().process(
      try Pictures.surface(16, 16), orientation: turned, settings: settings
    ).bytes
    #expect(try ImageFile.read(png).orientation == turned)
    // The first chunk after the header is that of EXIF.
    png.replaceSubrange(33..<37, with: [0x3F, 0, 0, 0])
    #expect(
      throws: ImageError.truncated(format: "PNG", have: png.count, needed: 33 + 8 + 0x3F00_0000 + 4)
    ) { try ImageFile.read(png) }
  }

  @Test func othersAreUnrecognised() {
    for bytes in [[], [0xFF], Array("RIFF    WEBPVP8 ".utf8), Array("GIF89a".utf8)] {
      #expect(throws: ImageError.unrecognised) { try ImageFile.read(bytes) }
    }
  }
}
