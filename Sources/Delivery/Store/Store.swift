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
  let database: DatabasePool
  let images: ImageFolder
  private let ownership: StoreLock?
  /// The library's file as it was opened.
  let place: FileIdentity?

  /// Opens the store, making it when it is missing, and brings its schema up to date. An owner also repairs what a
  /// crash left: images without a scan are removed.
  /// - Throws: `inUse` when there is an owner already, or the schema would change beneath one; `badInput` when a newer program has
  ///   written it; `storage`, `diskFull`.
  public init(directory: String, access: Access = .owner) throws(DeliveryError) {
    self.directory = directory
    self.access = access
    guard Self.makeFolders(directory) else {
      throw .system("make the library folder \(directory)", errno: errno)
    }
    ownership = access == .owner ? try StoreLock(directory) : nil
    let file = "\(directory)/\(Self.fileName)"
    database = try Self.open(file, directory, access)
    place = FileIdentity(file)
    images = try ImageFolder("\(directory)/images")
    if access == .owner { try repair() }
  }

  /// The scans on their way.
  public var queue: ScanQueue { ScanQueue(store: self) }
  /// The books that have arrived.
  public var library: Library { Library(store: self) }

  /// Whether the library is still where it was opened; what is written to one that was removed would be lost.
  public var isInPlace: Bool { place != nil && FileIdentity("\(directory)/\(Self.fileName)") == place }

  private static func open(
    _ path: String, _ directory: String, _ access: Access
  ) throws(DeliveryError) -> DatabasePool {
    guard makePrivate(path) else { throw .system("open the library \(path)", errno: errno) }
    do {
      var configuration = Configuration()
      configuration.busyMode = .timeout(10)
      configuration.maximumReaderCount = 3
      configuration.label = "SwiftWing"
      configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      let pool = try DatabasePool(path: path, configuration: configuration)
      let standing = try pool.read(Schema.standing)
      if case .newer(let version) = standing { throw Schema.refusal(of: path, version) }
      // A program that scans knows the schema that it found.
      let lock = standing == .older && access == .visitor ? try StoreLock(directory) : nil
      defer { withExtendedLifetime(lock) {} }
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
struct FileIdentity: Sendable, Equatable {
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

/// Held by the one process that accepts and delivers; the kernel lets go of it when the process dies.
private final class StoreLock: Sendable {
  private let descriptor: CInt
  /// Looks, five milliseconds apart, before it is somebody else's.
  private static let patience = 20

  init(_ directory: String) throws(DeliveryError) {
    descriptor = open("\(directory)/owner.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system("lock the queue", errno: errno) }
    var tries = 0
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let code = errno
      // A process that was being started when the last owner died holds a copy of its lock, until it runs its program.
      if code == EWOULDBLOCK, tries < Self.patience {
        tries += 1
        usleep(5000)
        continue
      }
      close(descriptor)
      guard code == EWOULDBLOCK else { throw .system("lock the queue", errno: code) }
      throw DeliveryError(
        .inUse, "open the queue", reason: "another SwiftWing is scanning into it",
        remedy: "end that one first or choose another library")
    }
  }

  deinit {
    // Let go of for a process that is being started as well: it has a copy of the descriptor until it runs its program.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
