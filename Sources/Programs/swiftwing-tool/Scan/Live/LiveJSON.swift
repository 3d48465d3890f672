import BookScan
import Capture
import Console
import Foundation
import Imagery
import Library
import ScanStation
import System
import Uploads

/// The output for programs: one JSON object per line on standard output.
struct LiveJSON: LiveView {
  /// All fields that a line may have; a field that is nil is left out.
  struct Line: Encodable {
    var event: String
    /// The key of the scan in lower case, as `queue list` prints it.
    var photo: String?
    var number: Int?
    var bytes: Int?
    var milliseconds: Double?
    var state: String?
    var way: String?
    var ways: [String]?
    var recognizer: String?
    var library: String?
    var source: String?
    var from: String?
    var to: String?
    var title: String?
    var author: String?
    var isbn: String?
    var confidence: Double?
    var certainty: String?
    /// The identifier of the finding in its photo. It stays the same after restarts.
    var finding: String?
    /// The identifier of the physical book. It stays the same after restarts.
    var spine: String?
    var copy: Int?
    var isNew: Bool?
    var books: Int?
    var stage: String?
    var fraction: Double?
    var width: Int?
    var height: Int?
    var tokens: Int?
    var words: Int?
    var kept: Int?
    var isKept: Bool?
    /// `recognition` or `proxy`.
    var judge: String?
    var notes: [String]?
    var until: Date?
    var reason: String?
    var pending: Int?
    var uploaded: Int?
    var failed: Int?
    var interrupted: Bool?
    /// The path of a photograph in a file.
    var file: String?
    /// The path of an earlier photograph with the same content.
    var same: String?
    var folder: String?
    /// The time at which the photograph was added to the library.
    var since: Date?
    var done: Int?
    var total: Int?
    var secondsLeft: Double?

    init(_ event: String) { self.event = event }

    private enum CodingKeys: String, CodingKey {
      case event, photo, number, bytes, milliseconds, state, way, ways, recognizer, library, source, from, to,
        title
      case author, isbn, confidence, certainty, finding, spine, copy, books, stage, fraction, until, reason,
        pending,
        uploaded, failed
      case width, height, tokens, words, kept, isKept, judge, notes
      case interrupted, file, same, folder, since, done, total, secondsLeft
      case isNew = "new"
    }
  }

  func begin(ways: [RecognitionWay], reader: String?, library: String, source: String) {
    var line = Line("begin")
    line.ways = ways.map(\.rawValue)
    line.recognizer = reader
    line.library = library
    line.source = source
    Self.write(line)
  }

  func show(_ event: ScanEvent) { for line in Self.lines(event) { Self.write(line) } }
  func tick() {}
  func end() {}

  func summary(_ counts: ScanQueue.Counts?, isInterrupted: Bool) {
    var line = Line("end")
    line.interrupted = isInterrupted
    line.pending = counts?.pending
    line.uploaded = counts?.uploaded
    line.failed = counts?.failed
    Self.write(line)
  }

  static func write(_ line: some Encodable) { try? Terminal.say(line: line) }

  static func lines(_ event: ScanEvent) -> [Line] {
    guard case .found(let key, let spines) = event else { return [line(event)] }
    return spines.map { book($0, of: key) }
  }

  private static func book(_ spine: FoundSpine, of key: UUID) -> Line {
    var line = Line("book")
    line.photo = key.uuidString.lowercased()
    line.title = spine.title
    line.author = spine.author
    line.isbn = spine.isbn
    line.confidence = spine.confidence.map { ($0 * 100).rounded() / 100 }
    line.certainty = spine.certainty?.rawValue
    line.finding = spine.id.uuidString.lowercased()
    line.spine = spine.spine.uuidString.lowercased()
    line.copy = spine.copy
    line.isNew = spine.isNew
    return line
  }

