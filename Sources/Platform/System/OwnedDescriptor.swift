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
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(number, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0, bytes.count + count <= limit else {
        if count >= 0 { errno = EFBIG }
        return nil
      }
      if count == 0 { return bytes }
      bytes.append(contentsOf: chunk[..<count])
    }
  }
}
