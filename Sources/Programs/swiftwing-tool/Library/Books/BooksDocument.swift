import Console
import Foundation
import Library
import Uploads

/// What `library list` and `library search` tell.
struct BooksDocument: Encodable {
  struct Entry: Encodable {
    var id: Int64
    var title: String
    var author: String?
    var isbn: String?
    var format: String?
    var coverURL: String?
    var addedAt: Date
    /// How sure the reading is, from 0 to 1.
    var confidence: Double?
    /// Nil when nothing judged it.
    var certainty: BookFinding.Certainty?
    /// When a person confirmed it.
    var confirmedAt: Date?
    /// How many physical books it is.
    var copies: Int
    /// As it was read; nil where nobody asked.
    var readings: [BookFinding.Reading]?
    /// Where it was seen first; nil where nobody asked, or no photograph shows it.
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

  /// How many books the library has, or how many were found.
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

  /// Of books in a library, with what is told of each beside them.
  /// - Parameter isWhole: whether the readings and places are wanted.
  static func of(
    _ books: [Book], count: Int, in library: Library, isWhole: Bool
  ) async throws -> BooksDocument {
    let readings = isWhole ? try await library.readings(of: books) : nil
    return BooksDocument(
      count: count, books: books, copies: try await library.copies(of: books), readings: readings,
      places: isWhole ? try await library.places(of: books) : [:])
  }

  /// Id, day, confidence with its mark, ISBN, then title and author: on a terminal as much of them as there is room for, elsewhere all.
  /// - Parameter locations: where the shelves are, for a line above the first book of each; empty where nobody said so.
  func lines(columns: Int?, locations: [Book.ID: String] = [:]) -> [String] {
    let width = books.map { String($0.id).count }.max() ?? 1
    var last = ""
    return books.flatMap { book in
      let location = locations[book.id] ?? ""
      defer { last = location }
      if location == last { return [line(book, columns, width)] }
      let heading =
        location.isEmpty ? "elsewhere:" : "\(PlainText.fitted(location, columns: columns, less: 1)):"
      return [heading, line(book, columns, width)]
    }
  }

  private func line(_ book: Entry, _ columns: Int?, _ width: Int) -> String {
    let id = String(repeating: " ", count: width - String(book.id).count) + String(book.id)
    let head = "\(id)  \(book.day)  \(book.standing)  \((book.isbn ?? "").padded(to: 13))  "
    return head + PlainText.fitted(book.name, columns: columns, less: head.count)
  }
}

extension BooksDocument.Entry {
  /// The day it came into the library, in the time zone of the person who looks.
  var day: String {
    let parts = Calendar.current.dateComponents([.year, .month, .day], from: addedAt)
    func text(_ number: Int?, _ width: Int) -> String {
      let digits = String(number ?? 0)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return "\(text(parts.year, 4))-\(text(parts.month, 2))-\(text(parts.day, 2))"
  }

  /// Such as ` 62 % ? `; eight columns.
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

  /// `Title / Author (2 copies)`.
  var name: String {
    let name = BookName.text(title, author, without: "(no title yet)")
    return copies > 1 ? "\(name) (\(copies) copies)" : name
  }
}