  private static func line(_ event: ScanEvent) -> Line {
    switch event {
    case .session(let state): session(state)
    case .accepted(let scan): accepted(scan)
    case .sameAs(let key): with("same", key) { _ in }
    case .refused(let reason): trouble("refused", reason)
    case .began(let key, let way): with("began", key) { $0.way = way.rawValue }
    case .sized(let key, let picture): with("sized", key) { note(picture, in: &$0) }
    case .progress(let key, let progress): with("progress", key) { note(progress, in: &$0) }
    case .fellBack(let change):
      with("fallback", change.scan) {
        ($0.from, $0.to, $0.reason) = (change.from.rawValue, change.to.rawValue, change.reason)
      }
    case .delivered(let key, let books, let way, let time):
      with("delivered", key) {
        ($0.books, $0.way, $0.milliseconds) = (books.count, way?.rawValue, time?.milliseconds.rounded())
      }
    case .postponed(let key, let until, let reason):
      with("postponed", key) { ($0.until, $0.reason) = (until, reason) }
    case .failed(let key, let reason): with("failed", key) { $0.reason = reason }
    case .limited(let until): with("limited", nil) { $0.until = until }
    case .unlimited: Line("unlimited")
    case .unreachable(let reason): trouble("unreachable", reason)
    case .reached: Line("reached")
    case .storageTrouble(let reason): trouble("storage", reason)
    case .libraryGone(let reason): trouble("gone", reason)
    case .found: Line("found")
    case .photograph(let news): photograph(news)
    }
  }

  private static func photograph(_ news: PhotographNews) -> Line {
    switch news {
    case .queued(let photograph, let key): with("photo", key) { $0.file = photograph.path }
    case .known(let photograph, let key, let since):
      with("known", key) { ($0.file, $0.since) = (photograph.path, since) }
    case .copy(let photograph, let first): with("same", nil) { ($0.file, $0.same) = (photograph.path, first) }
    case .unread(let photograph, let reason):
      with("unread", nil) { ($0.file, $0.reason) = (photograph.path, reason) }
    case .folderGone(let folder, let left):
      with("gone", nil) {
        ($0.folder, $0.failed) = (folder, left)
        $0.reason = "the folder is no longer there"
      }
    case .progress(let progress):
      with("progress", nil) {
        ($0.done, $0.total) = (progress.done, progress.total)
        $0.secondsLeft = progress.secondsLeft?.rounded()
      }
    }
  }

  private static func with(_ event: String, _ key: UUID?, change: (inout Line) -> Void) -> Line {
    var line = Line(event)
    line.photo = key?.uuidString.lowercased()
    change(&line)
    return line
  }

  private static func trouble(_ event: String, _ reason: String) -> Line {
    with(event, nil) { $0.reason = reason }
  }

  private static func accepted(_ scan: AcceptedScan) -> Line {
    with("photo", scan.key) {
      ($0.number, $0.bytes, $0.milliseconds) = (
        scan.number, scan.bytes, scan.acceptTime.milliseconds.rounded()
      )
    }
  }

  private static func session(_ state: SessionState) -> Line {
    with("session", nil) {
      $0.state = "\(state)"
      if case .interrupted(let reason) = state { ($0.state, $0.reason) = ("interrupted", reason.message) }
    }
  }

  private static func note(_ picture: SentPicture, in line: inout Line) {
    line.width = picture.size.width
    line.height = picture.size.height
    line.tokens = picture.tokens
    line.words = picture.words
    line.kept = picture.kept
    line.isKept = picture.isKept
    line.judge = picture.judge
    line.recognizer = picture.judgeName
    line.notes = picture.notes.isEmpty ? nil : picture.notes
  }

  private static func note(_ progress: JobProgress, in line: inout Line) {
    switch progress {
    case .working(let stage, let fraction): (line.stage, line.fraction) = (stage, fraction)
    case .found(let finding):
      let book = finding.book
      line.finding = finding.id.uuidString.lowercased()
      line.stage = "found"
      line.title = book.title
      line.author = book.author
      line.isbn = book.isbn
      line.confidence = book.confidence
    }
  }
}
