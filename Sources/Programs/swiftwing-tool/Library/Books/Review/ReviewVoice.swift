import Console
import Foundation
import Glibc
import Library

/// The output of a review: for a person, or one JSON object per line.
struct ReviewVoice {
  var isJSON = false
  /// Whether single answers are not reported, because a screen reports several together.
  var isSilent = false

  private struct Event: Encodable {
    var event: String
    var id: Int64?
    var answer: String?
    var book: ShownBook?
    var tally: ReviewActions.Tally?
  }

  func show(_ shown: ShownBook, _ book: Book, number: Int, of count: Int) throws {
    if isJSON { return try Terminal.say(line: Event(event: "book", id: book.id, book: shown)) }
    Terminal.say("\(number) of \(count)  book \(book.id)  \(shown.standing)")
    let name = shown.name
    Terminal.say("  \(name)")
    for place in shown.places.prefix(3) { Terminal.say("  in \(place.text)") }
    if shown.places.count > 3 { Terminal.say("  and in \(shown.places.count - 3) more photographs") }
    for (reading, times) in shown.readings.prefix(5) where ShownBook.text(reading) != name {
      Terminal.say("  read \(times)×: \(ShownBook.text(reading))")
    }
  }

  func tookBack() { if !isJSON { Terminal.say("  taken back") } }

  func answered(_ id: Book.ID, _ answer: String) throws {
    if isSilent { return }
    if isJSON { return try Terminal.say(line: Event(event: "answered", id: id, answer: answer)) }
    Terminal.say("  \(answer)")
  }

  func end(_ tally: ReviewActions.Tally) throws {
    if isJSON { return try Terminal.say(line: Event(event: "end", tally: tally)) }
    Terminal.say("\(tally.text(false)); \(tally.left) left")
  }
}

/// Reads lines of standard input. A line is cut after `ReviewAnswerLine.limit` bytes.
struct AnswerLines {
  private var buffer: [UInt8] = []
  private var isAtEnd = false

  /// Returns the next line; nil at the end of the input.
  mutating func next() -> String? {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffer.removeFirst(end + 1) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      if isAtEnd {
        defer { buffer = [] }
        return buffer.isEmpty ? nil : String(decoding: buffer, as: UTF8.self)
      }
      fill()
    }
  }

  private mutating func fill() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    if count < 0 && errno == EINTR { return }
    guard count > 0 else {
      isAtEnd = true
      return
    }
    for byte in bytes[..<count] {
      if byte == UInt8(ascii: "\n") || buffer.count < ReviewAnswerLine.limit { buffer.append(byte) }
    }
  }
}
