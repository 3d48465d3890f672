import Glibc

/// A file of `/proc` or `/sys`, which the kernel writes while it is read.
package enum SystemFile {
  /// More than any of them has that we read.
  private static let limit = 1 << 20

  /// At most 1 MB of it; nil when it cannot be opened. An empty one is common here, and Foundation loses 4 KB with each that it reads.
  package static func text(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
    while bytes.count < limit {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
