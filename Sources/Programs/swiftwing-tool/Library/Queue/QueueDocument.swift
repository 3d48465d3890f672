import Console
import Foundation
import Library

/// The document that `queue list` prints.
struct QueueDocument: Encodable {
  struct Counts: Encodable {
    var pending: Int
    var uploaded: Int
    var failed: Int
    /// The number of scans delivered since the library was created.
    var delivered: Int
    /// The number of jobs whose images the backend must still be told to remove.
    var cleanups: Int
  }

  struct Scan: Encodable {
    var key: String
    var state: String
    /// `image` or `text`.
    var content: String
    var capturedAt: Date
    /// The number of attempts that the backend failed.
    var attempts: Int
    /// The time of the next attempt; nil if it may be at any time.
    var notBefore: Date?
    var failure: String?
  }

  var counts: Counts
  /// The end of the pause in which the backend accepts no scans; nil without a pause.
  var pausedUntil: Date?
  var scans: [Scan]

  /// Creates the document.
  /// - Parameter wall: converts a time of the queue to wall-clock time.
  init(
    counts: ScanQueue.Counts, pausedUntil: Date?, scans: [QueuedScan], wall: (Date) -> Date = { $0 }
  ) {
    self.counts = Counts(
      pending: counts.pending, uploaded: counts.uploaded, failed: counts.failed, delivered: counts.delivered,
      cleanups: counts.cleanups)
    self.pausedUntil = pausedUntil
    self.scans = scans.map { scan in
      Scan(
        key: scan.key.uuidString.lowercased(), state: scan.state.rawValue,
        content: scan.mediaType == nil ? "text" : "image", capturedAt: scan.capturedAt,
        attempts: scan.attempts,
        notBefore: scan.notBefore.timeIntervalSince1970 > 0 ? wall(scan.notBefore) : nil,
        failure: scan.failure)
    }
  }

  /// Returns the document as lines. A reason is printed completely, because its end says what happens next; on a terminal its
  /// lines are broken between words.
  /// - Parameter columns: the columns of the terminal; nil if the output is no terminal.
  func lines(now: Date, columns: Int?) -> [String] {
    var lines: [String] = []
    for scan in scans {
      let time = scan.capturedAt.formatted(.iso8601.dateTimeSeparator(.space)).prefix(16) + "Z"
      lines.append("\(scan.key)  \(scan.state.padded(to: 8))  \(time)")
      if let failure = scan.failure {
        let broken = columns.map { columns in
          PlainText.wrapped(failure, columns: columns - 2).map { PlainText.fitted($0, columns: columns - 2) }
        }
        lines += (broken ?? [PlainText.printable(failure)]).map { "  " + $0 }
      }
      if let next = scan.notBefore, next > now, scan.state != "failed" {
        lines.append("  next try in \(Int(next.timeIntervalSince(now).rounded(.up))) s")
      }
    }
    let shown = scans.count
    let all = counts.pending + counts.uploaded + counts.failed
    if shown < all { lines.append("… and \(all - shown) more; see --limit") }
    if let pausedUntil {
      let seconds = Int(pausedUntil.timeIntervalSince(now).rounded(.up))
      lines.append("the backend accepts no scans for \(max(seconds, 0)) s")
    }
    lines.append(
      "\(counts.pending) pending, \(counts.uploaded) uploaded, \(counts.failed) failed; "
        + "\(counts.delivered) delivered, \(counts.cleanups) to clean up")
    return lines
  }
}
