@testable import Library
@testable import Uploads

extension FuzzTarget {
  static let streams = [events]

  private static let events = FuzzTarget(
    name: "events",
    seeds: [
      [UInt8](
        "\u{FEFF}: hello\nevent: result\nid: 1\nretry: 100\ndata: {\"index\":0,\"title\":\"Emma\",\"confidence\":0.5}\r\n\r\nevent: complete\rdata: {\"books\":1}\r\r"
      ),
      [UInt8](
        "event:error\ndata:{\"message\":\"x\",\"retryable\":false}\n\nevent: progress\ndata: {\"fraction\":2}\n\n"
      ),
    ], files: ["../shared/data/sse"]
  ) { input in
    let bytes = Array(input)
    let whole = parse(bytes, by: bytes.count + 1)
    hold(parse(bytes, by: 1) == whole && parse(bytes, by: 7) == whole, "it reads otherwise in pieces")
    var results = JobResults(job: "a job")
    for event in whole ?? [] {
      guard let event = try? (event, TalariaEvent(event)) else { continue }
      switch event.1 {
      case .progress(_, let fraction?): hold((0...1).contains(fraction), "a progress of \(fraction)")
      case .result(let index, let finding):
        _ = results.add(finding, index: index, eventID: event.0.lastEventID)
        if let normal = finding.normalized() {
          hold(normal.normalized() == normal, "tidied twice it differs")
        }
      case .complete(let books): results.complete(expecting: books)
      default: break
      }
    }
    hold(Set(results.findings.map(\.id)).count == results.count, "books were lost, or two have one id")
  }

  /// Parses the bytes with a small limit, so that inputs reach it.
  private static func parse(_ bytes: [UInt8], by step: Int) -> [ServerSentEvent]? {
    var parser = EventStreamParser(limit: 512)
    var (events, rest): ([ServerSentEvent], ArraySlice<UInt8>) = ([], bytes[...])
    do throws(EventTooLarge) {
      while !rest.isEmpty {
        events += try parser.parse(rest.prefix(step))
        rest = rest.dropFirst(step)
      }
      return events
    } catch { return nil }
  }
}
