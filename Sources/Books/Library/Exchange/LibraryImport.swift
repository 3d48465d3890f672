import Bibliography
public import FoundationEssentials
import GRDB
import Glibc
import System

extension Library {
  /// Most bytes of a file, and most books.
  static let (importLimit, importCountLimit) = (4 << 30, 5_000_000)

  /// Reads a list of books from a file: all of it or, when one line is not right, nothing.
  ///
  /// A line with an id of this library, as an export has it, is that book: its title, author, ISBN and format take the place of
  /// those the book has, which confirms it. A line that changes nothing confirms nothing. Any other line is a book of its own: one that was
  /// in the library before keeps what it has and learns what it lacks; books of one file are not merged with each other but by ISBN.
  /// An export read into an empty library gives the same books.
  /// - Parameters:
  ///   - format: by the file's name when `nil`.
  ///   - isTrial: whether nothing is to be changed, and only what would be is told.
  ///   - progress: told how many books have been read, now and then.
  /// - Throws: `badInput` with the line; `storage`, `diskFull`, `cancelled`.
  public func importBooks(
    from path: String, as format: BookListFormat? = nil, isTrial: Bool = false, at now: Date = Date(),
    progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws(DeliveryError) -> ImportOutcome {
    let action = "import \(path)"
    guard let format = format ?? BookListFormat(fileName: path) else {
      throw DeliveryError(
        .badInput, action, reason: "its name ends in none of .csv, .tsv and .json", remedy: "say which it is")
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

  /// - Parameter undoLimit: most books of an import that can be taken back.
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
