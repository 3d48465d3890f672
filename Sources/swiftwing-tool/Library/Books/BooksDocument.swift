import Console
import Delivery
import Foundation

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
  }

  /// How many books the library has, or how many were found.
  var count: Int
  var books: [Entry]

  init(count: Int, books: [Book]) {
    self.count = count
    self.books = books.map { book in
      Entry(
        id: book.id, title: book.title, author: book.author.isEmpty ? nil : book.author, isbn: book.isbn,
        format: book.format, coverURL: book.coverURL, addedAt: book.addedAt, confidence: book.spineConfidence)
    }
  }

  /// The ISBN, then title and author: on a terminal as much of them as there is room for, elsewhere all.
  func lines(columns: Int?) -> [String] {
    books.map { book in
      let title = book.title.isEmpty ? "(no title yet)" : book.title
      let text = PlainText.fitted(
        book.author.map { "\(title) / \($0)" } ?? title, columns: columns, less: 15)
      return "\((book.isbn ?? "").padded(to: 13))  \(text)"
    }
  }
}
