import FoundationEssentials
import Glibc
import Library
import Uploads

/// The log of a library's fallbacks, one JSON object per line: `fallbacks.jsonl` in the library's folder, readable only by the owner. The latest one
/// to two megabytes are kept; the older part of them is in `fallbacks.1.jsonl`.
struct FallbackRecord: Sendable {
  static let fileName = "fallbacks.jsonl"
  /// The size in bytes after which a new file is begun.
  static let limit = 1 << 20

  let folder: String

  private struct Line: Encodable {
    var at: Date
    var scan: UUID
    var from: RecognitionWay
    var to: RecognitionWay
    var reason: String
  }

  /// - Throws: `storage` if the log cannot be written. The fallback takes place nevertheless.
  func add(_ fallback: Fallback, at now: Date) throws(DeliveryError) {
    let path = "\(folder)/\(Self.fileName)"
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    let line = Line(
      at: now, scan: fallback.scan, from: fallback.from, to: fallback.to, reason: fallback.reason)
    guard let data = try? encoder.encode(line) else { return }
    let bytes = [UInt8](data) + [10]
    var status = stat()
    if stat(path, &status) == 0, Int(status.st_size) + bytes.count > Self.limit {
      rename(path, "\(folder)/fallbacks.1.jsonl")
    }
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Self.failure(path) }
    defer { close(file) }
    // Write the line in one call, so that lines of other programs do not interleave with it.
    guard write(file, bytes, bytes.count) == bytes.count else { throw Self.failure(path) }
  }

  private static func failure(_ path: String) -> DeliveryError {
    DeliveryError(
      .storage, "record in \(path) that a scan was recognised another way",
      reason: String(cString: strerror(errno)), remedy: "check the folder of that file, and its disk")
  }
}
