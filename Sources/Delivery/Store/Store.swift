internal import GRDB
import Glibc

/// One folder that holds everything between shutter and library: the queue, the library (one SQLite database, so that
/// a delivery and its books are one commit) and the private images.
///
/// Commits are write-ahead logged and flushed to the disk (`synchronous = FULL`) before a call returns.
public final class Store: Sendable {
  /// One process accepts and delivers; any number look on, retry and drop.
  public enum Access: Sendable { case owner, visitor }

  public let directory: String
  public let access: Access
  let database: DatabasePool
  let images: ImageFolder
  private let ownership: StoreLock?

  /// Opens the store, making it when it is missing, and brings its schema up to date. An owner also repairs what a
  /// crash left: images without a scan are removed.
  /// - Throws: `inUse` when there is an owner already; `storage`, `diskFull`.
  public init(directory: String, access: Access = .owner) throws(DeliveryError) {
    self.directory = directory
    self.access = access
    guard Self.makeFolders(directory) else {
      throw .system("make the library folder \(directory)", errno: errno)
    }
    ownership = access == .owner ? try StoreLock(path: "\(directory)/owner.lock") : nil
    images = try ImageFolder("\(directory)/images")
    database = try Self.open("\(directory)/\(Self.fileName)")
    if access == .owner { try repair() }
  }

  public var queue: ScanQueue { ScanQueue(store: self) }
  public var library: Library { Library(store: self) }

  private static func open(_ path: String) throws(DeliveryError) -> DatabasePool {
    guard makePrivate(path) else { throw .system("open the library \(path)", errno: errno) }
    do {
      var configuration = Configuration()
      configuration.busyMode = .timeout(10)
      configuration.maximumReaderCount = 3
      configuration.label = "SwiftWing"
      configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      let pool = try DatabasePool(path: path, configuration: configuration)
      try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      try Schema.migrator.migrate(pool)
      return pool
    } catch { throw .database("open the library \(path)", error) }
  }

  /// Images whose scan is gone (delivered or cancelled just before a crash) or never came to be (killed before the
  /// scan was accepted) are removed; retry times that a clock set back has put out of reach are brought near.
  private func repair() throws(DeliveryError) {
    do {
      _ = try database.read { database in
        let scan = try database.cachedStatement(sql: "SELECT 1 FROM scan WHERE key = ? AND mediaType NOTNULL")
        return try images.removeAll { try Bool.fetchOne(scan, arguments: [$0]) != nil }
      }
      let now = Milliseconds.now
      try database.write {
        try $0.execute(
          sql: "UPDATE scan SET notBefore = ? WHERE notBefore > ?", arguments: [now, now + 86_400_000])
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
    do { return try await database.write(body) } catch { throw .database(action, error) }
  }
}

/// Held by the one process that accepts and delivers; the kernel lets go of it when the process dies.
private final class StoreLock: Sendable {
  private let descriptor: CInt

  init(path: String) throws(DeliveryError) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system("lock the queue", errno: errno) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(descriptor)
      guard code == EWOULDBLOCK else { throw .system("lock the queue", errno: code) }
      throw DeliveryError(
        .inUse, "open the queue", reason: "another SwiftWing is scanning into it",
        remedy: "end that one first or choose another library")
    }
  }

  deinit { close(descriptor) }
}
