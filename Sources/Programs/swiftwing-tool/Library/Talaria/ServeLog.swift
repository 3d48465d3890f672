import Console
import TalariaServer

/// The output of `talaria serve`, as lines for a person or for a program. The only information about a client's upload is its
/// size.
struct ServeLog: Sendable {
  let json: Bool

  func listening(at url: String, reader: String, pin: String?) {
    guard json else {
      Terminal.say("\(url), reading with \(reader); ^C ends it")
      if let pin { Terminal.say("SWIFTWING_TALARIA_PIN=\(pin)") }
      return
    }
    say([
      "event": .text("listening"), "url": .text(url), "recognizer": .text(reader),
      "pin": pin.map { .text($0) },
    ])
  }

  func failed(_ upload: Upload, reason: String) {
    let (kind, bytes) = Self.measure(upload)
    guard json else { return Terminal.say("\(kind) of \(bytes) bytes: \(reason)") }
    say([
      "event": .text("failed"), "content": .text(kind), "bytes": .number(bytes), "reason": .text(reason),
    ])
  }

  private static func measure(_ upload: Upload) -> (kind: String, bytes: Int) {
    upload.image.map { ("image", $0.count) } ?? ("text", upload.text?.utf8.count ?? 0)
  }

  func read(_ upload: Upload, books: Int, within time: Duration) {
    let milliseconds = Int(time / .milliseconds(1))
    let (kind, bytes) = Self.measure(upload)
    guard json else { return Terminal.say("\(kind) of \(bytes) bytes: \(books) books in \(milliseconds) ms") }
    say([
      "event": .text("read"), "content": .text(kind), "bytes": .number(bytes), "books": .number(books),
      "milliseconds": .number(milliseconds),
    ])
  }

  func stopped(_ statistics: TalariaServer.Statistics) {
    guard json else {
      return Terminal.say(
        "\(statistics.jobs) jobs in \(statistics.uploads) uploads over \(statistics.connections) connections; "
          + "\(statistics.openJobs) not cleaned up")
    }
    say([
      "event": .text("stopped"), "connections": .number(statistics.connections),
      "uploads": .number(statistics.uploads), "streams": .number(statistics.streams),
      "cleanups": .number(statistics.cleanups), "jobs": .number(statistics.jobs),
      "openJobs": .number(statistics.openJobs),
    ])
  }

  private enum Value: Encodable {
    case text(String)
    case number(Int)

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .text(let text): try container.encode(text)
      case .number(let number): try container.encode(number)
      }
    }
  }

  private func say(_ fields: [String: Value?]) { try? Terminal.say(line: fields.compactMapValues(\.self)) }
}
