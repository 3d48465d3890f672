import Logging
import Synchronization
import System

/// Distributes lines and events: to swift-log, to a trace, and to the history of an error. One per process.
///
/// Other programs that use the engine get its lines through swift-log, in the backend that they have chosen, if `SWIFTWING_LOG` requests them.
package final class LogSystem: Sendable {
  /// The levels of the lines that are needed.
  static let wanted = Atomic(((try? LogSettings.ofEnvironment()) ?? LogSettings()).wanted.word)
  /// The system of this process, created when the first line is needed.
  package static let shared = LogSystem((try? LogSettings.ofEnvironment()) ?? LogSettings())
  /// The maximum number of lines in an error's history.
  static let historyLength = 200
  /// The maximum time in seconds before an event is written.
  private static let pause = 0.05

  let ring = EventRing(size: 4096)
  private let state: Locked<State>
  /// Held by the thread that empties the ring.
  private let draining = Locked(())
  private let loggers: Locked<[LogCategory: Logger]> = Locked([:])

  private struct State: ~Copyable {
    var settings: LogSettings
    var trace: TraceFile?
    var history: [LogLine] = []
    var thread: NamedThread?
    /// The names of threads that have noted an event.
    var names: [Int32: String] = [:]
    var isEnding = false
    var isOurs = false
  }

  private init(_ settings: LogSettings) {
    state = Locked(State(settings: settings))
    beginThread()
  }

  /// Starts the log of a program of this package.
  /// - Parameters:
  ///   - path: the path of a trace. Nil for none.
  ///   - write: writes one line for a person. Any thread may call it.
  /// - Throws: the flaw in `SWIFTWING_LOG`, or the reason why no trace can be written; nothing is started then.
  package static func begin(
    trace path: String? = nil, write: @escaping @Sendable (String) -> Void
  ) throws(LogError) {
    let settings = try LogSettings.ofEnvironment()
    guard settings != LogSettings() || path != nil else { return }
    try shared.begin(settings, path, write)
  }

  private func begin(
    _ settings: LogSettings, _ path: String?, _ write: @escaping @Sendable (String) -> Void
  ) throws(LogError) {
    let isFirst = try state.withLock { state throws(LogError) in
      if let path {
        state.trace = try TraceFile(path)
        for (thread, name) in state.names { state.trace?.name(thread, name) }
      }
      state.settings = settings
      defer { state.isOurs = true }
      return !state.isOurs
    }
    if isFirst { LoggingSystem.bootstrap { _ in LineHandler(write: write) } }
    let levels = path == nil ? settings.wanted : LogLevels(.trace)
    Self.wanted.store(levels.word, ordering: .relaxed)
  }

  private func beginThread() {
    // Without a thread events are written at the end.
    let thread = try? NamedThread(name: "log") { [self] in
      while state.wait(atMost: Self.pause, { $0.isEnding ? true : nil }) == nil { drain() }
    }
    state.withLock { $0.thread = thread }
  }

  /// Writes a line. May block.
  func tell(_ line: LogLine) {
    let isWanted = state.withLock { state in
      state.trace?.add(line)
      return Self.keep(line, &state)
    }
    if isWanted { log(line) }
  }

  /// - Returns: false, since a thread's name is not a line.
  private static func note(_ thread: LogEvent, _ state: inout State) -> Bool {
    // Most of these thousand threads have ended, so forget all names.
    if state.names.count == 1000 { state.names = [:] }
    state.names[thread.thread] = thread.name
    state.trace?.name(thread.thread, thread.name)
    return false
  }

  /// - Returns: whether to pass the line to swift-log.
  private static func keep(_ line: LogLine, _ state: inout State) -> Bool {
    if state.settings.keepsHistory, line.level >= .debug {
      if state.history.count == historyLength { state.history.removeFirst() }
      state.history.append(line)
    }
    return line.level >= state.settings.levels[line.category]
  }

  private func log(_ line: LogLine) {
    guard let level = line.level.ofLogger else { return }
    let logger = loggers.withLock { loggers in
      if let logger = loggers[line.category] { return logger }
      var logger = Logger(label: "swiftwing.\(line.category.name)")
      logger.logLevel = .trace
      loggers[line.category] = logger
      return logger
    }
    logger.log(level: level, "\(line.description)", source: "SwiftWing")
  }

  /// Writes the events in the ring.
  func drain() {
    draining.withLock { _ in
      while let event = ring.take() {
        let line = event.line
        let isWanted = state.withLock { state in
          if event.kind == .thread { return Self.note(event, &state) }
          state.trace?.add(event)
          return Self.keep(line, &state)
        }
        if isWanted { log(line) }
      }
      let lost = ring.takeLost()
      state.withLock { state in
        if lost > 0 { state.trace?.add(lost: lost) }
        state.trace?.flush()
      }
      if lost > 0 {
        tell(
          LogLine(
            time: Log.now(), thread: LogThread.number(ring), category: .frame, level: .warning,
            text: "\(lost) events were lost: they came faster than they could be written"))
      }
    }
  }

  /// Writes all waiting events, and ends the trace. Does nothing if no log was started.
  /// - Returns: the reason why the trace is incomplete, for the user. Nil if it is complete.
  package static func finish() -> String? {
    guard wanted.load(ordering: .relaxed) != LogLevels(.off).word else { return nil }
    return shared.end()
  }

  private func end() -> String? {
    let thread = state.withLock { state in
      state.isEnding = true
      return state.thread.take()
    }
    state.notify()
    thread?.join()
    drain()
    return state.withLock { state in
      guard var trace = state.trace.take() else { return nil }
      return trace.finish()
    }
  }

  /// The lines before an error, if `SWIFTWING_LOG` has `history`. A second call does not return them again.
  package static func takeHistory() -> [String] {
    guard wanted.load(ordering: .relaxed) != LogLevels(.off).word else { return [] }
    shared.drain()
    return shared.state.withLock { state in
      defer { state.history = [] }
      return state.history.map(\.description)
    }
  }
}
