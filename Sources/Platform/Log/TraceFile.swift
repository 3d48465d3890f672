import Glibc
import JSON
import System

/// A trace for Perfetto (ui.perfetto.dev) and `chrome://tracing`: Chrome's trace events in JSON, as an array whose end may be missing ("Trace
/// Event Format", Google, 2016). So the trace of a killed program is usable too.
///
/// Only one thread at a time may use it.
package struct TraceFile: ~Copyable {
  /// The maximum size in bytes. No viewer opens a larger file.
  static let largest = 1 << 30

  package let path: String
  private let descriptor: CInt
  private var bytes = Array("[\n".utf8)
  private var size = 0
  /// The number of frame fates written so far.
  private var fates = 0
  /// The reason why the file can no longer be written. Nil if it can be written.
  private(set) var trouble: String?

  /// Creates the file. An existing file is not replaced.
  /// - Throws: the reason why the file cannot be created.
  package init(_ path: String) throws(LogError) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      let reason =
        errno == EEXIST ? "there is something of that name already" : String(cString: strerror(errno))
      throw LogError("cannot write --trace \(path): \(reason); choose another name")
    }
    // Not a mutating method: Swift 6.2 allows no such call in the `init` of a noncopyable type.
    bytes += Self.line([
      "name": .string("process_name"), "ph": .string("M"), "args": .object(["name": .string("swiftwing")]),
    ])
  }

  deinit { close(descriptor) }

  mutating func add(_ event: LogEvent) {
    var facts = Dictionary(event.facts.map { ("\($0.name)", JSONValue.integer($0.value)) }) { $1 }
    if let frame = event.frame { facts["frame"] = .integer(Int64(frame)) }
    if event.kind == .fate { return addFate(event, facts) }
    var fields: [String: JSONValue] = [
      "name": .string(event.name), "cat": .string(event.category.name), "args": .object(facts),
    ]
    if event.ended > event.began {
      fields["ph"] = .string("X")
      fields["dur"] = .number(Double(event.ended - event.began) / 1000)
    } else {
      fields["ph"] = .string("i")
      fields["s"] = .string("t")
    }
    add(fields, at: event.began, on: event.thread)
  }

  /// Adds the time of a frame from its arrival to its fate, as two events with one id.
  private mutating func addFate(_ event: LogEvent, _ facts: [String: JSONValue]) {
    fates += 1
    var fields: [String: JSONValue] = [
      "name": .string(event.name), "cat": .string("frame"), "id": .integer(Int64(fates)), "ph": .string("b"),
      "args": .object(facts),
    ]
    add(fields, at: event.began, on: event.thread)
    fields["ph"] = .string("e")
    add(fields, at: event.ended, on: event.thread)
  }

  /// Adds a line of the log, such as a change of state.
  mutating func add(_ line: LogLine) {
    add(
      [
        "name": .string(line.text), "cat": .string(line.category.name), "ph": .string("i"), "s": .string("p"),
        "args": .object(["level": .string(line.level.name)]),
      ], at: line.time, on: line.thread)
  }

  /// Adds the number of events that were dropped.
  mutating func add(lost count: Int) {
    add([
      "name": .string("events lost"), "ph": .string("i"), "s": .string("g"),
      "args": .object(["count": .integer(Int64(count))]),
    ])
  }

  /// Names a thread, before or after its events.
  mutating func name(_ thread: Int32, _ name: String) {
    add(
      [
        "name": .string("thread_name"), "ph": .string("M"),
        "args": .object(["name": .string(TerminalText.printable(name))]),
      ], on: thread)
  }

  /// - Parameter thread: the thread of the event. By default the main thread, for events of no thread.
  private mutating func add(
    _ fields: [String: JSONValue], at time: Int64 = Log.now(), on thread: Int32 = getpid()
  ) {
    guard trouble == nil else { return }
    bytes += Array(",\n".utf8)
    bytes += Self.line(fields, at: time, on: thread)
    if bytes.count > 1 << 16 { flush() }
  }

  private static func line(
    _ fields: [String: JSONValue], at time: Int64 = Log.now(), on thread: Int32 = getpid()
  ) -> [UInt8] {
    var fields = fields
    fields["ts"] = .number(Double(time) / 1000)
    fields["pid"] = .integer(Int64(getpid()))
    fields["tid"] = .integer(Int64(thread))
    return Array(JSONSerializer.line(.object(fields)))
  }

  /// Redirects the output to another file, so that a test can simulate a full disk.
  mutating func divert(to other: CInt) { dup2(other, descriptor) }

  /// Writes the buffered bytes.
  mutating func flush() {
    guard trouble == nil, !bytes.isEmpty else { return }
    size += bytes.count
    guard size <= Self.largest else {
      trouble = "it reached its limit of \(Self.largest >> 20) MB, and later events are not in it"
      return
    }
    let code = bytes.withUnsafeBytes { WholeFile.write($0, to: descriptor) }
    guard code == 0 else {
      trouble = SystemError(code).reason
      return
    }
    bytes.removeAll(keepingCapacity: true)
  }

  /// Writes the rest and the end of the array.
  /// - Returns: the reason why the file is incomplete. Nil if it is complete.
  mutating func finish() -> String? {
    bytes += Array("\n]\n".utf8)
    flush()
    return trouble.map { "the trace \(path) is incomplete: \($0)" }
  }
}
