public import Foundation

/// The timelines of a report in the Trace Event Format, which Perfetto and `chrome://tracing` open: timelines are processes, lanes are threads,
/// spans are complete events (`X`), marks are instants (`i`). Times are in microseconds.
public struct TraceReport: Sendable {
  /// The report with the timelines.
  public let report: Report

  /// Creates the trace of a report.
  public init(_ report: Report) { self.report = report }

  /// The whole document.
  public var json: Data {
    let timelines = report.scenarios.flatMap { scenario in
      scenario.evidence.compactMap { item in item.timeline.map { ("\(scenario.id): \(item.title)", $0) } }
    }
    let events = timelines.enumerated().flatMap { index, entry in
      Self.events(named: entry.0, entry.1, process: index + 1)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Times that JSON cannot express were left out above.
    return (try? encoder.encode(Document(traceEvents: events))) ?? Data()
  }

  private struct Document: Encodable {
    let displayTimeUnit = "ms"
    let traceEvents: [Event]
  }

  private struct Event: Encodable {
    var name: String
    var ph: String
    var pid: Int
    var tid: Int
    var ts: Double?
    var dur: Double?
    /// The scope of an instant event: its thread.
    var s: String?
    var args: [String: String]?
  }

  private static func events(named name: String, _ timeline: Timeline, process: Int) -> [Event] {
    var events = [Event(name: "process_name", ph: "M", pid: process, tid: 0, args: ["name": name])]
    for (index, lane) in timeline.lanes.enumerated() {
      let thread = index + 1
      events.append(
        Event(name: "thread_name", ph: "M", pid: process, tid: thread, args: ["name": lane.title]))
      events += lane.spans.filter { isExpressible($0.start) && isExpressible($0.end) }.map {
        Event(
          name: $0.label, ph: "X", pid: process, tid: thread, ts: $0.start * 1000,
          dur: max(0, $0.end - $0.start) * 1000)
      }
      events += lane.marks.filter { isExpressible($0.time) }.map {
        let label = $0.label.isEmpty ? lane.title : $0.label
        return Event(name: label, ph: "i", pid: process, tid: thread, ts: $0.time * 1000, s: "t")
      }
    }
    return events
  }

  /// Returns whether a time in milliseconds, or the difference of two, is finite in microseconds too.
  private static func isExpressible(_ time: Double) -> Bool { abs(time) < 1e300 }
}
