import CCrypto
public import FoundationEssentials

/// One book in one scan, as a recogniser or a backend found it, under a name of its own.
///
/// The id is the finding's for ever: the library keeps it, whatever becomes of the book's title or of the order. Findings that are
/// told of again, after a restart or over another connection, have the same ids.
public struct Finding: Sendable, Equatable, Identifiable {
  /// Unique in its scan.
  public var id: UUID
  /// What was read or told of it.
  public var book: BookFinding
  /// The id of the physical book that was seen; nil when physical books are not told apart.
  public var spine: Spine?
  /// Whether the book is the one that its spine was before, whatever is read now. False for a backend's, which has names of its own:
  /// the library compares those by itself.
  public var followsSpine: Bool
  /// Spines that turned out to be parts of this one. They are forgotten, and what was seen as them was this.
  public var parts: [Spine.ID]
  /// An upright JPEG of the spine, for a person to look at, of at most ``pictureLimit`` bytes; handed over when the book is doubtful or
  /// unlikely. What is larger, or no JPEG, is not kept. It is removed once a person has reviewed the book.
  public var picture: [UInt8]?
  /// Where the photograph shows it; nil where that is not known, as of what a backend has found.
  public var place: Place?

  /// Most bytes of a picture: 64 KiB.
  public static let pictureLimit = 1 << 16

  /// A finding.
  /// - Parameters:
  ///   - id: give the same one whenever the same finding is told of again; a fresh one by default, which makes every telling another finding.
  ///   - parts: default: none.
  ///   - picture: default: none.
  public init(
    id: UUID = UUID(), _ book: BookFinding, spine: Spine? = nil, followsSpine: Bool = false,
    parts: [Spine.ID] = [], picture: [UInt8]? = nil, place: Place? = nil
  ) {
    self.id = id
    self.book = book
    self.spine = spine
    self.followsSpine = followsSpine
    self.parts = parts
    self.picture = picture
    self.place = place
  }
}

extension UUID {
  /// The same for the same name, and another for any other (RFC 9562, section 5.8, by SHA-256 as in its appendix B.2).
  package static func named(_ name: String) -> UUID { digest(of: Array(name.utf8)) }

  /// The same for the same content, and another for any other: 122 bits of its SHA-256.
  package static func digest(of content: [UInt8]) -> UUID {
    var bytes = [UInt8](repeating: 0, count: 32)
    _ = SHA256(content, content.count, &bytes)
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    return UUID(
      uuid: (
        bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9],
        bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
      ))
  }
}
