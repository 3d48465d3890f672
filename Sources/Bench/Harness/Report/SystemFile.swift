import Glibc

/// A file of `/proc` or `/sys`, whose content the kernel generates while it is read.
package enum SystemFile {
  /// Maximum number of bytes that are read; no file that is read here is as large.
  private static let limit = 1 << 20

  /// Returns at most 1 MB of the file's text. Nil if it cannot be opened. Empty files are common here, and Foundation leaks 4 KB with each one.
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
