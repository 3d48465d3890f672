import Console
import Foundation
import Library

/// The document that `library list` and `library search` print.
struct BooksDocument: Encodable {
  struct Entry: Encodable {
    var id: Int64
    var title: String
    var author: String?
    var isbn: String?
    var format: String?
    var coverURL: String?
    var addedAt: Date
    /// The confidence of the reading, from 0 to 1; nil if unknown.
    var confidence: Double?
    /// The certainty; nil if the book was not judged.
    var certainty: BookFinding.Certainty?
    /// The time at which a person confirmed the book; nil if nobody did.
    var confirmedAt: Date?
    /// The number of physical books.
    var copies: Int
    /// The readings; nil if they were not requested.
    var readings: [BookFinding.Reading]?
    /// The place where the book was first seen; nil if places were not requested, or if no photograph shows the book.
    var place: PhotographPlace?

    init(
      _ book: Book, copies: Int = 1, readings: [BookFinding.Reading]? = nil, place: PhotographPlace? = nil
    ) {
      self.place = place
      id = book.id
      title = book.title
      isbn = book.isbn
      format = book.format
      author = book.author.isEmpty ? nil : book.author
      coverURL = book.coverURL
      addedAt = book.addedAt
      confidence = book.spineConfidence
      certainty = book.certainty
      confirmedAt = book.confirmedAt
      self.copies = copies
      self.readings = readings
    }
  }

  /// The number of books in the library, or of books found.
  var count: Int
  var books: [Entry]

  init(
    count: Int, books: [Book], copies: [Book.ID: Int] = [:],
    readings: [Book.ID: [BookFinding.Reading]]? = nil, places: [Book.ID: PhotographPlace] = [:]
  ) {
    self.count = count
    self.books = books.map {
      Entry(
        $0, copies: copies[$0.id] ?? 1, readings: readings.map { [id = $0.id] in $0[id] ?? [] },
        place: places[$0.id])
    }
  }

  /// Creates a document with the further data of each book.
  /// - Parameter isWhole: whether to include readings and places.
  static func of(
    _ books: [Book], count: Int, in library: Library, isWhole: Bool
  ) async throws -> BooksDocument {
    let readings = isWhole ? try await library.readings(of: books) : nil
    return BooksDocument(
      count: count, books: books, copies: try await library.copies(of: books), readings: readings,
      places: isWhole ? try await library.places(of: books) : [:])
  }

  /// Returns the last line of a list, with the option that lists the rest.
  static func sum(_ count: Int, listed: Int) -> String {
    let books = count == 1 ? "1 book" : "\(count) books"
    guard listed < count else { return books }
    let all =
      count <= LibraryList.limits.upperBound ? "--limit \(count) lists all" : "`library export` writes all"
    return "\(books), of which \(listed) are listed; \(all)"
  }

  /// Returns a line for each book: id, day, confidence with its mark, ISBN if a book has one, title and author. On a terminal,
  /// lines are shortened to its columns.
  /// - Parameter locations: the location of each book's shelf, for a heading above the first book of each; empty if no location
  ///   is known.
  func lines(columns: Int?, locations: [Book.ID: String] = [:]) -> [String] {
    let width = books.map { String($0.id).count }.max() ?? 1
    let isbnWidth = books.contains { $0.isbn != nil } ? 13 : 0
    var last = ""
    return books.flatMap { book in
      let location = locations[book.id] ?? ""
      defer { last = location }
      let line = line(book, columns, width: width, isbnWidth: isbnWidth)
      if location == last { return [line] }
      let heading =
        location.isEmpty ? "elsewhere:" : "\(PlainText.fitted(location, columns: columns, less: 1)):"
      return [heading, line]
    }
  }

  private func line(_ book: Entry, _ columns: Int?, width: Int, isbnWidth: Int) -> String {
    let id = String(repeating: " ", count: width - String(book.id).count) + String(book.id)
    let isbn = isbnWidth > 0 ? (book.isbn ?? "").padded(to: isbnWidth) + "  " : ""
    let head = "\(id)  \(book.day)  \(book.standing)  \(isbn)"
    return head + PlainText.fitted(book.name, columns: columns, less: head.count)
  }
}

extension BooksDocument.Entry {
  /// The day on which it was added to the library, in the user's time zone.
  var day: String {
    let parts = Calendar.current.dateComponents([.year, .month, .day], from: addedAt)
    func text(_ number: Int?, _ width: Int) -> String {
      let digits = String(number ?? 0)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return "\(text(parts.year, 4))-\(text(parts.month, 2))-\(text(parts.day, 2))"
  }

  /// The confidence and its mark in eight columns, such as ` 62 % ? `.
  var standing: String {
    let percent = confidence.map { "\(Int(($0 * 100).rounded())) %" } ?? ""
    let mark =
      if confirmedAt != nil { "✓" } else {
        switch certainty {
        case .doubtful: "?"
        case .unlikely: "??"
        case .sure, nil: ""
        }
      }
    return String(repeating: " ", count: max(0, 5 - percent.count)) + percent + " " + mark.padded(to: 2)
  }

  /// The name and the copies, `Title / Author (2 copies)`.
  var name: String {
    let name = BookName.text(title, author, without: "(no title yet)")
    return copies > 1 ? "\(name) (\(copies) copies)" : name
  }
}
