/// The encoded picture of a cover.
public struct Cover: Sendable, Equatable {
  /// The file as received. From a cache it has at most `CoverCache.Limits.cover` bytes.
  public let bytes: [UInt8]
  /// The media type by the first bytes: `image/jpeg`, `image/png`, `image/webp` or `image/gif`.
  public let mediaType: String

  /// Creates a cover. Nil if the bytes do not begin as one of these types.
  public init?(_ bytes: [UInt8]) {
    let beginnings: [(type: String, bytes: [UInt8])] = [
      ("image/jpeg", [0xFF, 0xD8, 0xFF]), ("image/png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
      ("image/gif", Array("GIF8".utf8)),
    ]
    let isWebP = bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8)
    guard
      let type = isWebP ? "image/webp" : beginnings.first(where: { bytes.starts(with: $0.bytes) })?.type
    else { return nil }
    self.bytes = bytes
    mediaType = type
  }
}
