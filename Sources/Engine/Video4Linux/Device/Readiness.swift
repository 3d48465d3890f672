import Glibc
public import System

/// The reasons why a wait on a device returned. Empty after a time-out.
public struct Readiness: OptionSet, Hashable, Sendable {
  /// One bit for each reason; the bits are defined by this library.
  public let rawValue: UInt8

  /// Creates a set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A filled buffer can be taken (capture), or an emptied one (output).
  public static let buffer = Readiness(rawValue: 1 << 0)
  /// A V4L2 event is pending (`POLLPRI`).
  public static let event = Readiness(rawValue: 1 << 1)
  /// A buffer or an event, as awaited while streaming.
  public static let bufferOrEvent = Readiness(rawValue: 3)
  /// The device was unplugged (`POLLHUP`, or an invalid descriptor).
  public static let hangup = Readiness(rawValue: 1 << 2)
  /// The stream is broken or not started, or the driver has no buffer (`POLLERR`).
  public static let error = Readiness(rawValue: 1 << 3)
  /// The `WakeSignal` was signalled.
  public static let woken = Readiness(rawValue: 1 << 4)

  /// Whether nothing happened in time.
  public var isTimedOut: Bool { isEmpty }

  init(_ result: PollResult) {
    func has(_ mask: Int16, _ flags: Int32) -> Bool { Int32(mask) & flags != 0 }
    self = []
    if has(result.events, POLLIN | POLLRDNORM | POLLOUT | POLLWRNORM) { insert(.buffer) }
    if has(result.events, POLLPRI) { insert(.event) }
    if has(result.events, POLLHUP | POLLNVAL) { insert(.hangup) }
    if has(result.events, POLLERR) { insert(.error) }
    if result.wake != 0 { insert(.woken) }
  }
}

extension VideoDevice {
  /// Waits until a buffer or an event is ready, the device fails, `wake` is signalled, or `timeout` has passed.
  ///
  /// The descriptor stays open while a thread waits: to close the device, signal `wake` too.
  /// - Parameter timeout: nil waits for ever; zero only polls.
  /// - Returns: the reasons; empty after a time-out. `wake` stays raised until drained.
  public func wait(
    for interest: Readiness = .bufferOrEvent, wake: WakeSignal? = nil, timeout: Duration? = nil
  ) throws(VideoDeviceError) -> Readiness {
    let file = try openFile(for: .poll)
    var events: Int32 = 0
    if interest.contains(.buffer) { events |= capabilities.bufferType?.isOutput == true ? POLLOUT : POLLIN }
    if interest.contains(.event) { events |= POLLPRI }
    do throws(Errno) {
      return Readiness(try file.wait(for: Int16(events), wake: wake, timeout: timeout))
    } catch {
      throw VideoDeviceError(error, .poll, path: path)
    }
  }
}

extension OpenFile {
  /// Calls `poll(2)`. If a signal interrupts it, continues for the remaining time.
  func wait(for events: Int16, wake: WakeSignal?, timeout: Duration?) throws(Errno) -> PollResult {
    let deadline = timeout.map { limit in
      let (sum, overflow) = kernel.now().addingReportingOverflow(max(0, limit.nanoseconds))
      return overflow ? Int64.max : sum
    }
    while true {
      do throws(Errno) {
        let left = deadline.map { max(0, $0 - kernel.now()) }
        return try kernel.poll(descriptor, events: events, wake: wake, timeout: left)
      } catch {
        if error != .interrupted { throw error }
      }
    }
  }
}
