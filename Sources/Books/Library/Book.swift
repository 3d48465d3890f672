import Bibliography
public import FoundationEssentials

/// A book in the library. Without an ISBN it is a partial scan, waiting for one.
public struct Book: Sendable, Equatable, Identifiable, Codable {
  public var id: Int64
  /// Thirteen digits; unique in the library.
  public var isbn: String?
  /// As the latest sure reading, or the backend, has it; empty when only an ISBN is known.
  public var title: String
  /// Empty when unknown.
  public var author: String
  /// An `https` address; nil when nobody named one. `CoverCache` fetches it.
  public var coverURL: String?
  /// The kind of edition, such as `hardcover`.
  public var format: String?
  /// When it came into the library, to the millisecond.
  public var addedAt: Date
  /// 0 to 1: the best there was.
  public var spineConfidence: Double?
  /// The best that any finding was given; nil when nothing has judged them. Once a person has confirmed the book, `sure`.
  public var certainty: BookFinding.Certainty?
  /// When a person confirmed or corrected it. No machine renames it since.
  public var confirmedAt: Date?
  /// How many copies a person says there are; nil when nobody did. ``Library/copies(of:)`` counts the spines then.
  public var statedCopies: Int?
}

/// A book as a recogniser or a backend saw it once.
public struct BookFinding: Sendable, Equatable {
  /// Whether a finding is a book, and rightly named. A closed enumeration.
  public enum Certainty: String, Sendable, Codable, CaseIterable {
    /// Taken as it is.
    case sure
    /// In the library, and marked for a person to look at.
    case doubtful
    /// Kept for a person to look at, but not listed, counted, searched or exported unless asked for.
    case unlikely
  }

  /// What was read on a spine, letter for letter.
  public struct Reading: Sendable, Equatable, Codable {
    /// Within the library's limits once it is stored.
    public var title: String
    /// Empty when none was read.
    public var author: String

    /// A reading as it is.
    public init(title: String, author: String = "") {
      self.title = title
      self.author = author
    }
  }

  /// With or without hyphens, ten digits or thirteen; what does not hold is left out when it is stored.
  public var isbn: String?
  /// Empty when only an ISBN is known.
  public var title: String
  /// Empty when unknown.
  public var author: String
  /// Kept if it is an `https` address of at most 2,000 bytes.
  public var coverURL: String?
  /// Such as `hardcover`; nil when unknown.
  public var format: String?
  /// How sure the best reading was, from 0 to 1.
  public var confidence: Double?
  /// Nil when nobody judged it, such as a backend's; it then counts as sure.
  public var certainty: Certainty?
  /// As it was read, when a catalogue or a person gave it another name; nil when `title` and `author` are the reading.
  public var reading: Reading?

  /// A finding as it is. The library keeps what ``normalized()`` leaves of it.
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

  /// Within the limits the library keeps: 1,000 characters and 16,000 bytes of clean text (`CleanText`), 2,000 bytes of address, a
  /// finite confidence, an ISBN whose check digit holds; `nil` when neither a title nor an ISBN is left.
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
