package import Glibc

/// A file descriptor that closes itself.
package struct OwnedDescriptor: ~Copyable {
  package let number: CInt

  /// Opens with `O_CLOEXEC`; `nil` and `errno` on failure.
  package init?(_ path: String, _ flags: CInt, mode: mode_t = 0o600) {
    number = open(path, flags | O_CLOEXEC, mode)
    if number < 0 { return nil }
  }

  /// Runs after a failed `init` too, when `errno` is still to be read.
  deinit { if number >= 0 { close(number) } }

  /// At most `limit` bytes and all there are; `nil` when there are more, or `errno` says why.
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
