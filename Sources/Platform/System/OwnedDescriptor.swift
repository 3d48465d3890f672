package import Glibc

/// A file descriptor that closes itself.
package struct OwnedDescriptor: ~Copyable {
  package let number: CInt

  /// Opens a file with `O_CLOEXEC`. Nil on failure, with `errno` set.
  package init?(_ path: String, _ flags: CInt, mode: mode_t = 0o600) {
    number = open(path, flags | O_CLOEXEC, mode)
    if number < 0 { return nil }
  }

  /// Also runs after a failed `init`, and must then keep `errno`.
  deinit { if number >= 0 { close(number) } }

  /// Reads to the end, at most `limit` bytes. Nil if there are more or if reading fails, with `errno` set.
  package func read(limit: Int) -> [UInt8]? {
    do throws(RegularFile.Trouble) { return try WholeFile.read(number, atMost: limit) } catch {
      if case .system(let code) = error { errno = code } else { errno = EFBIG }
      return nil
    }
  }
}
