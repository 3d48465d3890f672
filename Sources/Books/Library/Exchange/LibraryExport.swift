import Bibliography
import FoundationEssentials
import GRDB
import System

extension Library {
  /// Hands over every book as it is at this moment, in pieces of about 64 KB.
  /// - Parameters:
  ///   - selection: which books; by default all but the unlikely ones.
  ///   - order: by default as they stand on the shelf.
  ///   - take: called in turn; its error ends the export.
  /// - Returns: how many books.
  @discardableResult
  public func export(
    _ selection: Selection = .listed, in order: Order = .shelf, as format: BookListFormat,
    to take: @escaping @Sendable ([UInt8]) throws -> Void
  ) async throws(DeliveryError) -> Int {
    try await write(selection, order, format, take)
  }

  /// The same for another program.
  @discardableResult
  package func export(
    _ selection: Selection = .listed, in order: Order = .shelf, as format: ProgramListFormat,
    to take: @escaping @Sendable ([UInt8]) throws -> Void
  ) async throws(DeliveryError) -> Int {
    try await write(selection, order, format, take)
  }

  private func write(
    _ selection: Selection, _ order: Order, _ format: some BookListWriting,
    _ take: @escaping @Sendable ([UInt8]) throws -> Void
  ) async throws(DeliveryError) -> Int {
    try await store.read("export the library") { database in
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      let library = try Self.identity(in: database)
      var (piece, count) = (Array(format.opening.utf8), 0)
      try Self.forEachBook(in: order, selection, database) { book in
        var record = BookRecord(book, of: library)
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

  /// The first photographs that a book was seen in, as their files are called.
  private static func photographs(of book: Book.ID, in database: Database) throws -> String? {
    let sql = """
      SELECT DISTINCT path FROM sighting JOIN photograph ON photograph.scanKey = sighting.scanKey
      WHERE bookID = ? AND path NOTNULL ORDER BY photograph.number LIMIT 10
      """
    let paths = try String.fetchAll(database.cachedStatement(sql: sql), arguments: [book])
    return paths.isEmpty ? nil : paths.map { CleanText.line($0) }.joined(separator: "; ")
  }

  /// What the library is called in its exports, so that no other library takes their ids for its own.
  static func identity(in database: Database) throws -> String {
    try String.fetchOne(database, sql: "SELECT identity FROM shelf") ?? ""
  }

  /// Writes every book to a file for its owner alone, which takes its name when it is whole and on disk.
  /// - Throws: `storage`, `diskFull`; a file that was there is then still what it was.
  @discardableResult
  public func export(
    _ selection: Selection = .listed, in order: Order = .shelf, to path: String, as format: BookListFormat
  ) async throws(DeliveryError) -> Int {
    try await write(selection, order, format, toFile: path)
  }

  /// The same for another program.
  @discardableResult
  package func export(
    _ selection: Selection = .listed, in order: Order = .shelf, to path: String, as format: ProgramListFormat
  ) async throws(DeliveryError) -> Int {
    try await write(selection, order, format, toFile: path)
  }

  private func write(
    _ selection: Selection, _ order: Order, _ format: some BookListWriting, toFile path: String
  ) async throws(DeliveryError) -> Int {
    let action = "export the library to \(path)"
    do {
      let file = try DurableFile(path)
      let count = try await write(selection, order, format) { piece in
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
