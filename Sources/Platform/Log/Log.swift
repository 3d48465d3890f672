import CLinux
import Glibc
import Synchronization
import System

/// The log of one category. Off unless `SWIFTWING_LOG` or a trace asks for the category; while it is off, a call costs
/// one read of memory and composes no text.
///
/// The calls with a text compose it and may wait: do not use them on the capture thread. `event` and `fate`
/// compose no text and never wait.
package struct Log: Sendable {
  let category: LogCategory

  package init(_ category: LogCategory) { self.category = category }

  package static var v4l2: Log { Log(.v4l2) }
  package static var camera: Log { Log(.camera) }
  package static var session: Log { Log(.session) }
  package static var frame: Log { Log(.frame) }
  package static var motion: Log { Log(.motion) }
  package static var display: Log { Log(.display) }
  package static var dock: Log { Log(.dock) }
  package static var recording: Log { Log(.recording) }
  package static var corpus: Log { Log(.corpus) }
  package static var scan: Log { Log(.scan) }
  package static var queue: Log { Log(.queue) }
  package static var library: Log { Log(.library) }
  package static var catalogue: Log { Log(.catalogue) }
  package static var settings: Log { Log(.settings) }
  package static var http: Log { Log(.http) }
  package static var viewfinder: Log { Log(.viewfinder) }

  /// Whether anybody listens to lines of this level.
  package func isOn(_ level: LogLevel) -> Bool {
    let wanted = LogSystem.wanted.load(ordering: .relaxed) &>> (UInt64(category.rawValue) &* 4)
    return UInt64(level.rawValue) >= wanted & 15
  }

  package func debug(_ text: @autoclosure () -> String) { say(.debug, text) }
  package func info(_ text: @autoclosure () -> String) { say(.info, text) }
  package func warning(_ text: @autoclosure () -> String) { say(.warning, text) }
  package func error(_ text: @autoclosure () -> String) { say(.error, text) }

  private func say(_ level: LogLevel, _ text: () -> String) {
    guard isOn(level) else { return }
    LogSystem.shared.tell(
      LogLine(
        time: Log.now(), thread: LogThread.number(LogSystem.shared.ring), category: category, level: level,
        text: text()))
  }

  /// The start time to pass to `event`. 0 if nobody listens, so that no clock is read.
  package func began(_ level: LogLevel = .trace) -> Int64 { isOn(level) || linux_is_traced() ? Log.now() : 0 }

  /// Notes an interval that lasted from `began` until now. Neither allocates nor waits.
  /// - Parameters:
  ///   - name: a literal.
  ///   - began: the result of `began(_:)`; 0 for an event without a duration.
  ///   - frame: the number that the camera gave to the frame.
  ///   - first: a number with its name.
  ///   - second: another number with its name.
  package func event(
    _ name: String, _ level: LogLevel = .trace, began: Int64 = 0, frame: UInt32? = nil,
    _ first: LogFact? = nil, _ second: LogFact? = nil
  ) {
    if linux_is_traced() { Self.probe(name, category, frame, since: began) }
    guard isOn(level) else { return }
    let now = Log.now()
    LogSystem.shared.ring.add(
      LogEvent(
        name: name, category: category, level: level, began: began == 0 ? now : began, ended: now,
        thread: LogThread.number(LogSystem.shared.ring), frame: frame, first: first, second: second))
  }

  /// Notes the fate of a frame, as an interval from its arrival until now. Neither allocates nor waits.
  package static func fate(_ name: String, of frame: UInt32, since arrival: Int64, _ fact: LogFact? = nil) {
    if linux_is_traced() { probe(name, .frame, frame, since: arrival) }
    guard Log.frame.isOn(.trace) else { return }
    LogSystem.shared.ring.add(
      LogEvent(
        name: name, category: .frame, level: .trace, kind: .fate, began: arrival, ended: Log.now(),
        thread: LogThread.number(LogSystem.shared.ring), frame: frame, first: fact))
  }

  /// Reports an interval to the listeners of the probe `swiftwing:event`. Frame −1 means none.
  private static func probe(_ name: String, _ category: LogCategory, _ frame: UInt32?, since began: Int64) {
    let now = now()
    name.withCString { name in
      category.name.withCString { category in
        linux_trace(name, category, frame.map(Int64.init) ?? -1, began == 0 ? now : began, now)
      }
    }
  }

  /// The time of the log: nanoseconds of `CLOCK_MONOTONIC`, the clock of the kernel's own log.
  package static func now() -> Int64 { KernelClock.nanoseconds(CLOCK_MONOTONIC) }
}

/// A number with its name, such as `buffer 3`.
package struct LogFact: Sendable {
  let name: StaticString
  let value: Int64

  package init(_ name: StaticString, _ value: Int) { (self.name, self.value) = (name, Int64(value)) }
  package init(_ name: StaticString, _ value: Int32) { (self.name, self.value) = (name, Int64(value)) }
  package init(_ name: StaticString, _ value: UInt32) { (self.name, self.value) = (name, Int64(value)) }
}
