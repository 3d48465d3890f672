import Glibc
import System

/// Reads a file that a person named, in pieces.
enum UntrustedFile {
  /// - Parameters:
  ///   - limit: the maximum size in bytes.
  ///   - take: receives up to 64 KB at a time.
  /// - Throws: `badInput` if it is not a regular file of at most `limit` bytes; the errors of `take`.
  static func read(
    _ path: String, limit: Int, _ action: String, _ take: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    // Opening a pipe without a writer must not block.
    guard let file = OwnedDescriptor(path, O_RDONLY | O_NONBLOCK) else {
      throw refusal(action, String(cString: strerror(errno)), "check its name and permissions")
    }
    var status = stat()
    guard fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw refusal(action, "it is not a file", "name one")
    }
    var (chunk, total) = ([UInt8](repeating: 0, count: 1 << 16), 0)
    while true {
      let count = Glibc.read(file.number, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw DeliveryError.system(action, errno: errno) }
      if count == 0 { return }
      total += count
      guard total <= limit else { throw refusal(action, "it is larger than \(limit >> 20) MB", "split it") }
      try take(chunk[..<count])
    }
  }

  private static func refusal(_ action: String, _ reason: String, _ remedy: String) -> DeliveryError {
    DeliveryError(.badInput, action, reason: reason, remedy: remedy)
  }
}
