import Bibliography
import FoundationEssentials
import GRDB
import System

extension Library {
  /// Exports every book as it is at this moment, in pieces of about 64 KB.
  /// - Parameters:
  ///   - selection: the books to export; by default all except the unlikely ones.
  ///   - order: by default the order on the shelf.
  ///   - take: called for each piece in turn. An error that it throws ends the export.
  /// - Returns: the number of books.
  @discardableResult
  public func export(
    _ selection: Selection = .listed, in order: Order = .shelf, as format: BookListFormat,
    to take: @escaping @Sendable ([UInt8]) throws -> Void
  ) async throws(DeliveryError) -> Int {
    try await export(selection, in: order, by: format, to: take)
  }

  /// Exports the books, also in the format of another program.
  @discardableResult
  package func export(
    _ selection: Selection = .listed, in order: Order = .shelf, by format: some BookListWriting,
    to take: @escaping @Sendable ([UInt8]) throws -> Void
  ) async throws(DeliveryError) -> Int {
    try await store.read("export the library") { database in
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      let library = try Self.identity(in: database)
      var (piece, count) = (Array(format.opening.utf8), 0)
      try Self.forEachBook(in: order, selection, database) { book in
        let copies = try Copies.count([book], in: database)[book.id] ?? 1
        var record = BookRecord(book, of: library, copies: copies)
        record.photo = try Self.photographs(of: book.id, in: database)
        record.location = try PhotographPlace.first(of: book.id, in: database)?.location
        piece += try format.text(record, isFirst: count == 0, encoder).utf8
        count += 1
        guard piece.count >= 1 << 16 else { return }
        try take(piece)
        piece = []
      }
      try take(piece + format.closing.utf8)
      return count
    }
  }

  /// The file names of the first photographs that show a book, at most ten.
  private static func photographs(of book: Book.ID, in database: Database) throws -> String? {
    let sql = """
      SELECT DISTINCT path FROM sighting JOIN photograph ON photograph.scanKey = sighting.scanKey
      WHERE bookID = ? AND path NOTNULL ORDER BY photograph.number LIMIT 10
      """
    let paths = try String.fetchAll(database.cachedStatement(sql: sql), arguments: [book])
    return paths.isEmpty ? nil : paths.map { CleanText.line($0) }.joined(separator: "; ")
  }

  /// The identity of the library in its exports, and in answers to a review.
  package func identity() async throws(DeliveryError) -> String {
    try await store.read("read the library's identity") { try Self.identity(in: $0) }
  }

  /// The identity of the library in its exports, so that another library does not take these ids for its own.
  static func identity(in database: Database) throws -> String {
    try String.fetchOne(database, sql: "SELECT identity FROM shelf") ?? ""
  }

  /// Exports every book to a file that only its owner can read. The file gets its name when it is complete and on disk.
  /// - Throws: `storage`, `diskFull`; an existing file is then unchanged.
  @discardableResult
  public func export(
    _ selection: Selection = .listed, in order: Order = .shelf, to path: String, as format: BookListFormat
  ) async throws(DeliveryError) -> Int {
    try await export(selection, in: order, to: path, by: format)
  }

  /// Exports the books to a file, also in the format of another program.
  @discardableResult
  package func export(
    _ selection: Selection = .listed, in order: Order = .shelf, to path: String,
    by format: some BookListWriting
  ) async throws(DeliveryError) -> Int {
    let action = "export the library to \(path)"
    do {
      let file = try DurableFile(path)
      let count = try await export(selection, in: order, by: format) { piece in
        do throws(SystemError) { try file.write(piece) } catch {
          throw DeliveryError.system(action, errno: error.code)
        }
      }
      try file.replace()
      return count
    } catch let error as SystemError {
      throw .system(action, errno: error.code)
    } catch {
      throw .database(action, error)
    }
  }
}
