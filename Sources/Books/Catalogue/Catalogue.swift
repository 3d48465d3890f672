import GRDB
import Glibc
import Log
import System

/// A catalogue of books in a local file. It finds the book that a reading of a spine belongs to. `swiftwing catalogue import` creates the file; the
/// network is not used.
///
/// A catalogue may be used from any thread. Calls run one at a time and take some milliseconds each.
public final class Catalogue: Sendable {
  /// The path, as given.
  public let path: String
  let database: DatabaseQueue

  /// Opens a catalogue for reading. If its file is replaced later, this object still reads the old one.
  /// - Throws: `badInput` if the file is not a catalogue, or is from a newer program; `storage` if it cannot be read.
  public init(path: String) throws(CatalogueError) {
    self.path = path
    try Self.checkFile(path)
    do {
      var configuration = Configuration()
      configuration.readonly = true
      configuration.label = "SwiftWing catalogue"
      let queue = try DatabaseQueue(path: path.databasePath, configuration: configuration)
      try queue.read { try Self.check($0, path) }
      database = queue
      Log.catalogue.info("opened \(path)")
    } catch { throw .database("open the catalogue \(path)", error) }
  }

  /// The application id in the header of a catalogue's file.
  package static var applicationID: Int32 { CatalogueSchema.applicationID }

  /// Throws a clear error for a folder, a pipe or an empty file; SQLite's own errors for these are less clear.
  private static func checkFile(_ path: String) throws(CatalogueError) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      let reason = errno == ENOENT ? "there is no catalogue there" : String(cString: strerror(errno))
      throw .unusable(path, reason, "check its name, or \(makingOne(path))")
    }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
      throw .unusable(path, status.st_size > 0 ? "it is not a file" : "it is empty", choosingOne)
    }
  }

  fileprivate static let choosingOne =
    "choose a catalogue with --catalogue or SWIFTWING_CATALOGUE, or make one with "
    + "`swiftwing catalogue import FILE… --out CATALOGUE`"

  private static func makingOne(_ path: String) -> String {
    "make it with `swiftwing catalogue import FILE… \(ShellCommand.option("--out", path))`"
  }

  private static func check(_ database: Database, _ path: String) throws {
    let remedy = makingOne(path)
    guard try Int32.fetchOne(database, sql: "PRAGMA application_id") == CatalogueSchema.applicationID else {
      throw CatalogueError.unusable(path, "it is an SQLite file of another program", choosingOne)
    }
    guard try Int32.fetchOne(database, sql: "PRAGMA user_version") == CatalogueSchema.version else {
      throw CatalogueError.unusable(path, "another version of SwiftWing has made it", remedy)
    }
    guard try CatalogueSchema.isWhole(database) else {
      throw CatalogueError.unusable(path, "its tables are not those of a catalogue", remedy)
    }
  }

  func read<Value>(_ action: String, _ body: (Database) throws -> Value) throws(CatalogueError) -> Value {
    do { return try database.read(body) } catch { throw .database("\(action) \(path)", error) }
  }
}

extension CatalogueError {
  static func unusable(_ path: String, _ reason: String, _ remedy: String) -> CatalogueError {
    CatalogueError(.badInput, "open the catalogue \(path)", reason: reason, remedy: remedy)
  }

  /// Converts an error of SQLite to a `CatalogueError`.
  static func database(_ action: String, _ error: any Error) -> CatalogueError {
    if let error = error as? CatalogueError { return error }
    guard let error = error as? DatabaseError else {
      return CatalogueError(
        .storage, action, reason: "\(error)", remedy: "check its permissions, its folder and its disk")
    }
    let reason = error.message ?? "\(error.resultCode)"
    return switch error.resultCode {
    case .SQLITE_NOTADB:
      CatalogueError(.badInput, action, reason: "it is no SQLite file", remedy: Catalogue.choosingOne)
    case .SQLITE_CORRUPT:
      CatalogueError(
        .badInput, action, reason: "it is damaged (\(reason))",
        remedy: "make it again from its lists with `swiftwing catalogue import FILE… --out CATALOGUE`")
    // Newer versions of SQLite report damage of the search index with this error: "invalid fts5 file format".
    case .SQLITE_ERROR where reason.contains("fts5"):
      CatalogueError(
        .badInput, action, reason: "it is damaged (\(reason))",
        remedy: "make it again from its lists with `swiftwing catalogue import FILE… --out CATALOGUE`")
    case .SQLITE_FULL:
      CatalogueError(.storage, action, reason: "the disk is full", remedy: "free some space and try again")
    default:
      CatalogueError(
        .storage, action, reason: reason, remedy: "check its permissions, its folder and its disk")
    }
  }
}
