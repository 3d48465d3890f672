import CCrypto
public import FoundationEssentials

/// One book in one scan, as a recogniser or a backend found it, with an id.
///
/// The id is permanent: the library keeps it even if the book's title or the order of the findings changes. A finding that is reported again,
/// after a restart or over another connection, has the same id.
public struct Finding: Sendable, Equatable, Identifiable {
  /// The id, unique in its scan.
  public var id: UUID
  /// The book as it was read or reported.
  public var book: BookFinding
  /// The physical book that was seen. Nil if the source does not tell physical books apart.
  public var spine: Spine?
  /// Whether the finding is the same book as the earlier findings of its spine, even if the text now differs. False for a backend, which names books
  /// itself; the library then compares the names.
  public var followsSpine: Bool
  /// The ids of spines that turned out to be parts of the finding's spine. They are deleted, and their sightings become sightings of this spine.
  public var parts: [Spine.ID]
  /// A picture of the spine for review: an upright JPEG of at most ``pictureLimit`` bytes, given if the book is doubtful or unlikely. A larger
  /// picture, or one that is not a JPEG, is dropped. The picture is removed once a person has reviewed the book.
  public var picture: [UInt8]?
  /// The place of the book in the photograph. Nil if unknown, for example in a backend's finding.
  public var place: Place?

  /// The maximum size of a picture: 64 KiB.
  public static let pictureLimit = 1 << 16

  /// Creates a finding.
  /// - Parameters:
  ///   - id: must be equal whenever the same finding is reported again. The default is a new id, which makes every report a new finding.
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
  /// A UUID derived from the name (RFC 9562, section 5.8, by SHA-256 as in its appendix B.2). Equal names give equal UUIDs.
  package static func named(_ name: String) -> UUID { digest(of: Array(name.utf8)) }

  /// A UUID derived from the content: 122 bits of its SHA-256. Equal content gives an equal UUID.
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
