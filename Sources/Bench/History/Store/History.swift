import Foundation
import GRDB
import Glibc
import System

/// Runs of a bench, kept over time in one SQLite file, for ``Trend``.
///
/// It is one file and nothing beside it while no program writes (a rollback journal, not a write-ahead log), so that a CI job may
/// keep it as a cache or an artefact. Each run is a commit of its own, flushed to the disk before ``add(_:named:now:)`` returns. Programs
/// that write at once wait for each other, up to ten seconds.
package final class History: Sendable {
  /// Where it is, as it was named.
  package let path: String
  let database: DatabaseQueue

  /// Opens a history.
  /// - Parameter making: makes it where there is none, with the folder that it is in; otherwise that is an error.
  /// - Throws: when the file is not a history, is cut off or damaged, is of a newer program, or cannot be opened.
  package init(path: String, making: Bool = false) throws(HistoryError) {
    self.path = path
    if try HistoryFileCheck.look(at: path) == .missing {
      guard making else {
        throw .unusable(
          path, "there is none",
          remedy: "make one with `swiftwing report add REPORT \(ShellCommand.option("--history", path))`")
      }
      try Self.make(path)
    }
    database = try Self.open(path)
  }

  /// Makes an empty history beside the place, and gives it the name when it is whole: nobody ever sees half of one. Somebody else's that
  /// has come meanwhile is as good.
  static func make(_ path: String) throws(HistoryError) {
    // Foundation's own way to part a path traps on one of a single letter.
    let folder = path.folderName ?? ""
    let draft = "\(path).\(UInt32.random(in: .min ... .max)).new"
    do {
      if !folder.isEmpty {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      }
      defer { unlink(draft) }
      try migrate(DatabaseQueue(path: draft, configuration: configuration)).close()
      guard link(draft, path) == 0 || errno == EEXIST else {
        throw HistoryError.storage("make the history \(path)", String(cString: strerror(errno)))
      }
    } catch let error as CocoaError {
      throw .storage("make the history \(path)", "its folder could not be made (\(error.code.rawValue))")
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
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      let isCurrent = try queue.read { database in
        try check(database, path)
        return try HistorySchema.migrator.hasCompletedMigrations(database)
      }
      if !isCurrent { _ = try migrate(queue) }
      try queue.read { try checkTables($0, path) }
      return queue
    } catch { throw .database("open the history \(path)", error, path: path) }
  }

  /// Its pages must hang together, and no newer program may have written it.
  private static func check(_ database: Database, _ path: String) throws {
    let flaw = try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
    // No program writes now: the transaction that has read the pages holds the file.
    if let cut = HistoryFileCheck.truncation(of: path) { throw cut }
    if let flaw, flaw != "ok" {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: flaw.replacing("\n", with: " "))
    }
    if try HistorySchema.isNewer(database) {
      throw HistoryError.unusable(
        path, "a newer SwiftWing has written it", remedy: "use that one, or begin another with --history")
    }
  }

  /// A file with our mark and tables of another kind was made by hand; nothing is read from it.
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

  /// How many runs it holds.
  package func count() throws(HistoryError) -> Int {
    try read("read the history") { try Int.fetchOne($0, sql: "SELECT count(*) FROM run") ?? 0 }
  }
}

extension HistoryError {
  static func storage(_ action: String, _ reason: String) -> HistoryError {
    HistoryError(.storage, action, reason: reason, remedy: "check the folder, and who may write to it")
  }

  /// An error of SQLite, as the room's own.
  /// - Parameter path: of the history, to see whether it was cut off.
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
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      return HistoryError(
        .storage, action, reason: "another program has had it for ten seconds",
        remedy: "try again when that has ended")
    default: return storage(action, reason)
    }
  }
}
