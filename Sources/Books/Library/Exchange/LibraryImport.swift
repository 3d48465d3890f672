import Bibliography
public import FoundationEssentials
import GRDB
import System

extension Library {
  /// `importLimit`: the maximum size of a file in bytes. `importCountLimit`: the maximum number of books.
  static let (importLimit, importCountLimit) = (4 << 30, 5_000_000)

  /// Imports a list of books from a file: all of it, or nothing if a line is invalid.
  ///
  /// A line with an id of this library, as in this library's exports, refers to the book with this id. The line's title, author, ISBN and format
  /// replace the book's, which confirms the book, and its copies, if they are not those counted, the stated copies. A line that changes nothing
  /// confirms nothing. Any other line is a separate book. If the library
  /// already has that book, the book keeps its values, and only missing values are filled in. Books of one file are merged with each other only by
  /// ISBN. An export that is imported into an empty library gives the same books.
  /// - Parameters:
  ///   - format: the format of the file. Nil to choose it by the file's name.
  ///   - isTrial: whether to change nothing, and only report what an import would do.
  ///   - progress: called now and then with the number of books read.
  /// - Throws: `badInput` with the line; `storage`, `diskFull`, `cancelled`.
  public func importBooks(
    from path: String, as format: BookListFormat? = nil, isTrial: Bool = false, at now: Date = Date(),
    progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws(DeliveryError) -> ImportOutcome {
    let action = "import \(path)"
    guard let format = format ?? BookListFormat(fileName: path) else {
      throw DeliveryError(
        .badInput, action,
        reason: "its name ends in none of .csv, .tsv and .json", remedy: "name its format with --format")
    }
    return try await store.write(action) { database in
      var outcome = ImportOutcome()
      try database.inSavepoint {
        do {
          outcome = try Self.importBooks(path, format, at: now, action, progress, in: database)
        } catch let trouble as ListTrouble {
          throw DeliveryError(
            .badInput, action, reason: "line \(trouble.line): \(trouble.reason)",
            remedy: "correct the file; nothing was imported")
        }
        return isTrial ? .rollback : .commit
      }
      return outcome
    }
  }

  /// - Parameter undoLimit: the maximum number of books in an import that can be undone.
  static func importBooks(
    _ path: String, _ format: BookListFormat, at now: Date, _ action: String,
    _ progress: @escaping @Sendable (Int) -> Void, undoLimit: Int = ChangeLog.bookLimit, in database: Database
  ) throws -> ImportOutcome {
    let name = path.pathParts.last ?? path
    let subject = { (made: ImportOutcome) in "\(name): \(made.added) added, \(made.changed) changed" }
    let (made, change) = try ChangeLog.record(.import, at: now, in: database, subject: subject) { change in
      var list = BookListImport(database, at: now, change, undoLimit: undoLimit, progress)
      var reader = BookListReader(format)
      try list.begin()
      try UntrustedFile.read(path, limit: Self.importLimit, action) { piece in
        try list.take(try reader.parse(piece))
      }
      try list.take(try reader.end())
      try list.finish()
      var outcome = list.outcome
      outcome.passedOver = reader.passedOver
      return outcome
    }
    var outcome = made
    if let change { outcome.edits = try ImportOutcome.Edit.all(of: change.id, in: database) }
    return outcome
  }
}
