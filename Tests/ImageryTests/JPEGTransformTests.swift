import Foundation
import Testing

@testable import Imagery

/// A JPEG picture whose orientation alone changes is transformed without decoding its samples.
@Suite struct JPEGTransformTests {
  private static let whole = PixelSize(width: 160, height: 96)

  /// `whole` is a multiple of the block size of every sampling.
  private static func jpeg(_ format: PixelFormat, _ size: PixelSize = whole) throws -> [UInt8] {
    let image = try PhotoPipelineTests.quadrants(format, size.width, size.height, .jpeg)
    return try JPEGEncoder().encode(
      try PlanarLoader(damage: .refuse).load(image).image, quality: 90, orientation: .upright)
  }

  private static func photo(
    _ bytes: [UInt8], _ orientation: Orientation, _ settings: PhotoSettings, size: PixelSize = whole,
    damage: DamagePolicy = .keep
  ) throws -> Photo {
    try PhotoPipeline(damage: damage).process(
      Pictures.jpeg(bytes, size), orientation: orientation, settings: settings)
  }

  @Test(arguments: [PixelFormat.i420, .i422, .i444, .grey], PhotoSettings.OrientationMode.allCases)
  func isUprightForItsReader(format: PixelFormat, mode: PhotoSettings.OrientationMode) throws {
    let (bytes, size) = (try Self.jpeg(format), Self.whole)
    for orientation in Orientation.allCases {
      let photo = try Self.photo(bytes, orientation, PhotoSettings(orientationMode: mode))
      let upright = orientation.applied(to: size)
      #expect(photo.isEncodingPreserved && photo.quality == 100, "\(format) \(orientation)")
      #expect(photo.size == upright && photo.storedSize == (mode == .baked ? upright : size))
      #expect(photo.exifOrientation == (mode == .baked ? 1 : orientation.exif))
      let shown = try PhotoPipelineTests.displayed(photo)
      #expect(shown.format.size == upright)
      for (x, y) in [(40, 24), (120, 24), (40, 72), (120, 72)] {
        let place = Reference.place(x, y, size, orientation)
        let want = [40, 90, 150, 210][(x < 80 ? 0 : 1) + (y < 48 ? 0 : 2)]
        #expect(abs(Pictures.rgb(shown, place.x, place.y)[1] - want) <= 3)
      }
    }
  }

  /// Four quarter turns give the original, bit for bit, which repeated encoding would not.
  @Test func nothingIsLost() throws {
    let first = try Self.photo(try Self.jpeg(.i420), .upright, PhotoSettings())
    var turned = first
    for _ in 0..<4 {
      turned = try Self.photo(
        turned.bytes, Orientation(rotation: .clockwise90), PhotoSettings(), size: turned.size)
      #expect(turned.isEncodingPreserved)
    }
    #expect(turned.bytes == first.bytes)
  }

  /// If a side is no multiple of the block size, rotation by blocks would put incomplete blocks at the left or upper edge, so the
  /// picture is encoded again.
  @Test func aPictureThatCannotBeTurnedWithoutALossIsEncodedAnew() throws {
    let size = PixelSize(width: 150, height: 90)
    let bytes = try Self.jpeg(.i420, size)
    for orientation in Orientation.allCases {
      let photo = try Self.photo(bytes, orientation, PhotoSettings(), size: size)
      let isWhole = orientation == .upright || orientation == Orientation(exif: 5)
      #expect(photo.isEncodingPreserved == isWhole, "\(orientation)")
      #expect(try PhotoPipelineTests.displayed(photo).format.size == orientation.applied(to: size))
    }
  }

  @Test func whatChangesMoreThanTheOrientationIsEncodedAnew() throws {
    let bytes = try Self.jpeg(.i420)
    let others = [
      PhotoSettings(longSide: 100), PhotoSettings(preservesEncoding: false), PhotoSettings(container: .png),
      PhotoSettings(zoom: 2), PhotoSettings(exposureBias: 1),
      PhotoSettings(maximumBytes: try Self.photo(bytes, .upright, PhotoSettings()).bytes.count - 1),
    ]
    for settings in others {
      #expect(try !Self.photo(bytes, .upright, settings).isEncodingPreserved)
    }
  }

  /// The source's location, names and comments are removed, and the engine's own metadata are written.
  @Test func nothingPrivateStays() throws {
    let plain = try Self.jpeg(.i420)
    let secret = [UInt8]("Exif\0\0here I live".utf8)
    let remark: [UInt8] = [0xFF, 0xFE, 0, 8] + [UInt8]("remark".utf8)
    let marked =
      Array(plain[..<2]) + [0xFF, 0xE1, 0, UInt8(secret.count + 2)] + secret + remark + plain[2...]
    var settings = PhotoSettings(orientationMode: .tagged)
    var metadata = PhotoMetadata()
    metadata.make = "Maker"
    settings.metadata = metadata
    let photo = try Self.photo(marked, Orientation(rotation: .half), settings)
    #expect(photo.isEncodingPreserved && photo.notes.isEmpty)
    let data = Data(photo.bytes)
    #expect(data.range(of: Data("here I live".utf8)) == nil && data.range(of: Data("remark".utf8)) == nil)
    #expect(data.range(of: Data("Maker".utf8)) != nil)
    #expect(try ImageFile.read(photo.bytes).orientation == Orientation(rotation: .half))
  }

  /// The transform parses the codes, so it does not accept a picture that ends in the middle.
  @Test func damageIsNoticed() throws {
    let bytes = try Self.jpeg(.i420)
    let cut = Array(bytes[..<(bytes.count * 3 / 4)]) + [0xFF, 0xD9]
    #expect(throws: ImageError.self) {
      try Self.photo(cut, .upright, PhotoSettings(), damage: .refuse)
    }
    let kept = try Self.photo(cut, .upright, PhotoSettings())
    #expect(!kept.isEncodingPreserved && !kept.notes.isEmpty)
  }

  /// Many webcams omit the Huffman tables, but viewers need them in a file.
  @Test func missingTablesAreThere() throws {
    let bytes = try Self.jpeg(.i422)
    var stripped: [UInt8] = Array(bytes[..<2])
    var position = 2
    while bytes[position + 1] != 0xDA {
      let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
      if bytes[position + 1] != 0xC4 { stripped += bytes[position..<position + 2 + length] }
      position += 2 + length
    }
    stripped += bytes[position...]
    let (photo, whole) = (
      try Self.photo(stripped, .upright, PhotoSettings()), try Self.photo(bytes, .upright, PhotoSettings())
    )
    #expect(photo.isEncodingPreserved && photo.bytes == whole.bytes)
    #expect(Data(photo.bytes).range(of: Data([0xFF, 0xC4])) != nil)
  }
}
