internal import GRDB
import Glibc

/// A folder with all data from the shutter to the library: the private images, and one SQLite database that holds the queue and the library, so that
/// a delivery and its books are one commit.
///
/// Commits are write-ahead logged and flushed to the disk (`synchronous = FULL`) before a call returns.
///
/// ```swift
/// let store = try Store(directory: "/home/me/books")
/// print(try await store.library.count(), "books")
/// print(try await store.queue.counts().pending, "scans to be handed to the backend")
/// ```
public final class Store: Sendable {
  /// The role of a process. One process accepts and delivers; any number may read, retry and drop.
  public enum Access: Sendable {
    /// Accepts and delivers. Only one process at a time is an owner; the `init` of another process throws `inUse`.
    case owner
    /// Reads, retries and drops, beside an owner.
    case visitor
  }

  /// The path of the folder, as given.
  public let directory: String
  /// The role in which the store was opened.
  public let access: Access
  let database: any DatabaseWriter
  /// The reason why the store cannot be written. Nil if it can.
  private let protection: String?
  package let images: ImageFolder
  private let ownership: StoreLock?
  /// The identity of the library's file when it was opened.
  package let place: FileIdentity?

  /// Opens the store, creating it if it is missing, and migrates its schema. An owner also repairs the effects of a crash: it removes images without
  /// a scan.
  ///
  /// A visitor can open a library that cannot be written, for example on a read-only file system. Methods that would change the library then throw.
  /// - Throws: `inUse` if there is an owner already, or if the schema must be migrated while an owner is running; `badInput` if a newer program has
  ///   written the store; `damaged`, `storage`, `diskFull`.
  public init(directory: String, access: Access = .owner) throws(DeliveryError) {
    self.directory = directory
    self.access = access
    let opening = StoreOpening(directory: directory, access: access)
    protection = opening.protection
    let file = "\(directory)/\(Self.fileName)"
    guard protection == nil else {
      guard access == .visitor else { throw Self.isProtected("open the library \(file)", protection) }
      ownership = nil
      database = try opening.openToRead()
      place = FileIdentity(file)
      images = ImageFolder(existing: "\(directory)/images")
      return
    }
    guard Self.makeFolders(directory) else {
      throw .system("make the library folder \(directory)", errno: errno)
    }
    ownership = access == .owner ? try StoreLock.owner(directory) : nil
    database = try opening.open()
    place = FileIdentity(file)
    images = try ImageFolder("\(directory)/images")
    if access == .owner { try repair() }
  }

  private static func isProtected(_ action: String, _ protection: String?) -> DeliveryError {
    DeliveryError(
      .storage, action, reason: "the library can only be read: \(protection ?? "it is protected")",
      remedy: "make it writable, or copy its folder and name the copy with --library")
  }

  /// The scans that wait for delivery.
  public var queue: ScanQueue { ScanQueue(store: self) }
  /// The books.
  public var library: Library { Library(store: self) }

  /// Whether the library's file is still the one that was opened. Data written to a removed file would be lost.
  public var isInPlace: Bool { place != nil && FileIdentity("\(directory)/\(Self.fileName)") == place }

  /// Removes images whose scan is gone (delivered or cancelled just before a crash) or was never accepted (the process was killed before). Then
  /// checks the queue: a queue with a damaged scan cannot be delivered.
  private func repair() throws(DeliveryError) {
    do {
      try database.read { database in
        let scan = try database.cachedStatement(sql: "SELECT 1 FROM scan WHERE key = ? AND mediaType NOTNULL")
        _ = try images.removeAll { try Bool.fetchOne(scan, arguments: [$0]) != nil }
        try ScanQueue.check(database)
      }
    } catch { throw failed("repair the queue", error) }
  }

  /// An error that names the library. One that the body of a transaction threw names its own place, except
  /// damage.
  private func failed(_ action: String, _ error: any Error) -> DeliveryError {
    let failure = DeliveryError.database(action, error)
    return error is DeliveryError && failure.kind != .damaged ? failure : failure.naming(library: directory)
  }

  func read<Value: Sendable>(
    _ action: String, _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws(DeliveryError) -> Value {
    do { return try await database.read(body) } catch { throw failed(action, error) }
  }

  func write<Value: Sendable>(
    _ action: String, _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws(DeliveryError) -> Value {
    if let protection { throw Self.isProtected(action, protection).naming(library: directory) }
    try requireInPlace(action)
    do { return try await database.write(body) } catch { throw failed(action, error) }
  }
}

extension Store {
  /// Checks that the library's file is still in place.
  /// - Throws: `storage` if it is not.
  package func requireInPlace(_ action: String) throws(DeliveryError) {
    if isInPlace { return }
    throw DeliveryError(
      .storage, action,
      reason: "the library \(directory) is gone or was replaced by another, and the queued scans with it",
      remedy: "put it back, or choose another library with --library")
  }
}

/// The identity of a file, independent of its name.
package struct FileIdentity: Sendable, Equatable {
  private let device: dev_t
  private let node: ino_t

  var name: String { "\(device)-\(node)" }

  /// The identity of the file at `path`. Nil if there is none.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, node) = (status.st_dev, status.st_ino)
  }
}
