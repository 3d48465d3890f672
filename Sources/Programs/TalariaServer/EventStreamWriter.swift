import Foundation
import Glibc
import HTTPService

/// Sends the events of a job to a client, with the fault that was chosen for this stream.
struct EventStreamWriter {
  var body: ChunkedBody
  let fault: Fault?
  let heartbeat: TimeInterval

  /// - Parameter silence: the time in seconds for which a silent stream is kept open.
  /// - Returns: whether the connection can still be used.
  mutating func tell(of job: String, in jobs: Jobs, after last: Int, silence: Double) -> Bool {
    if fault == .silence { return keepSilent(silence) }
    if case .hugeEvent(let bytes) = fault { return writeHugeEvent(bytes) }
    var last = last
    guard body.write("retry: 10\n\n") else { return false }
    while true {
      switch jobs.news(of: job, after: last, within: heartbeat) {
      case .unknown: return false
      case .nothing: guard body.write(": heartbeat\n\n") else { return false }
      case .events(let events, let isOver):
        if waitsForAll && !isOver {
          usleep(1000)
          continue
        }
        guard write(events) else { return false }
        last += events.count
        if isOver { return body.end() }
      }
    }
  }

  /// Whether all events must exist first, so that they can be reversed or cut off in the middle.
  private var waitsForAll: Bool { fault == .outOfOrderEvents || fault == .halfEvent }

  /// Writes events.
  /// - Returns: whether to continue.
  private mutating func write(_ events: [StreamEvent]) -> Bool {
    switch fault {
    case .duplicateEvents: return events.allSatisfy { body.write($0.wire + $0.wire) }
    case .outOfOrderEvents: return events.reversed().allSatisfy { body.write($0.wire) }
    case .nonsense: return body.write("event: result\ndata: {\"title\": \n\n")
    case .halfEvent:
      let wire = events.map(\.wire).joined()
      _ = body.write(String(wire.prefix(wire.count * 2 / 3)))
      return false
    default: return events.allSatisfy { body.write($0.wire) }
    }
  }

  /// Keeps the stream silent until the client ends it or the time is over.
  private func keepSilent(_ seconds: Double) -> Bool {
    var patience = Patience(seconds: seconds)
    _ = try? body.channel.read(1, &patience)
    return false
  }

  private mutating func writeHugeEvent(_ bytes: Int) -> Bool {
    guard body.write("data: ") else { return false }
    let piece = String(repeating: "x", count: 1 << 16)
    for _ in 0..<(bytes >> 16) { guard body.write(piece) else { return false } }
    return body.write("\n\n") && body.end()
  }
}
