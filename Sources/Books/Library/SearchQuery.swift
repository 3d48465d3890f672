import Foundation
import GRDB

/// A search text as a person typed it.
struct SearchQuery {
  /// The words as typed, at most eight words of at most 64 characters. They are not folded here, because the index folds them in its own way, which
  /// keeps Cyrillic й. The last word may be the beginning of a word.
  private let words: [String]
  /// The match key of the text. Titles that begin with the text have match keys that begin with this key.
  private let key: String
  /// The selection, as SQL.
  private let condition: String

  /// The number of words in one query of the index. Each further word costs time even if it excludes nothing. So the index is queried for the longest
  /// words, which are rare (Zipf's law of abbreviation), and the results are filtered by the other words.
  private static let wordsAtOnce = 3
  /// The maximum number of results that are filtered by the other words.
  private static let candidateLimit = 500

  /// Creates a query. Nil if `text` has no word.
  init?(_ text: String, _ selection: Library.Selection = .listed) {
    condition = selection.condition
    key = BookMatch.key(title: String(text.prefix(512)))
    let composed = String(text.prefix(512)).precomposedStringWithCanonicalMapping.lowercased()
    words = composed.split { !$0.isLetter && !$0.isNumber }.prefix(8).map { String($0.prefix(64)) }
    if words.isEmpty { return nil }
  }

  func titlesThatBegin(in database: Database, limit: Int) throws -> [Book] {
    let sql = """
      SELECT * FROM book WHERE matchKey >= ? AND matchKey < ? AND \(condition) ORDER BY matchKey, id LIMIT ?
      """
    return try Row.fetchAll(
      database.cachedStatement(sql: sql), arguments: [key, key + "\u{10FFFF}", limit]
    ).map(Book.init(row:))
  }

  /// Books that have every word, the latest first. The index is read from its end, no further than necessary.
  func latest(in database: Database, limit: Int) throws -> [Book] {
    let all = Array(words.indices)
    guard words.count > Self.wordsAtOnce else { return try match(all, in: database, limit: limit) }
    let longest = all.sorted { words[$0].count > words[$1].count }.prefix(Self.wordsAtOnce)
    let candidates = try match(Array(longest), in: database, limit: Self.candidateLimit)
    let found = candidates.filter(hasEveryWord)
    guard found.count >= limit || candidates.count < Self.candidateLimit else {
      return try match(all, in: database, limit: limit)
    }
    return Array(found.prefix(limit))
  }

  private func match(_ indices: [Int], in database: Database, limit: Int) throws -> [Book] {
    let listed = "EXISTS (SELECT 1 FROM book AS it WHERE it.id = book_text.rowid AND \(condition))"
    let sql = """
      SELECT * FROM book WHERE id IN
      (SELECT rowid FROM book_text WHERE book_text MATCH ? AND \(listed) ORDER BY rowid DESC LIMIT ?)
      ORDER BY id DESC
      """
    // Quote the words, so that none is read as an operator.
    let expression = indices.map { "\"\(words[$0])\"" + ($0 == words.count - 1 ? "*" : "") }
    return try Row.fetchAll(
      database.cachedStatement(sql: sql), arguments: [expression.joined(separator: " "), limit]
    ).map(Book.init(row:))
  }

  private func hasEveryWord(_ book: Book) -> Bool {
    let own = Set(BookMatch.words(of: "\(book.title) \(book.author)"))
    let words = words.flatMap { BookMatch.words(of: $0) }
    guard words.dropLast().allSatisfy(own.contains), let last = words.last else { return false }
    return own.contains { $0.hasPrefix(last) }
  }
}
