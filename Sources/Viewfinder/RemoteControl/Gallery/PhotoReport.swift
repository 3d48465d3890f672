import Imagery
import JSON

/// What a page tells of a photo: its size, its metadata, and what models charge for it.
enum PhotoReport {
  /// The most of a file that is read for it: the head of a photo, with a colour profile and a thumbnail, is smaller.
  static let mostBytes = 1 << 20

  /// - Throws: the reason why this is not the head of a JPEG file.
  static func document(of head: [UInt8]) throws(ImageError) -> JSONValue {
    let described = try JPEGDescription(head)
    let metadata = described.metadata
    return .object([
      "width": .whole(described.size.width), "height": .whole(described.size.height),
      "time": .text(metadata.time?.internetText), "make": .text(metadata.make),
      "model": .text(metadata.model),
      "exposureDuration": .number(known: metadata.exposureDuration), "iso": .number(known: metadata.iso),
      "exposureBias": .number(known: metadata.exposureBias),
      "isExposureManual": metadata.isExposureManual.map { .bool($0) } ?? .null,
      "isWhiteBalanceManual": metadata.isWhiteBalanceManual.map { .bool($0) } ?? .null,
      "digitalZoom": .number(known: metadata.digitalZoom),
      "tokens": .array(
        TokenProfile.all.map { profile in
          .object([
            "id": .text(profile.id), "vendor": .text(profile.vendor), "title": .text(profile.title),
            "tokens": .whole(profile.tokens(for: described.size)),
          ])
        }),
    ])
  }
}
