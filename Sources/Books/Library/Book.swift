import Bibliography
public import FoundationEssentials

/// A book in the library. It is a partial scan until an ISBN is found.
public struct Book: Sendable, Equatable, Identifiable, Codable {
  public var id: Int64
  /// The ISBN: thirteen digits, unique in the library. Nil if unknown.
  public var isbn: String?
  /// The title, as the backend names the book or as in the surest reading so far. Empty if only an ISBN is known.
  public var title: String
  /// The author. Empty if unknown.
  public var author: String
  /// The `https` address of the cover, which `CoverCache` fetches. Nil if none was given.
  public var coverURL: String?
  /// The kind of edition, such as `hardcover`. Nil if unknown.
  public var format: String?
  /// The time at which the book was added to the library, to the millisecond.
  public var addedAt: Date
  /// The highest confidence of any reading, 0 to 1.
  public var spineConfidence: Double?
  /// The highest certainty of any finding; `sure` once a person has confirmed the book. Nil if no finding was judged.
  public var certainty: BookFinding.Certainty?
  /// The time at which a person confirmed or corrected the book. From then on no machine renames the book. Nil if nobody did.
  public var confirmedAt: Date?
  /// The number of copies that a person stated. Nil if nobody did; ``Library/copies(of:)`` then counts the spines.
  public var statedCopies: Int?
}

/// A book as seen once by a recogniser or a backend.
public struct BookFinding: Sendable, Equatable {
  /// The certainty that a finding is a book and has the right name. A closed enumeration.
  public enum Certainty: String, Sendable, Codable, CaseIterable {
    /// Accepted without review.
    case sure
    /// Listed in the library, and marked for review by a person.
    case doubtful
    /// Kept for review by a person. Not listed, counted, searched or exported unless requested.
    case unlikely
  }

  /// The text that was read on a spine, letter for letter.
  public struct Reading: Sendable, Equatable, Codable {
    /// The title. A stored title is within the library's limits.
    public var title: String
    /// The author. Empty if none was read.
    public var author: String

    /// Creates a reading from its parts, unchanged.
    public init(title: String, author: String = "") {
      self.title = title
      self.author = author
    }
  }

  /// The ISBN, with or without hyphens, ten digits or thirteen. An invalid ISBN is dropped when the finding is stored.
  public var isbn: String?
  /// The title. Empty if only an ISBN is known.
  public var title: String
  /// The author. Empty if unknown.
  public var author: String
  /// The address of the cover. When the finding is stored, it is dropped unless it is an `https` address of at most 2,000 bytes.
  public var coverURL: String?
  /// The kind of edition, such as `hardcover`. Nil if unknown.
  public var format: String?
  /// The confidence of the best reading, 0 to 1.
  public var confidence: Double?
  /// The certainty that this is a book with the right name. Nil if the finding was not judged, as for a backend's; it then counts as sure.
  public var certainty: Certainty?
  /// The text on the spine, if a catalogue or a person gave the book another name. Nil if `title` and `author` are the text on the spine.
  public var reading: Reading?

  /// Creates a finding from its parts, unchanged. The library stores the result of ``normalized()`` instead.
  public init(
    isbn: String? = nil, title: String, author: String = "", coverURL: String? = nil, format: String? = nil,
    confidence: Double? = nil, certainty: Certainty? = nil, reading: Reading? = nil
  ) {
    self.isbn = isbn
    self.title = title
    self.author = author
    self.coverURL = coverURL
    self.format = format
    self.confidence = confidence
    self.certainty = certainty
    self.reading = reading
  }

  /// Returns the finding as the library stores it. Each text is cleaned (`CleanText`) and cut to 1,000 characters and 16,000 bytes. The confidence
  /// is clamped to 0…1. Values that the library does not take are dropped: an ISBN with a wrong check digit, a `coverURL` that is not `https` or has
  /// more than 2,000 bytes, a confidence that is not finite. Nil if neither a title nor an ISBN is left.
  public func normalized() -> BookFinding? {
    var finding = self
    finding.isbn = isbn.flatMap(ISBN.normalize)
    finding.title = CleanText.name(title)
    finding.author = CleanText.name(author)
    finding.format = format.map { CleanText.line($0) }.flatMap { $0.isEmpty ? nil : $0 }
    finding.coverURL = coverURL.flatMap { $0.hasPrefix("https://") && $0.utf8.count <= 2000 ? $0 : nil }
    finding.confidence = confidence.flatMap { $0.isFinite ? min(max($0, 0), 1) : nil }
    finding.reading = reading.map {
      Reading(title: CleanText.line($0.title), author: CleanText.line($0.author))
    }
    return finding.title.isEmpty && finding.isbn == nil ? nil : finding
  }
}
