internal import GRDB
import Glibc

/// One folder that holds everything between shutter and library: the queue, the library (one SQLite database, so that
/// a delivery and its books are one commit) and the private images.
///
/// Commits are write-ahead logged and flushed to the disk (`synchronous = FULL`) before a call returns.
///
/// ```swift
/// let store = try Store(directory: "/home/me/books")
/// print(try await store.library.count(), "books")
/// print(try await store.queue.counts().pending, "scans to be handed to the backend")
/// ```
public final class Store: Sendable {
  /// One process accepts and delivers; any number look on, retry and drop.
  public enum Access: Sendable {
    /// Accepts and delivers. One process at a time; another one's `init` throws `inUse`.
    case owner
    /// Looks on, retries and drops, beside an owner.
    case visitor
  }

  /// The folder, as it was named.
  public let directory: String
  /// As it was opened.
  public let access: Access
  let database: any DatabaseWriter
  /// Why nothing can be written to it; nil where it can.
  private let protection: String?
  package let images: ImageFolder
  private let ownership: StoreLock?
  /// The library's file as it was opened.
  package let place: FileIdentity?

  /// Opens the store, making it when it is missing, and brings its schema up to date. An owner also repairs what a
  /// crash left: images without a scan are removed.
  ///
  /// A library that cannot be written, as on a read-only file system, can be looked at by a visitor: what would change it throws.
  /// - Throws: `inUse` when there is an owner already, or the schema would change beneath one; `badInput` when a newer program has
  ///   written it; `damaged`, `storage`, `diskFull`.
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

  /// The scans on their way.
  public var queue: ScanQueue { ScanQueue(store: self) }
  /// The books that have arrived.
  public var library: Library { Library(store: self) }

  /// Whether the library is still where it was opened; what is written to one that was removed would be lost.
  public var isInPlace: Bool { place != nil && FileIdentity("\(directory)/\(Self.fileName)") == place }

  /// Images whose scan is gone (delivered or cancelled just before a crash) or never came to be (killed before the
  /// scan was accepted) are removed. A queue with a damaged scan is none to deliver from.
  private func repair() throws(DeliveryError) {
    do {
      try database.read { database in
        let scan = try database.cachedStatement(sql: "SELECT 1 FROM scan WHERE key = ? AND mediaType NOTNULL")
        _ = try images.removeAll { try Bool.fetchOne(scan, arguments: [$0]) != nil }
        try ScanQueue.check(database)
      }
    } catch { throw .database("repair the queue", error) }
  }

  func read<Value: Sendable>(
    _ action: String, _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws(DeliveryError) -> Value {
    do { return try await database.read(body) } catch { throw .database(action, error) }
  }

  func write<Value: Sendable>(
    _ action: String, _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws(DeliveryError) -> Value {
    if let protection { throw Self.isProtected(action, protection) }
    try requireInPlace(action)
    do { return try await database.write(body) } catch { throw .database(action, error) }
  }
}

extension Store {
  /// - Throws: `storage` when it is not.
  package func requireInPlace(_ action: String) throws(DeliveryError) {
    if isInPlace { return }
    throw DeliveryError(
      .storage, action,
      reason: "the library \(directory) is gone, or another is in its place, and what was queued with it",
      remedy: "put it back, or start again with another")
  }
}

/// Which file it is, whatever its name.
package struct FileIdentity: Sendable, Equatable {
  private let device: dev_t
  private let node: ino_t

  var name: String { "\(device)-\(node)" }

  /// `nil` when there is none.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, node) = (status.st_dev, status.st_ino)
  }
}
