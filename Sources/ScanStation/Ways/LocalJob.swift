import Delivery
import FoundationEssentials

/// A job that was done here and at once. Its books are in the place of the stream's address, and so in the queue: a crash
/// between reading and delivery costs nothing.
enum LocalJob {
  static let prefix = "local-"
  private static let scheme = "local:"

  private struct Record: Codable {
    var title: String
    var author: String
    var isbn: String?
    var confidence: Double?
  }

  static func make(_ books: [BookFinding]) -> QueuedScan.Job {
    let records = books.map {
      Record(
        title: $0.title, author: $0.author, isbn: $0.isbn,
        confidence: $0.confidence.flatMap { $0.isFinite ? $0 : nil })
    }
    // Strings and finite numbers always encode.
    let text = (try? JSONEncoder().encode(records)).map { String(decoding: $0, as: UTF8.self) } ?? "[]"
    return QueuedScan.Job(id: prefix + UUID().uuidString.lowercased(), streamURL: scheme + text)
  }

  /// Nil when the job is a backend's.
  /// - Throws: `superseded` when it cannot be read: the photo is still there.
  static func books(of job: QueuedScan.Job) throws(BackendError) -> [BookFinding]? {
    guard job.id.hasPrefix(prefix), job.streamURL.hasPrefix(scheme) else { return nil }
    let text = job.streamURL.dropFirst(scheme.count)
    guard let records = try? JSONDecoder().decode([Record].self, from: Data(text.utf8)) else {
      throw BackendError(
        .superseded, "Cannot read what was recognised in a scan: its record is damaged; it is done anew.")
    }
    return records.map {
      BookFinding(isbn: $0.isbn, title: $0.title, author: $0.author, confidence: $0.confidence)
    }
  }
}
