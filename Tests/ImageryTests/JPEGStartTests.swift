import CTurboJPEG
import Foundation
import Testing

@testable import Imagery

/// Cameras send a start marker twice, or other bytes before the start or after the end. The decoded picture must be the same.
@Suite struct JPEGStartTests {
  private static let size = PixelSize(width: 96, height: 64)
  private static let (start, end): ([UInt8], [UInt8]) = ([0xFF, 0xD8], [0xFF, 0xD9])
  private static let junk: [UInt8] = (0..<300).map { UInt8($0 * 7 % 251) }

  private static func picture(_ size: PixelSize = size, isProgressive: Bool = false) throws -> [UInt8] {
    try EncodedJPEG.picture(size, sampling: EncodedJPEG.samplings[2], isProgressive: isProgressive)
  }

  private func shown(_ bytes: [UInt8], announced: PixelSize = size) throws -> [UInt8] {
    let surface = try Pictures.surface(Self.size.width, Self.size.height)
    try PreviewRenderer().render(Pictures.jpeg(bytes, announced), orientation: .upright, into: surface)
    return Array(UnsafeRawBufferPointer(start: surface.planes[0].base, count: surface.planes[0].byteCount))
  }

  private static let oddities = [
    "two starts", "many starts", "zeros before", "fill bytes before", "bytes before", "start, segment, start",
    "an abandoned picture before", "an end before", "a multipart head before", "zeros behind",
    "fill bytes behind", "bytes behind",
    "another picture behind", "no end", "a thumbnail before", "fill bytes between",
  ]

  private static func odd(_ name: String) throws -> [UInt8] {
    let whole = try picture()
    let comment: [UInt8] = [0xFF, 0xFE, 0, 6, 1, 2, 3, 4]
    switch name {
    case "two starts": return start + whole
    case "many starts": return Array(Array(repeating: start, count: 5).joined()) + whole
    case "zeros before": return [UInt8](repeating: 0, count: 500) + whole
    case "fill bytes before": return [UInt8](repeating: 0xFF, count: 500) + whole
    case "bytes before": return junk + whole
    case "start, segment, start": return start + comment + whole
    case "an abandoned picture before":
      let other = try picture(PixelSize(width: 32, height: 32))
      return try Array(other.prefix(EncodedJPEG.scanStart(other) - 14)) + whole
    case "an end before": return start + end + whole
    case "a multipart head before": return Array("--x\r\nContent-Type: image/jpeg\r\n\r\n".utf8) + whole
    case "zeros behind": return whole + [UInt8](repeating: 0, count: 5000)
    case "fill bytes behind": return whole + [UInt8](repeating: 0xFF, count: 5000)
    case "bytes behind": return whole + junk
    case "another picture behind": return try whole + picture(PixelSize(width: 32, height: 32))
    case "no end": return Array(whole.dropLast(2))
    case "a thumbnail before": return try picture(PixelSize(width: 32, height: 32)) + whole
    default: return start + [0xFF, 0xFF, 0xFF] + Array(whole.dropFirst(2))
    }
  }

  @Test(arguments: oddities) func aCamerasFrameIsItsPicture(name: String) throws {
    let bytes = try Self.odd(name)
    #expect(bytes.withUnsafeBytes { JPEGCheck.fault(in: $0, announced: Self.size) } == nil)
    let isTheSame = try shown(bytes) == shown(Self.picture())
    #expect(isTheSame)
    let image = try Pictures.jpeg(bytes, Self.size)
    let passed = try JPEGJudge().picture(of: image)
    #expect(passed.size == Self.size && passed.isOrdinary)
    // The bytes that are passed on begin with the picture itself, so any decoder accepts them.
    let alone = withExtendedLifetime(image) { Array(passed.bytes) }
    let whole = try Self.picture()
    #expect(alone.prefix(whole.count - 2) == whole.prefix(whole.count - 2) || name == "fill bytes between")
  }

