/// The encoded picture of a cover.
public struct Cover: Sendable, Equatable {
  /// The file as it came: at most `CoverCache.Limits.cover` bytes from a cache.
  public let bytes: [UInt8]
  /// What the first bytes say it is: `image/jpeg`, `image/png`, `image/webp` or `image/gif`.
  public let mediaType: String

  /// `nil` when the bytes begin as none of these does.
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
