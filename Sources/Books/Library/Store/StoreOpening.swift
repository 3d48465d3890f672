import FoundationEssentials
import GRDB
import Glibc
import Log
import System

/// Opens the library's file: for reading and writing, or only for reading if nothing can be written.
struct StoreOpening {
  let directory: String
  let access: Store.Access

  private var path: String { "\(directory)/\(Store.fileName)".databasePath }
  private var log: String { "\(path)-wal" }

  /// The maximum wait for another program's write, in seconds. The import of a million books, for example, is one commit.
  static let patience = 600.0

  private static func configuration(isReadOnly: Bool = false) -> Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(patience)
    configuration.maximumReaderCount = 3
    configuration.label = "SwiftWing"
    configuration.readonly = isReadOnly
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    return configuration
  }

  /// Opens the library, creating it if it is missing, and migrates its schema. Only one program does so at a time.
  func open() throws(DeliveryError) -> any DatabaseWriter {
    let lock = try StoreLock.opening(directory)
    defer { withExtendedLifetime(lock) {} }
    guard Store.makePrivate(path) else { throw .system("open the library \(path)", errno: errno) }
    do {
      let isSuspicious = try wasNotClosed()
      let pool = try DatabasePool(path: path, configuration: Self.configuration())
      if isSuspicious { try pool.read(check) }
      let standing = try pool.read(Schema.standing)
      if case .newer(let version) = standing { throw Schema.refusal(of: path, version) }
      // A visitor must not migrate the schema beneath a program that scans.
      let owner = standing == .older && access == .visitor ? try StoreLock.owner(directory) : nil
      defer { withExtendedLifetime(owner) {} }
      try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      try Schema.migrator.migrate(pool)
      Log.library.info(
        "opened \(path); it was \(isSuspicious ? "not closed" : "closed"), its schema \(standing)")
      return pool
    } catch { throw .database("open the library \(path)", error) }
  }

  /// Whether the last program ended without closing the database: its log exists, and no owner is running.
  private func wasNotClosed() throws(DeliveryError) -> Bool {
    guard Self.size(of: log) > 0 else { return false }
    if access == .owner { return true }
    do { return withExtendedLifetime(try StoreLock.owner(directory, looks: 0)) { true } } catch {
      if error.kind == .inUse { return false }
      throw error
    }
  }

  /// Checks the structure of the pages, and that every value has the type of its column.
  private func check(_ database: Database) throws {
    let flaw = try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
    if let flaw, flaw != "ok" {
      throw DeliveryError.damaged("open the library \(path)", flaw.replacing("\n", with: " "))
    }
  }

  private static func size(of path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }
}

// MARK: - Libraries that cannot be written

extension StoreOpening {
  /// The reason why the library cannot be written. Nil if it can be written, or if there is no library. A file or folder without any write permission
  /// counts as protected, even from root.
  var protection: String? {
    guard Store.exists(in: directory) else { return nil }
    for (place, name) in [(path, "its file"), (directory, "its folder")] {
      var status = stat()
      guard stat(place, &status) == 0 else { continue }
      if status.st_mode & 0o222 == 0 { return "\(name) is read-only" }
      guard Glibc.access(place, W_OK) != 0 else { continue }
      return errno == EROFS ? "its file system is read-only" : "\(name) may not be written by this user"
    }
    return nil
  }

  /// Opens the library for reading only. If the library must be changed before it can be read (an older schema, the log of a killed program), a copy
  /// in memory is changed instead.
  func openToRead() throws(DeliveryError) -> any DatabaseWriter {
    do {
      let hasLog = Self.size(of: log) > 0
      let queue =
        hasLog
        ? try openWithLog()
        : try DatabaseQueue(path: Self.immutable(path), configuration: Self.configuration(isReadOnly: true))
      if hasLog { try queue.read(check) }
      switch try queue.read(Schema.standing) {
      case .newer(let version): throw Schema.refusal(of: path, version)
      case .current: return queue
      case .new, .older:
        let copy = try DatabaseQueue(configuration: Self.configuration())
        try queue.backup(to: copy)
        try Schema.migrator.migrate(copy)
        return copy
      }
    } catch { throw .database("open the library \(path)", error) }
  }

  /// Opens the file with its log and the log's index, as another program left them. The index cannot be created here; if it is missing, a copy is
  /// opened.
  private func openWithLog() throws -> DatabaseQueue {
    do {
      let queue = try DatabaseQueue(path: path, configuration: Self.configuration(isReadOnly: true))
      _ = try queue.read(Schema.standing)
      return queue
    } catch let error as DatabaseError
      where error.resultCode == .SQLITE_CANTOPEN || error.resultCode == .SQLITE_READONLY
    {
      return try copyWithLog()
    }
  }

  private func copyWithLog() throws -> DatabaseQueue {
    let folder = FileManager.default.temporaryDirectory.appending(path: "swiftwing-\(UUID().fileName)").path
    guard mkdir(folder, 0o700) == 0 else {
      throw DeliveryError.system("copy the library \(path) to \(folder)", errno: errno)
    }
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let draft = "\(folder)/\(Store.fileName)"
    do {
      try FileManager.default.copyItem(atPath: path, toPath: draft)
      try FileManager.default.copyItem(atPath: log, toPath: "\(draft)-wal")
    } catch {
      throw DeliveryError(
        .storage, "copy the library \(path)",
        reason: "its log could not be copied to \(folder), and it cannot be read where it is",
        remedy: "free some space there, or copy the library to a folder that you may write to")
    }
    chmod(draft, 0o600)
    chmod("\(draft)-wal", 0o600)
    let source = try DatabaseQueue(path: draft, configuration: Self.configuration())
    let copy = try DatabaseQueue(configuration: Self.configuration())
    try source.backup(to: copy)
    try source.close()
    return copy
  }

  /// The URI that tells SQLite that nobody changes the file (https://www.sqlite.org/uri.html). SQLite then creates no files beside it.
  private static func immutable(_ path: String) -> String {
    let escaped = path.utf8.map { byte -> String in
      let isPlain =
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || "/-_.".utf8.contains(byte)
      let hex = String(byte, radix: 16)
      return isPlain ? String(UnicodeScalar(byte)) : "%" + (hex.count == 1 ? "0" : "") + hex
    }.joined()
    return "file:\(escaped)?immutable=1"
  }
}
