import Glibc

/// A lock on the library's folder (flock(2)). The kernel releases it when the process dies.
final class StoreLock: Sendable {
  private let descriptor: CInt
  /// The pause between two tries, in microseconds.
  private static let pace: UInt32 = 5000

  private init(_ descriptor: CInt) { self.descriptor = descriptor }

  deinit {
    // Unlock explicitly: closing alone would keep the lock if a child process is being started, which has a copy of the descriptor until its exec.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// The lock of the one process that accepts and delivers. The lock is tried repeatedly: if the last owner died while it started a child process,
  /// the child process holds a copy of the lock until its exec.
  /// - Throws: `inUse` if another process holds it.
  static func owner(_ directory: String, looks: Int = 20) throws(DeliveryError) -> StoreLock {
    let descriptor = open("\(directory)/owner.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system("lock the library \(directory)", errno: errno) }
    let code = take(descriptor, looks: looks)
    if code == 0 { return StoreLock(descriptor) }
    close(descriptor)
    guard code == EWOULDBLOCK else { throw .system("lock the library \(directory)", errno: code) }
    throw DeliveryError(
      .inUse, "open the library \(directory)", reason: "another SwiftWing is scanning into it",
      remedy: "end that scan first, or choose another library with --library")
  }

  /// The lock held while the library is opened, so that only one program creates the library or migrates its schema, and the others find it ready.
  /// The lock is on the folder, because opening and closing the library's file would release SQLite's locks on the file.
  /// - Returns: the lock. Nil on a file system without such locks, where SQLite's own locks must suffice.
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

  /// Tries to take the lock. Returns 0 or an `errno`.
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
