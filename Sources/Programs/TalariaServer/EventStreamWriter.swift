import Foundation
import Glibc
import HTTPService

/// Tells a client of a job, with the fault that belongs to this telling.
struct EventStreamWriter {
  var body: ChunkedBody
  let fault: Fault?
  let heartbeat: TimeInterval

  /// - Parameter silence: seconds that a silent stream is kept.
  /// - Returns: whether the connection is of further use.
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

  /// To turn events round, or to break off in the middle, they must all be there.
  private var waitsForAll: Bool { fault == .outOfOrderEvents || fault == .halfEvent }

  /// Whether to go on.
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

  /// Until the client has had enough.
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
