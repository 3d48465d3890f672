public import FoundationEssentials
import GRDB
import Glibc

/// What an import did.
public struct ImportOutcome: Sendable, Equatable, Codable {
  /// Books in the file.
  public var read = 0
  /// Books that were not there before.
  public var added = 0
  /// Books that were there and have learned something from the file.
  public var changed = 0

  /// Nothing read yet.
  public init() {}
}

extension Library {
  /// Most bytes of a file, and most books.
  static let (importLimit, importCountLimit) = (4 << 30, 5_000_000)

  /// Reads a list of books from a file: all of it or, when one line is not right, nothing.
  ///
  /// A book that was in the library before keeps what it has and learns what it lacks; books of one file are not merged with
  /// each other but by ISBN. An export read into an empty library gives the same books.
  /// - Parameters:
  ///   - format: by the file's name when `nil`.
  ///   - progress: told how many books have been read, now and then.
  /// - Throws: `badInput` with the line; `storage`, `diskFull`, `cancelled`.
  public func importBooks(
    from path: String, as format: BookListFormat? = nil, at now: Date = Date(),
    progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws(DeliveryError) -> ImportOutcome {
    let action = "import \(path)"
    guard let format = format ?? BookListFormat(fileName: path) else {
      throw DeliveryError(
        .badInput, action, reason: "its name ends neither in .csv nor in .json", remedy: "say which it is")
    }
    return try await store.write(action) { database in
      do {
        var restoring = try Restoring(database, at: now, progress)
        var reader = BookListReader(format)
        try UntrustedFile.read(path, limit: Self.importLimit, action) { piece in
          try restoring.take(try reader.parse(piece))
        }
        try restoring.take(try reader.end())
        try restoring.finish()
        return restoring.outcome
      } catch let trouble as ListTrouble {
        throw DeliveryError(
          .badInput, action, reason: "line \(trouble.line): \(trouble.reason)",
          remedy: "correct the file; nothing was imported")
      }
    }
  }
}

/// Puts records on the shelf.
private struct Restoring {
  var outcome = ImportOutcome()
  private let database: Database
  private let now: Date
  private let progress: @Sendable (Int) -> Void
  /// The last book that was there before.
  private let last: Int64
  private var newest: Int64

  init(_ database: Database, at now: Date, _ progress: @escaping @Sendable (Int) -> Void) throws {
    self.database = database
    self.now = now
    self.progress = progress
    last = try Int64.fetchOne(database, sql: "SELECT max(id) FROM book") ?? 0
    newest = last
  }

  /// A search index that has grown by much is made one piece again.
  func finish() throws {
    guard outcome.added > 10_000 else { return }
    try database.execute(sql: "INSERT INTO book_text (book_text) VALUES ('optimize')")
  }

  mutating func take(_ records: [(line: Int, record: BookRecord)]) throws {
    for (line, record) in records {
      try Task.checkCancellation()
      guard outcome.read < Library.importCountLimit else {
        throw ListTrouble(line: line, reason: "there are more than \(Library.importCountLimit) books")
      }
      let finding: BookFinding
      do { finding = try record.finding() } catch { throw ListTrouble(line: line, reason: error.reason) }
      let addedAt = record.addedAt.map(Milliseconds.date) ?? now
      switch try Shelving.restore(finding, addedAt: addedAt, joining: last, newest: &newest, in: database) {
      case .added: outcome.added += 1
      case .changed: outcome.changed += 1
      case .known: break
      }
      outcome.read += 1
      if outcome.read.isMultiple(of: 1000) { progress(outcome.read) }
    }
  }
}
