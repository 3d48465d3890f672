import Console
import Foundation
import Library
import ScanStation
import System
import Uploads

/// The output of a run over photographs. Called from several threads.
protocol PhotographView: Sendable {
  func begin(ways: [RecognitionWay], reader: String?, library: String, count: Int)
  func show(_ event: ScanEvent)
  /// Prints the summary.
  /// - Parameters:
  ///   - shelf: the number of books in the library; nil if unknown.
  ///   - remedy: how `bookless` may be read again; nil if there is no better way.
  func end(
    _ summary: PhotographSummary, _ shelf: ShelfCounts?, _ bookless: BooklessPhotographs, remedy: String?,
    isInterrupted: Bool)
}

/// The number of books in a library.
struct ShelfCounts: Sendable, Equatable {
  /// The books, without the unlikely ones.
  var books: Int
  var doubtful: Int
  var unlikely: Int

  init(books: Int, doubtful: Int, unlikely: Int) {
    self.books = books
    self.doubtful = doubtful
    self.unlikely = unlikely
  }

  init(_ library: Library) async throws(DeliveryError) {
    books = try await library.count()
    doubtful = try await library.count(.doubtful)
    unlikely = try await library.count(.unlikely)
  }
}

/// The output for programs: one JSON object per line.
struct PhotographJSON: PhotographView {
  private struct End: Encodable {
    var event = "end"
    var read: Int
    var known: Int
    var copies: Int
    var failed: Int
    var new: Int
    var again: Int
    var books: Int?
    var doubtful: Int?
    var unlikely: Int?
    /// The number of photographs on which no book was found, and the first of them.
    var bookless: Int
    var booklessFiles: [String]
    var interrupted: Bool
  }

  func begin(ways: [RecognitionWay], reader: String?, library: String, count: Int) {
    var line = LiveJSON.Line("begin")
    line.ways = ways.map(\.rawValue)
    line.recognizer = reader
    line.library = library
    line.total = count
    LiveJSON.write(line)
  }

  func show(_ event: ScanEvent) { for line in LiveJSON.lines(event) { LiveJSON.write(line) } }

  func end(
    _ summary: PhotographSummary, _ shelf: ShelfCounts?, _ bookless: BooklessPhotographs, remedy: String?,
    isInterrupted: Bool
  ) {
    LiveJSON.write(
      End(
        read: summary.read, known: summary.known, copies: summary.copies, failed: summary.failed,
        new: summary.new, again: summary.again, books: shelf?.books, doubtful: shelf?.doubtful,
        unlikely: shelf?.unlikely, bookless: bookless.count, booklessFiles: bookless.paths,
        interrupted: isInterrupted))
  }
}

/// Text for a person. Photographs and their new books go to standard output when they are added to the library; the rest goes to
/// standard error, with the progress on a terminal as one line that is overwritten.
final class PhotographText: PhotographView {
  private struct State {
    var names: [UUID: String] = [:]
    var found: [UUID: [FoundSpine]] = [:]
    var progress = ""
    var library = ""
  }

  private let state = Locked(State())

  func begin(ways: [RecognitionWay], reader: String?, library: String, count: Int) {
    state.withLock { $0.library = library }
    let order = ways.map(\.rawValue).joined(separator: ", then ")
    let what = count == 1 ? "1 photograph" : count == 0 ? "the queue" : "\(count) photographs"
    Terminal.tell("\(what) → \(library): \(order)\(reader.map { "; \($0)" } ?? "")")
  }

  func show(_ event: ScanEvent) {
    switch event {
    case .found(let key, let spines): state.withLock { $0.found[key] = spines }
    case .delivered(let key, _, _, _): delivered(key)
    case .photograph(let news): show(news)
    case .failed(let key, let reason): tell("\(key.uuidString.lowercased()): given up: \(reason)")
    default: if let news = LiveText.news(event) { tell(news) }
    }
  }

  private func delivered(_ key: UUID) {
    let (name, spines) = state.withLock { state in
      (state.names.removeValue(forKey: key), state.found.removeValue(forKey: key) ?? [])
    }
    let new = spines.filter(\.isNew)
    Terminal.progress("")
    Terminal.say("\(name ?? "a queued scan"): \(spines.count) spines, \(new.count) new")
    for spine in new { Terminal.say(LiveText.line(spine)) }
    draw()
  }

  private func show(_ news: PhotographNews) {
    switch news {
    case .queued(let photograph, let key): state.withLock { $0.names[key] = photograph.path }
    case .known: break
    case .copy(let photograph, let first): tell("\(photograph.path): the same photograph as \(first)")
    case .unread(_, let reason): tell("swiftwing: \(reason)")
    case .folderGone(let folder, let left):
      tell(
        "swiftwing: Cannot read the other \(left) photographs in \(folder) (the folder is no longer there); bring it back and "
          + "repeat the command.")
    case .progress(let progress):
      state.withLock { $0.progress = Self.text(progress) }
      draw()
    }
  }

  func end(
    _ summary: PhotographSummary, _ shelf: ShelfCounts?, _ bookless: BooklessPhotographs, remedy: String?,
    isInterrupted: Bool
  ) {
    Terminal.progress("")
    let library = state.withLock { $0.library }
    for line in bookless.lines(remedy: remedy) + Self.lines(summary, shelf, library: library) {
      Terminal.tell(line)
    }
  }

  /// Returns progress as `12 of 840, 6 min left`.
  static func text(_ progress: PhotographProgress) -> String {
    let left = progress.secondsLeft.map { ", \(time($0)) left" } ?? ""
    return "\(progress.done) of \(progress.total)\(left)"
  }

  private static func time(_ seconds: Double) -> String {
    let whole = Int(max(0, min(seconds, 1e8)).rounded())
    if whole < 90 { return "\(whole) s" }
    let minutes = (whole + 30) / 60
    return minutes < 90 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
  }

  static func lines(_ summary: PhotographSummary, _ shelf: ShelfCounts?, library: String) -> [String] {
    var photographs = ["\(summary.read) read", "\(summary.known) known already"]
    if summary.copies > 0 { photographs.append("\(summary.copies) twice") }
    photographs.append("\(summary.failed) failed")
    var spines = ["\(summary.new) new", "\(summary.again) seen again"]
    if let shelf { spines.append("\(shelf.books) books in the library") }
    var lines = [
      "photographs: \(photographs.joined(separator: ", "))", "spines: \(spines.joined(separator: ", "))",
    ]
    let review = "  swiftwing library review"
    let option = LibraryPlace.option(library)
    if let shelf, shelf.doubtful > 0 {
      lines += ["to be looked at: \(shelf.doubtful) doubtful, with", "\(review)\(option)"]
    }
    if let shelf, shelf.unlikely > 0 {
      lines += [
        "probably no books: \(shelf.unlikely), to be looked at with", "\(review) --unlikely\(option)",
      ]
    }
    return lines
  }

  private func tell(_ text: String) {
    Terminal.progress("")
    Terminal.tell(text)
    draw()
  }

  private func draw() { Terminal.progress(state.withLock { $0.progress }) }
}
