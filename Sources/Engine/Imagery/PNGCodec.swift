import CPNG
import Glibc

/// Reads the header of a PNG file, and writes PNG through libpng's simplified interface, which handles its own `longjmp`.
enum PNGCodec {
  /// The width, the height and the EXIF block of a PNG file, from its chunks (W3C PNG, third edition, section 5).
  struct Header {
    var size: PixelSize
    var exif: Range<Int>?

    /// - Throws: `unrecognised`, `truncated`, `corrupt`, `tooLarge`.
    init(_ bytes: UnsafeRawBufferPointer) throws(ImageError) {
      guard PNGCodec.isPNG(bytes) else { throw .unrecognised }
      guard bytes.count >= 33 else { throw .truncated(format: "PNG", have: bytes.count, needed: 33) }
      guard bytes.hasText("IHDR", at: 12), bytes.big32(8) == 13 else {
        throw .corrupt(format: "PNG", reason: "it does not begin with a header chunk")
      }
      size = PixelSize(width: bytes.big32(16), height: bytes.big32(20))
      try size.checkLimits()
      guard size.area <= 16_777_216 || bytes.count >= size.area / 8192 else {
        throw .tooLarge(
          what: "a PNG file of \(bytes.count) bytes that claims \(size) pixels",
          limit: "8192 pixels for each byte of the file")
      }
      exif = try Self.exif(in: bytes)
    }

    /// Checks that every chunk lies within the file: libpng allocates memory for the claimed length of a chunk before it checks that.
    private static func exif(in bytes: UnsafeRawBufferPointer) throws(ImageError) -> Range<Int>? {
      var (at, exif): (Int, Range<Int>?) = (33, nil)
      while at + 12 <= bytes.count, !bytes.hasText("IEND", at: at + 4) {
        let end = at + 8 + bytes.big32(at)
        guard end + 4 <= bytes.count else {
          throw .truncated(format: "PNG", have: bytes.count, needed: end + 4)
        }
        if exif == nil, bytes.hasText("eXIf", at: at + 4) { exif = at + 8..<end }
        at = end + 4
      }
      return exif
    }
  }

  static func isPNG(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    return bytes.count >= 8 && bytes.prefix(8).elementsEqual(signature)
  }

  /// - Parameters:
  ///   - pixels: one grey byte, or blue, green and red bytes, per pixel; rows without padding.
  ///   - orientation: written as an `eXIf` chunk if it is not upright, or if there is metadata.
  static func encode(
    _ pixels: [UInt8], _ size: PixelSize, isGrey: Bool, orientation: Orientation,
    metadata: PhotoMetadata? = nil
  ) throws(ImageError) -> [UInt8] {
    var image = png_image()
    image.version = UInt32(PNG_IMAGE_VERSION)
    image.width = UInt32(size.width)
    image.height = UInt32(size.height)
    image.format = isGrey ? UInt32(PNG_FORMAT_GRAY) : UInt32(PNG_FORMAT_BGR)
    defer { png_image_free(&image) }
    var status: Int32 = 0
    // Deflate stores data that it cannot compress: one filter byte per row and a few bytes per block more than the pixels.
    let room = pixels.count + size.height + pixels.count / 512 + 4096
    var bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      var length = room
      status = png_image_write_to_memory(&image, buffer.baseAddress, &length, 0, pixels, 0, nil)
      count = status != 0 ? length : 0
    }
    guard status != 0 else { throw .encodingFailed(format: "PNG", reason: image.text) }
    if let metadata {
      bytes.insert(contentsOf: chunk("eXIf", EXIF.tiff(orientation, metadata, size: size)), at: 33)
    } else if orientation != .upright {
      bytes.insert(contentsOf: chunk("eXIf", EXIF.tiff(orientation)), at: 33)
    }
    return bytes
  }

  /// Length, type, data and CRC-32 of a chunk.
  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let body = [UInt8](type.utf8) + data
    return bigEndian(UInt32(data.count)) + body + bigEndian(crc32(body))
  }

  /// ISO 3309 CRC, polynomial 0xEDB88320, bit by bit: chunks here are a few dozen bytes.
  private static func crc32(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(0xFFFF_FFFF as UInt32) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
  }
}

extension png_image {
  /// libpng's own message.
  fileprivate var text: String {
    withUnsafeBytes(of: message) { raw in
      String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