  /// A camera's frame has an announced size, but a file has none: its first picture counts, as in other readers.
  @Test(arguments: oddities.filter { $0 != "a thumbnail before" }) func aFileIsItsPicture(name: String) throws
  {
    let (image, orientation, notes) = try ImageFile.read(try Self.odd(name))
    #expect(image.format.size == Self.size && orientation == .upright && notes.isEmpty)
    let photo = try PhotoPipeline().process(image, orientation: .upright, settings: PhotoSettings())
    #expect(photo.size == Self.size && photo.notes.isEmpty && photo.bytes.starts(with: Self.start))
  }

  /// A JPEG picture within a file of another format is not read.
  @Test(arguments: ["II*\0", "MM\0*", "RIFF", "%PDF-1.4", "\0\0\0\u{18}ftypheic", "GIF89a", "PK"])
  func otherFormatsAreNotSearched(head: String) throws {
    let bytes = try Array(head.utf8) + Self.picture()
    #expect(throws: ImageError.unrecognised) { try ImageFile.read(bytes) }
  }

  @Test func nothingIsFoundWhereNothingIs() {
    for bytes in [[], [0xFF], Self.junk, [UInt8](repeating: 0xFF, count: 70_000), Self.start + Self.end]
      as [[UInt8]]
    {
      #expect(throws: ImageError.self) { try ImageFile.read(bytes) }
      #expect(bytes.withUnsafeBytes { JPEGCheck.fault(in: $0, announced: Self.size) } != nil)
    }
  }

  /// The orientation may stand before the file's second start marker.
  @Test func aTurnBeforeTheLastStartCounts() throws {
    let turned = Orientation(rotation: .clockwise90)
    let bytes = try Self.start + EXIF.application1(turned) + Self.picture()
    #expect(try ImageFile.read(bytes).orientation == turned)
    let settings = PhotoSettings(longSide: nil)
    let photo = try PhotoPipeline().process(
      ImageFile.read(bytes).image, orientation: turned, settings: settings)
    #expect(photo.size == Self.size.transposed)
  }

  /// Scans of further pictures after the end do not count against the limit.
  @Test func scansBehindTheEndDoNotCount() throws {
    let one = try Self.picture(isProgressive: true)
    let bytes = Array(Array(repeating: one, count: 20).joined())
    #expect(try ImageFile.read(bytes).image.format.size == Self.size)
    let isTheSame = try shown(bytes) == shown(one)
    #expect(isTheSame)
  }

  /// For a picture in several scans, the decoder holds all coefficients in memory at once.
  @Test func aPictureInScansHasALimit() throws {
    var bytes = try Self.picture(isProgressive: true)
    let frame = try #require(bytes.indices.first { bytes[$0...].starts(with: [0xFF, 0xC2]) })
    // 12000 × 12000 in 4:2:0 would be 432 MB.
    bytes.replaceSubrange(frame + 5..<frame + 9, with: [0x2E, 0xE0, 0x2E, 0xE0])
    bytes += [UInt8](repeating: 0, count: 100_000)
    let error = try #require(throws: ImageError.self) { try ImageFile.read(bytes) }
    #expect("\(error)".contains("400 MB"), "\(error)")
    // Three scans of one component each need the same amount of memory.
    bytes[frame + 1] = 0xC0
    #expect(throws: Never.self) { try ImageFile.read(bytes) }
    let scan = try #require(bytes.indices.first { bytes[$0...].starts(with: [0xFF, 0xDA]) })
    bytes.replaceSubrange(scan..<scan + 14, with: [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0])
    #expect(throws: ImageError.self) { try ImageFile.read(bytes) }
  }

  @Test(.enabled(if: Pictures.hasData("strangers")), arguments: ["soi_double.jpg", "prog_mpf_12.jpg"])
  func strangersPictures(name: String) throws {
    let (image, _, _) = try ImageFile.read(Pictures.bytes("strangers/\(name)"))
    let photo = try PhotoPipeline().process(
      image, orientation: .upright, settings: PhotoSettings(preservesEncoding: false))
    #expect(photo.size.longSide > 100 && photo.notes.isEmpty)
  }
}
