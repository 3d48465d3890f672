import Foundation
import JSON
import Testing

@testable import Log

@Suite struct TraceFileTests {
  private let path = NSTemporaryDirectory() + "trace-\(UUID().uuidString).json"

  private func event(
    _ name: String, _ began: Int64, _ ended: Int64, kind: LogEvent.Kind = .happening, frame: UInt32? = nil,
    _ fact: LogFact? = nil
  ) -> LogEvent {
    LogEvent(
      name: name, category: .v4l2, level: .trace, kind: kind, began: began, ended: ended,
      thread: 7,
      frame: frame, first: fact)
  }

  /// Returns the file's events, except those that name the process and its threads.
  private func events() throws -> [[String: JSONValue]] {
    guard case .array(let all) = try JSONParser.parse(Array(Data(contentsOf: URL(fileURLWithPath: path))))
    else {
      return []
    }
    return all.compactMap { value -> [String: JSONValue]? in
      guard case .object(let fields) = value, fields["ph"] != .string("M") else { return nil }
      return fields
    }
  }

  @Test func aTraceHasSlicesInstantsAndTheWaysOfFrames() throws {
    var trace = try TraceFile(path)
    defer { unlink(path) }
    trace.name(7, "capture")
    trace.add(event("VIDIOC_QBUF", 1_000, 3_500, LogFact("errno", 5)))
    trace.add(event("queued", 4_000, 4_000, LogFact("buffer", 2)))
    trace.add(event("preview: late", 1_000, 9_000, kind: .fate, frame: 7))
    trace.add(LogLine(time: 5_000, thread: 1, category: .session, level: .info, text: "a \"state\"\n"))
    #expect(trace.finish() == nil)
    let events = try events()
    #expect(events.count == 5)
    #expect(events[0]["ph"] == .string("X"))
    #expect(events[0]["ts"] == .number(1) || events[0]["ts"] == .integer(1))
    #expect(events[0]["dur"] == .number(2.5))
    #expect(events[0]["args"] == .object(["errno": .integer(5)]))
    #expect(events[1]["ph"] == .string("i"))
    #expect(events[2]["ph"] == .string("b"))
    #expect(events[3]["ph"] == .string("e"))
    #expect(events[2]["id"] == events[3]["id"])
    #expect(events[2]["args"] == .object(["frame": .integer(7)]))
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(
      text.contains(#"{"args":{"name":"capture"},"name":"thread_name","ph":"M","pid":\#(getpid()),"tid":7,"#))
    #expect(events[4]["name"] == .string("a \"state\"\n"))
  }

  /// A killed program leaves the events that it has flushed. The end of the JSON may be missing, but Perfetto reads such a file.
  @Test func whatIsFlushedIsThereBeforeTheEnd() throws {
    var trace = try TraceFile(path)
    defer { unlink(path) }
    trace.add(event("queued", 1, 1))
    trace.flush()
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.hasPrefix("[\n{"))
    #expect(text.hasSuffix("}"))
    #expect(text.contains("\"queued\""))
    #expect(trace.finish() == nil)
  }

  @Test func aFileThatIsThereIsNotReplaced() throws {
    try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
    defer { unlink(path) }
    let error = #expect(throws: LogError.self) { _ = try TraceFile(path) }
    #expect(error?.description.contains("there is something of that name already") == true)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
  }

  @Test func aFullDiskIsToldOnce() throws {
    guard access("/dev/full", W_OK) == 0 else { return }
    var trace = try TraceFile(path)
    defer { unlink(path) }
    let full = open("/dev/full", O_WRONLY)
    defer { close(full) }
    trace.add(event("queued", 1, 1))
    trace.divert(to: full)
    trace.flush()
    #expect(trace.finish() == "the trace \(path) is incomplete: No space left on device")
  }
}
