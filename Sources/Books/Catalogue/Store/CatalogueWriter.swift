import GRDB
import Glibc
import System

/// Writes a catalogue to a draft beside the file that it replaces.
///
/// The books are written first, in one transaction. Then the authors' names from other records are added, and the indexes are created. No other
/// program reads the draft, so it needs no journal: a failure or a kill leaves the old file in place.
final class CatalogueWriter {
  private let path: String
  private let draft: String
  private let database: DatabaseQueue
  /// The number of books so far.
  private(set) var count = 0
  /// Books that are not written to the database yet.
  private var pending: [(CatalogueRecord, work: Int64?)] = []
  private var authors: [(Int64, String)] = []
  private static let batch = 5000

  init(_ path: String, draft: String, made: String, sources: [String]) throws(CatalogueError) {
    (self.path, self.draft) = (path, draft)
    do {
      // Create the file first, since SQLite's error for a missing folder is less clear.
      let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw Self.unwritten(path, errno) }
      close(descriptor)
      var configuration = Configuration()
      // Without a journal no transaction can be rolled back. After a failure, the draft is removed together with its open transaction.
      configuration.allowsUnsafeTransactions = true
      configuration.prepareDatabase {
        try $0.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536")
      }
      database = try DatabaseQueue(path: draft.databasePath, configuration: configuration)
      try database.writeWithoutTransaction { try Self.prepare($0, made: made, sources: sources) }
    } catch {
      unlink(draft)
      throw .database("write the catalogue \(path)", error)
    }
  }

  /// Removes the draft. If the draft has become the catalogue, this name no longer exists, and nothing is removed.
  deinit {
    try? database.close()
    unlink(draft)
  }

  /// A function that interrupts the running statement, from any thread. Optimising the indexes, for example, takes a minute for a million books.
  var interrupt: @Sendable () -> Void { { [database] in database.interrupt() } }

  private static func prepare(_ database: Database, made: String, sources: [String]) throws {
    try CatalogueSchema.make(in: database)
    try database.execute(sql: "INSERT INTO gram (gram, rank) VALUES ('hashsize', 33554432)")
    try database.execute(
      sql: "INSERT INTO about (name, value) VALUES ('made', ?), ('sources', ?)",
      arguments: [made, sources.map { CatalogueRecord.clean($0) }.joined(separator: "\n")])
    try AuthorStaging.make(in: database)
  }

  func add(_ record: CatalogueRecord, asWork work: Int64? = nil) throws {
    guard count < CatalogueImport.limit else {
      throw CatalogueError(
        .badInput, "write the catalogue \(path)",
        reason: "there are more than \(CatalogueImport.limit) books",
        remedy: "import fewer files")
    }
    count += 1
    pending.append((record, work))
    if pending.count >= Self.batch { try flush() }
  }

  func add(author key: Int64, _ name: String) throws {
    authors.append((key, name))
    if authors.count >= Self.batch { try flush() }
  }

  /// Creates the indexes, and moves the catalogue into place.
  /// - Parameter progress: called with the number of indexed books.
  func finish(_ progress: (Int) -> Void) throws {
    try flush()
    do {
      try database.writeWithoutTransaction { database in
        try Task.checkCancellation()
        try AuthorStaging.resolve(in: database)
        try database.execute(sql: "BEGIN")
        try CatalogueIndexing.index(database, progress)
        try database.execute(sql: "COMMIT")
      }
      try Task.checkCancellation()
      try database.close()
    } catch let error as CancellationError { throw error } catch { throw failed(error) }
    do { try DurableFile.replace(path, withFile: draft) } catch { throw Self.unwritten(path, error.code) }
  }

  private func flush() throws {
    do {
      try database.write { database in
        for (offset, (record, work)) in pending.enumerated() {
          try Self.insert(record, id: Int64(count - pending.count + offset + 1), work: work, in: database)
        }
        try AuthorStaging.add(authors, in: database)
      }
    } catch { throw failed(error) }
    pending.removeAll(keepingCapacity: true)
    authors.removeAll(keepingCapacity: true)
  }

  private static func insert(
    _ record: CatalogueRecord, id: Int64, work: Int64?, in database: Database
  ) throws {
    let books = try database.cachedStatement(sql: "INSERT INTO book VALUES (?, ?, ?, ?, ?, ?, ?)")
    try books.execute(arguments: [
      id, record.title, record.subtitle, record.author, record.volume, record.edition, record.publisher,
    ])
    let numbers = try database.cachedStatement(sql: "INSERT OR IGNORE INTO isbn VALUES (?, ?)")
    for isbn in record.isbns { try numbers.execute(arguments: [isbn.value, id]) }
    try AuthorStaging.add(record, id: id, work: work, in: database)
  }

  private func failed(_ error: any Error) -> CatalogueError {
    .database("write the catalogue \(path)", error)
  }

  private static func unwritten(_ path: String, _ code: CInt) -> CatalogueError {
    CatalogueError(
      .storage, "write the catalogue \(path)", reason: String(cString: strerror(code)),
      remedy: "check its folder and who may write to it")
  }
}
