import FoundationEssentials

/// A book as a file has it: all the library knows of it but its number there and the scans it was seen in.
struct BookRecord: Sendable, Equatable, Codable {
  var title: String
  var author: String
  var isbn: String?
  var format: String?
  var coverURL: String?
  /// Milliseconds since 1970; `nil` in a file that does not say.
  var addedAt: Int64?
  var confidence: Double?

  enum Field: String, CaseIterable, CodingKey {
    case title, author, isbn, format, coverURL, addedAt, confidence
  }

  init(_ book: Book) {
    title = book.title
    author = book.author
    isbn = book.isbn
    format = book.format
    coverURL = book.coverURL
    addedAt = Milliseconds.of(book.addedAt)
    confidence = book.spineConfidence
  }

  /// - Parameter text: what the file has for a field; empty like missing.
  /// - Throws: `Trouble` when a field is not what it must be.
  init(_ text: (Field) -> String?) throws(Trouble) {
    func value(_ field: Field) -> String? { text(field).flatMap { $0.isEmpty ? nil : $0 } }
    title = value(.title) ?? ""
    author = value(.author) ?? ""
    isbn = value(.isbn)
    format = value(.format)
    coverURL = value(.coverURL)
    if let text = value(.addedAt) { addedAt = try Self.time(text) }
    if let text = value(.confidence) {
      guard let number = Double(text) else { throw Trouble("the confidence is not a number") }
      confidence = number
    }
  }

  private static func time(_ text: String) throws(Trouble) -> Int64 {
    guard let time = Timestamp.milliseconds(text) else {
      throw Trouble("addedAt is not a time such as 2026-11-21T16:15:29.123Z")
    }
    return time
  }

  /// What is wrong with a record, as a clause.
  struct Trouble: Error, Equatable {
    let reason: String
    init(_ reason: String) { self.reason = reason }
  }

  /// Within the library's limits.
  /// - Throws: `Trouble` when something would be lost or is not what it says it is.
  func finding() throws(Trouble) -> BookFinding {
    if let confidence, !(0...1).contains(confidence) { throw Trouble("the confidence is not from 0 to 1") }
    if let isbn, ISBN.normalize(isbn) == nil {
      throw Trouble("\(isbn.prefix(40).debugDescription) is not an ISBN: its check digit does not hold")
    }
    if let coverURL, !coverURL.hasPrefix("https://") || coverURL.utf8.count > 2000 {
      throw Trouble("the cover's address is not an https one of at most 2,000 bytes")
    }
    guard [title, author, format ?? ""].allSatisfy({ $0.utf8.count <= 16_000 && $0.count <= 1000 }) else {
      throw Trouble("a text is longer than 1,000 characters, or 16,000 bytes")
    }
    let finding = BookFinding(
      isbn: isbn, title: title, author: author, coverURL: coverURL, format: format, confidence: confidence)
    guard let normal = finding.normalized() else { throw Trouble("it has neither a title nor an ISBN") }
    return normal
  }
}

extension BookRecord {
  /// - Throws: `Trouble`, or a decoding error when a value has another type.
  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Field.self)
    func text(_ field: Field) throws -> String? { try values.decodeIfPresent(String.self, forKey: field) }
    title = try text(.title) ?? ""
    author = try text(.author) ?? ""
    isbn = try text(.isbn)
    format = try text(.format)
    coverURL = try text(.coverURL)
    addedAt = try text(.addedAt).map(Self.time)
    confidence = try values.decodeIfPresent(Double.self, forKey: .confidence)
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Field.self)
    try values.encode(title, forKey: .title)
    try values.encode(author, forKey: .author)
    try values.encodeIfPresent(isbn, forKey: .isbn)
    try values.encodeIfPresent(format, forKey: .format)
    try values.encodeIfPresent(coverURL, forKey: .coverURL)
    try values.encodeIfPresent(addedAt.map(Timestamp.text), forKey: .addedAt)
    try values.encodeIfPresent(confidence, forKey: .confidence)
  }
}
