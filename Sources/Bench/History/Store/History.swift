import Foundation
import GRDB
import Glibc
import System

/// Runs of a bench, kept over time in one SQLite file, for ``Trend``.
///
/// While no program writes, there is only this one file (a rollback journal, not a write-ahead log), so that a CI job may keep it as a cache or an
/// artefact. Each run is a separate commit, flushed to disk before ``add(_:named:now:)`` returns. Programs that write at the same time wait for
/// each other, up to ten seconds.
package final class History: Sendable {
  /// The path, as given.
  package let path: String
  let database: DatabaseQueue

  /// Opens a history.
  /// - Parameter making: whether to create it, with its folder, if it does not exist; otherwise that is an error.
  /// - Throws: `HistoryError` if the file is not a history, is truncated or damaged, was written by a newer program, or cannot be opened.
  package init(path: String, making: Bool = false) throws(HistoryError) {
    self.path = path
    if try HistoryFileCheck.look(at: path) == .missing {
      guard making else {
        throw .unusable(
          path, "there is no history there",
          remedy: "make one with `swiftwing report add REPORT \(ShellCommand.option("--history", path))`")
      }
      try Self.make(path)
    }
    database = try Self.open(path)
  }

  /// Creates an empty history under a temporary name, and links it to its name when it is complete, so that an incomplete file is never visible. A
  /// history that another program has created meanwhile is accepted.
  static func make(_ path: String) throws(HistoryError) {
    // Foundation's function for splitting a path crashes on a path of a single letter.
    let folder = path.folderName ?? ""
    let draft = "\(path).\(UInt32.random(in: .min ... .max)).new"
    do {
      if !folder.isEmpty {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      }
      defer { unlink(draft) }
      try migrate(DatabaseQueue(path: draft.databasePath, configuration: configuration)).close()
      guard link(draft, path) == 0 || errno == EEXIST else {
        throw HistoryError.storage("make the history \(path)", String(cString: strerror(errno)))
      }
    } catch let error as CocoaError {
      throw .storage(
        "make the history \(path)",
        "its folder \(folder) could not be made (CocoaError \(error.code.rawValue))")
    } catch { throw .database("make the history \(path)", error) }
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    configuration.label = "SwiftWing history"
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    return configuration
  }

  private static func migrate(_ queue: DatabaseQueue) throws -> DatabaseQueue {
    try queue.write { try $0.execute(sql: "PRAGMA application_id = \(HistoryFileCheck.applicationID)") }
    try HistorySchema.migrator.migrate(queue)
    return queue
  }

  private static func open(_ path: String) throws(HistoryError) -> DatabaseQueue {
    do {
      let queue = try DatabaseQueue(path: path.databasePath, configuration: configuration)
      let isCurrent = try queue.read { database in
        try check(database, path)
        return try HistorySchema.migrator.hasCompletedMigrations(database)
      }
      if !isCurrent { _ = try migrate(queue) }
      try queue.read { try checkTables($0, path) }
      return queue
    } catch { throw .database("open the history \(path)", error, path: path) }
  }

  /// Checks that the pages are consistent, and that no newer program has written them.
  private static func check(_ database: Database, _ path: String) throws {
    let flaw = try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
    // No program writes now: the transaction that has read the pages locks the file.
    if let cut = HistoryFileCheck.truncation(of: path) { throw cut }
    if let flaw, flaw != "ok" {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: flaw.replacing("\n", with: " "))
    }
    if try HistorySchema.isNewer(database) {
      throw HistoryError.unusable(
        path, "a newer SwiftWing has written it",
        remedy: "use that version, or begin another history with --history")
    }
  }

  /// Refuses a file with our application id and other tables. It was made by hand, and nothing is read from it.
  private static func checkTables(_ database: Database, _ path: String) throws {
    guard try HistorySchema.tables(of: database) != HistorySchema.tables() else { return }
    throw HistoryError.unusable(
      path, "its tables are not those of a history", remedy: "choose the history with --history")
  }

  func read<Value>(_ action: String, _ body: (Database) throws -> Value) throws(HistoryError) -> Value {
    do { return try database.read(body) } catch { throw .database("\(action) \(path)", error, path: path) }
  }

  func write<Value>(_ action: String, _ body: (Database) throws -> Value) throws(HistoryError) -> Value {
    do { return try database.write(body) } catch { throw .database("\(action) \(path)", error, path: path) }
  }

  package func count() throws(HistoryError) -> Int {
    try read("read the history") { try Int.fetchOne($0, sql: "SELECT count(*) FROM run") ?? 0 }
  }
}

extension HistoryError {
  static func storage(_ action: String, _ reason: String) -> HistoryError {
    HistoryError(.storage, action, reason: reason, remedy: "check the folder, and who may write to it")
  }

  /// Converts an error of SQLite.
  /// - Parameter path: the path of the history, to check whether it was truncated.
  static func database(_ action: String, _ error: any Error, path: String? = nil) -> HistoryError {
    if let error = error as? HistoryError { return error }
    guard let error = error as? DatabaseError else { return storage(action, "\(error)") }
    let reason = error.message ?? "\(error.resultCode)"
    switch error.resultCode {
    case .SQLITE_CORRUPT, .SQLITE_NOTADB:
      return path.flatMap(HistoryFileCheck.truncation)
        ?? HistoryError(
          .badInput, action, reason: "it is damaged (\(reason))",
          remedy: "restore it from a copy, or begin another with --history")
    case .SQLITE_FULL:
      return HistoryError(.storage, action, reason: reason, remedy: "free some space and try again")
    case .SQLITE_IOERR:
      return HistoryError(.storage, action, reason: reason, remedy: "check the disk and try again")
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      return HistoryError(
        .storage, action, reason: "another program has kept it locked for ten seconds",
        remedy: "try again when that program has ended")
    default: return storage(action, reason)
    }
  }
}
