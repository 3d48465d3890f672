import Glibc

/// A lock of the library's folder (flock(2)); the kernel lets go of it when the process dies.
final class StoreLock: Sendable {
  private let descriptor: CInt
  /// Between two looks, microseconds.
  private static let pace: UInt32 = 5000

  private init(_ descriptor: CInt) { self.descriptor = descriptor }

  deinit {
    // Let go of for a process that is being started as well: it has a copy of the descriptor until it runs its program.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Held by the one process that accepts and delivers. A process that was being started when the last owner died holds a copy of its lock,
  /// until it runs its program.
  /// - Throws: `inUse` when there is one.
  static func owner(_ directory: String, looks: Int = 20) throws(DeliveryError) -> StoreLock {
    let descriptor = open("\(directory)/owner.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system("lock the queue", errno: errno) }
    let code = take(descriptor, looks: looks)
    if code == 0 { return StoreLock(descriptor) }
    close(descriptor)
    guard code == EWOULDBLOCK else { throw .system("lock the queue", errno: code) }
    throw DeliveryError(
      .inUse, "open the queue", reason: "another SwiftWing is scanning into it",
      remedy: "end that one first or choose another library")
  }

  /// Held while the library is opened, so that one program alone makes it or changes its schema, and the others find it made. It is the
  /// folder's: to open the library's file for it and close that again would end the locks that SQLite has on it.
  /// - Returns: nil on a file system without such locks, where SQLite's own must do.
  /// - Throws: `inUse` after a minute.
  static func opening(_ directory: String) throws(DeliveryError) -> StoreLock? {
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system("open the library folder \(directory)", errno: errno) }
    let code = take(descriptor, looks: 12_000)
    if code == 0 { return StoreLock(descriptor) }
    close(descriptor)
    guard code == EWOULDBLOCK else { return nil }
    throw DeliveryError(
      .inUse, "open the library in \(directory)",
      reason: "another program has been making or renewing it for a minute",
      remedy: "try again when it is done")
  }

  /// 0, or why not.
  private static func take(_ descriptor: CInt, looks: Int) -> CInt {
    var looks = looks
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let code = errno
      guard code == EWOULDBLOCK || code == EINTR, looks > 0 else { return code }
      looks -= 1
      usleep(pace)
    }
    return 0
  }
}
