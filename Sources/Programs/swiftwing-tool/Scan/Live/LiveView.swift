import BookScan
import Capture
import Console
import Foundation
import Imagery
import Library
import ScanStation
import System
import Uploads

/// The output of a live scan. Called from several threads.
protocol LiveView: Sendable {
  func begin(ways: [RecognitionWay], reader: String?, library: String, source: String)
  func show(_ event: ScanEvent)
  /// Called once a second.
  func tick()
  /// Keeps the status line: it is not overwritten any more.
  func end()
  func summary(_ counts: ScanQueue.Counts?, isInterrupted: Bool)
}

/// Text for a person. Books go to standard output when they are found; progress goes to standard error, on a terminal as one line
/// that is overwritten.
final class LiveText: LiveView {
  private struct State {
    var session = "starting"
    var photos = 0
    var open: Set<UUID> = []
    var books = 0
    var limit: Date?
    var isOffline = false
    var isDone = false
    var library = ""
  }

  private let state = Locked(State())
  private let isDrawn = isatty(STDERR_FILENO) == 1

  func begin(ways: [RecognitionWay], reader: String?, library: String, source: String) {
    state.withLock { $0.library = library }
    let order = ways.map(\.rawValue).joined(separator: ", then ")
    tell("\(source) → \(library): \(order)\(reader.map { "; \($0)" } ?? "")")
  }

  func show(_ event: ScanEvent) {
    state.withLock { Self.note(event, in: &$0) }
    if case .found(_, let spines) = event {
      for spine in spines where spine.isNew { say(Self.line(spine)) }
    }
    if let news = Self.news(event) { tell(news) }
    draw()
  }

  func tick() { if state.withLock({ $0.limit != nil }) { draw() } }

  func end() {
    state.withLock { $0.isDone = true }
    clear()
  }

  func summary(_ counts: ScanQueue.Counts?, isInterrupted: Bool) {
    let (photos, books, library) = state.withLock { ($0.photos, $0.books, $0.library) }
    guard let counts else {
      return tell(
        "the library \(library) cannot be read; check its folder, since the scans that it had accepted are "
          + "still in it"
      )
    }
    let waiting = counts.pending + counts.uploaded
    var parts = [
      "\(photos) photos, \(books) books",
      waiting == 0 ? "nothing queued" : "\(waiting) queued for the next scan",
    ]
    if counts.failed > 0 {
      parts.append(
        "\(counts.failed) failed, see `swiftwing queue list\(LibraryPlace.option(library))`")
    }
    tell(parts.joined(separator: "; "))
  }

  private static func note(_ event: ScanEvent, in state: inout State) {
    switch event {
    case .session(let session): state.session = "\(session)"
    case .accepted(let scan):
      state.photos += 1
      state.open.insert(scan.key)
    case .found(_, let spines): state.books += spines.count(where: \.isNew)
    case .delivered(let key, _, _, _), .failed(let key, _): state.open.remove(key)
    case .limited(let until): state.limit = until
    case .unlimited: state.limit = nil
    case .unreachable: state.isOffline = true
    case .reached: state.isOffline = false
    case .sameAs, .refused, .began, .sized, .progress, .fellBack, .postponed, .storageTrouble, .libraryGone,
      .photograph:
      break
    }
  }

  /// Returns a book as `97 %  Title / Author`, shortened to the terminal's columns.
  static func line(_ spine: FoundSpine, columns: Int? = PlainText.outputColumns) -> String {
    let share = spine.confidence.map { "\(Int(($0 * 100).rounded()))" } ?? "–"
    let head = String(repeating: " ", count: max(0, 3 - share.count)) + share + " %  "
    let isbn = spine.isbn.map { "  ISBN \($0)" } ?? ""
    return PlainText.fitted(head + BookName.text(spine.title, spine.author) + isbn, columns: columns)
  }

  /// Returns an event as a line of text; nil for an event that is not shown.
  static func news(_ event: ScanEvent) -> String? {
    switch event {
    case .session(.interrupted(let reason)): reason.message.isEmpty ? nil : reason.message
    case .session(.failed(let error)): "\(error)"
    case .session(.paused(.inactivity)):
      "paused after 30 s without a photo; press the shutter to resume"
    case .session(.loading): "the camera is starting …"
    case .refused(let reason): reason
    case .sized(_, let picture): Self.news(of: picture)
    case .fellBack(let change): "\(change.from.rawValue) → \(change.to.rawValue): \(change.reason)"
    case .failed(_, let reason): "given up: \(reason)"
    case .limited(let until):
      "the backend accepts no scans for \(seconds(to: until)) s; no photos are taken until then"
    case .unlimited: "the backend accepts scans again"
    case .unreachable(let reason): reason
    case .reached: "the backend can be reached again"
    case .storageTrouble(let reason), .libraryGone(let reason): reason
    case .accepted, .sameAs, .began, .progress, .found, .delivered, .postponed, .photograph, .session: nil
    }
  }

  /// Describes the size at which a picture is sent, if legibility decided it.
  static func news(of picture: SentPicture) -> String {
    let what = picture.judge == Legibility.Judge.proxy.rawValue ? "letters" : "words"
    var text = "sent at \(picture.size.width)×\(picture.size.height), \(picture.tokens) tokens: "
    text +=
      picture.words == 0
      ? "no \(what) found" : "\(picture.kept) of \(picture.words) \(what) kept by \(picture.judgeName)"
    if !picture.isKept { text += "; no size keeps the requested share" }
    return ([text] + picture.notes).joined(separator: ". ")
  }

  private static func seconds(to date: Date) -> Int { max(0, Int(date.timeIntervalSinceNow.rounded(.up))) }

  // MARK: The status line

  private func draw() {
    guard isDrawn else { return }
    let text: String? = state.withLock { state in
      if state.isDone { return nil }
      var parts = [state.session, "\(state.photos) photos", "\(state.books) books"]
      if !state.open.isEmpty { parts.append("\(state.open.count) under way") }
      if state.isOffline { parts.append("backend out of reach") }
      if let limit = state.limit { parts.append("limited: \(Self.seconds(to: limit)) s") }
      return parts.joined(separator: "  ")
    }
    if let text { Terminal.draw(text) }
  }

  private func clear() { if isDrawn { Terminal.draw("") } }

  private func say(_ text: String) {
    clear()
    Terminal.say(text)
  }

  private func tell(_ text: String) {
    clear()
    for line in PlainText.wrapped(text, columns: 80) { Terminal.tell(line) }
  }
}
