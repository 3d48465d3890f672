import Bibliography
import FoundationEssentials

/// A book in a file, with all data of the library except the scans that show it.
package struct BookRecord: Sendable, Equatable, Codable {
  var title: String
  var author: String
  var isbn: String?
  var format: String?
  var coverURL: String?
  /// The time at which the book was added, in milliseconds since 1970. Nil if the file does not give it.
  var addedAt: Int64?
  var confidence: Double?
  var certainty: BookFinding.Certainty?
  /// The time at which a person confirmed the book, in milliseconds since 1970. Nil if nobody did.
  var confirmedAt: Int64?
  /// The number of copies, stated or counted. Nil if the file does not give it.
  var copies: Int?
  /// The id, and the library that gave the id. Nil if the file has no valid id or names no library.
  var place: Place?
  /// The names of the photographs that show the book. Written to files, never read.
  var photo: String?
  /// The place of the shelf where the book was first seen. Written to files, never read.
  var location: String?
  /// An error in a time or the confidence. It matters only for a new book; a known book keeps its own values.
  var trouble: Trouble?
  /// The number into which a spreadsheet has turned the ISBN.
  var rounded: RoundedISBN?
  /// The fields that are present in the file, even if empty.
  var named: Set<Field> = Set(Field.allCases)

  /// The book that a record refers to: its id, and the library that gave the id.
  struct Place: Sendable, Equatable {
    var id: Int64
    var library: String

    init?(id: String?, library: String?) {
      guard let library, !library.isEmpty, let id = id.flatMap(Int64.init), id > 0 else { return nil }
      (self.id, self.library) = (id, library)
    }
  }

  enum Field: String, CaseIterable, CodingKey {
    case title, author, isbn, format, coverURL, addedAt, confidence, certainty, confirmedAt, copies, id,
      library, photo, location
  }

  /// - Parameters:
  ///   - library: the identity of the library that has the book.
  ///   - copies: the number of copies, stated or counted.
  init(_ book: Book, of library: String, copies: Int) {
    certainty = book.certainty
    confirmedAt = book.confirmedAt.map(Milliseconds.of)
    self.copies = copies
    place = Place(id: String(book.id), library: library)
    title = book.title
    author = book.author
    isbn = book.isbn
    format = book.format
    coverURL = book.coverURL
    addedAt = Milliseconds.of(book.addedAt)
    confidence = book.spineConfidence
  }

  static func certainty(_ text: String) throws(Trouble) -> BookFinding.Certainty {
    guard let certainty = BookFinding.Certainty(rawValue: text.lowercased()) else {
      throw Trouble("the certainty “\(text.prefix(32))” is not sure, doubtful or unlikely")
    }
    return certainty
  }

  static func time(_ text: String, _ field: Field) throws(Trouble) -> Int64 {
    guard let time = Timestamp.milliseconds(text) ?? SpreadsheetTime.milliseconds(text) else {
      throw Trouble(
        "\(field.rawValue) “\(text.prefix(32))” is not a time such as 2026-11-21T16:15:29.123Z")
    }
    return time
  }

  /// An error in a record, as a clause.
  struct Trouble: Error, Equatable {
    let reason: String
    init(_ reason: String) { self.reason = reason }
  }

  /// The finding, within the library's limits.
  /// - Throws: `Trouble` if a value would be lost or is not valid.
  func finding() throws(Trouble) -> BookFinding {
    if let confidence, !(0...1).contains(confidence) {
      throw Trouble("the confidence \(confidence) is not from 0 to 1")
    }
    if let copies, !(1...1000).contains(copies) { throw Trouble("copies is \(copies), not 1 to 1000") }
    let reading = isbn.map(ISBN.read) ?? ISBNReading()
    if let reason = reading.trouble { throw Trouble(reason) }
    if let coverURL, !coverURL.hasPrefix("https://") || coverURL.utf8.count > 2000 {
      throw Trouble("the cover's address is not an https one of at most 2,000 bytes")
    }
    guard [title, author, format ?? ""].allSatisfy({ $0.utf8.count <= 16_000 && $0.count <= 1000 }) else {
      throw Trouble("a text is longer than 1,000 characters, or 16,000 bytes")
    }
    let finding = BookFinding(
      isbn: reading.isbns.first, title: title, author: author, coverURL: coverURL, format: format,
      confidence: confidence,
      certainty: certainty)
    guard let normal = finding.normalized() else { throw Trouble("it has neither a title nor an ISBN") }
    return normal
  }
}

extension BookRecord {
  /// - Throws: `Trouble`, or a decoding error if a value has another type.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Field.self)
    func text(_ field: Field) throws -> String? { try values.decodeIfPresent(String.self, forKey: field) }
    title = try text(.title) ?? ""
    author = try text(.author) ?? ""
    // Other programs write the ISBN as a number.
    isbn = try (try? values.decodeIfPresent(Int64.self, forKey: .isbn)).map { "\($0)" } ?? text(.isbn)
    format = try text(.format)
    coverURL = try text(.coverURL)
    addedAt = try text(.addedAt).map { try Self.time($0, .addedAt) }
    confidence = try values.decodeIfPresent(Double.self, forKey: .confidence)
    certainty = try text(.certainty).map(Self.certainty)
    confirmedAt = try text(.confirmedAt).map { try Self.time($0, .confirmedAt) }
    copies = try values.decodeIfPresent(Int.self, forKey: .copies)
    // Other programs have ids that are not numbers.
    place = Place(
      id: (try? values.decodeIfPresent(Int64.self, forKey: .id))?.map(String.init),
      library: try? values.decodeIfPresent(String.self, forKey: .library))
    named = Set(Field.allCases.filter(values.contains))
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Field.self)
    try values.encode(title, forKey: .title)
    try values.encode(author, forKey: .author)
    try values.encodeIfPresent(isbn, forKey: .isbn)
    try values.encodeIfPresent(format, forKey: .format)
    try values.encodeIfPresent(coverURL, forKey: .coverURL)
    try values.encodeIfPresent(addedAt.map(Timestamp.text), forKey: .addedAt)
    try values.encodeIfPresent(confidence, forKey: .confidence)
    try values.encodeIfPresent(certainty, forKey: .certainty)
    try values.encodeIfPresent(confirmedAt.map(Timestamp.text), forKey: .confirmedAt)
    try values.encodeIfPresent(copies, forKey: .copies)
    try values.encodeIfPresent(place?.id, forKey: .id)
    try values.encodeIfPresent(place?.library, forKey: .library)
    try values.encodeIfPresent(photo, forKey: .photo)
    try values.encodeIfPresent(location, forKey: .location)
  }
}
