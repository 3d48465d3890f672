import CLinux

/// An event noted by a thread that must not wait: of fixed size, without allocated memory.
package struct LogEvent: Sendable {
  enum Kind: Sendable {
    case happening
    /// The end of a frame's delivery to one output.
    case fate
    /// A thread's first event; `name` is the name of the thread.
    case thread
  }

  /// The name: a literal, which needs no allocation.
  var name: String
  var category: LogCategory
  var level: LogLevel
  var kind = Kind.happening
  /// The beginning, in nanoseconds of `CLOCK_MONOTONIC`.
  var began: Int64
  /// The end. Equal to `began` for an event without duration.
  var ended: Int64
  /// The kernel's number of the thread.
  var thread: Int32
  var frame: UInt32?
  var first: LogFact?
  var second: LogFact?

  var facts: [LogFact] { [first, second].compactMap { $0 } }

  var line: LogLine {
    var words = [name]
    if let frame { words.append("frame \(frame)") }
    words += facts.map { "\($0.name) \($0.value)" }
    if ended > began { words.append("\((ended - began) / 1000) µs") }
    return LogLine(
      time: ended, thread: thread, category: category, level: level, text: words.joined(separator: " "))
  }
}

package struct LogLine: Sendable {
  var time: Int64
  var thread: Int32
  var category: LogCategory
  var level: LogLevel
  var text: String

  /// `[ 1234.567890] v4l2 debug: VIDIOC_S_FMT 12 µs`: with the time in the format of `dmesg`, so that the line can be compared with the kernel's log.
  package var description: String {
    let (seconds, rest) = (time / 1_000_000_000, time % 1_000_000_000 / 1000)
    let fraction = String(rest + 1_000_000).dropFirst()
    let whole = String(repeating: " ", count: max(5 - String(seconds).utf8.count, 0)) + String(seconds)
    return "[\(whole).\(fraction)] \(category.name) \(level.name): \(text)"
  }
}

enum LogThread {
  /// The kernel's number of this thread. Before the thread's first event, adds the name of the thread, because the
  /// thread may have ended when the event is written. The name is short enough to need no allocation.
  static func number(_ ring: EventRing) -> Int32 {
    var isFirst = false
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16) { name in
      let number = linux_thread_number(&isFirst, name.baseAddress)
      if isFirst, let name = name.baseAddress {
        ring.add(
          LogEvent(
            name: String(cString: name), category: .frame, level: .off, kind: .thread, began: 0, ended: 0,
            thread: number))
      }
      return number
    }
  }
}
