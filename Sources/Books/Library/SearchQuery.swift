import Foundation
import GRDB

/// A search as a person types it.
struct SearchQuery {
  /// As typed, for the index folds them in its own way, which leaves Cyrillic й as it is; at most eight of at most 64 characters. The last may
  /// be the beginning of one.
  private let words: [String]
  /// What the key of a title that begins with the text begins with.
  private let key: String
  /// As SQL.
  private let condition: String

  /// Words that the index is asked for at once. Each more costs time even where it leaves nothing over, and long words are rare
  /// ones (Zipf's law of abbreviation), so the longest are asked for and the others looked for in what is found.
  private static let wordsAtOnce = 3
  /// Most books that are looked through for the other words.
  private static let candidateLimit = 500

  /// `nil` when there is no word in `text`.
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

  /// Books that have every word, the latest first; the index is read from its end, and no further than it must.
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
    // Quoted, so that nothing in a word is an operator.
    let expression = indices.map { "\"\(words[$0])\"" + ($0 == words.count - 1 ? "*" : "") }
    return try Row.fetchAll(
      database.cachedStatement(sql: sql), arguments: [expression.joined(separator: " "), limit]
    ).map(Book.init(row:))
  }

  private func hasEveryWord(_ book: Book) -> Bool {
    let own = Set(BookMatch.words(of: "\(book.title) \(book.author)"))
    let words = words.flatMap(BookMatch.words(of:))
    guard words.dropLast().allSatisfy(own.contains), let last = words.last else { return false }
    return own.contains { $0.hasPrefix(last) }
  }
}
