import Glibc
import System

/// Reads a file that a person named, in pieces.
enum UntrustedFile {
  /// - Parameters:
  ///   - limit: the maximum size in bytes.
  ///   - take: receives up to 64 KB at a time.
  /// - Throws: `badInput` if the path is not a regular file of at most `limit` bytes; the errors of `take`.
  static func read(
    _ path: String, limit: Int, _ action: String, _ take: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    let file: RegularFile.Opened
    do throws(RegularFile.Trouble) { file = try RegularFile.open(path) } catch {
      guard case .system(let code) = error else { throw refusal(action, "it is not a file", "name a file") }
      throw refusal(action, String(cString: strerror(code)), "check its name and permissions")
    }
    defer { close(file.descriptor) }
    var (chunk, total) = ([UInt8](repeating: 0, count: 1 << 16), 0)
    while true {
      let count = Glibc.read(file.descriptor, &chunk, chunk.count)
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
