import Glibc
import System

/// The buttons of a dock: an input device of the kernel, such as `/dev/input/by-id/usb-…-event-kbd`.
public final class DockButtons: Sendable {
  /// The reason why a device cannot be used, as a sentence.
  public struct Failure: Error, Hashable, CustomStringConvertible {
    /// The action, the device and the reason of the failure.
    public let description: String
  }

  private let wake: WakeSignal
  private let thread: NamedThread

  /// Listens until ``end()``. While the device is gone, for example a wireless one that sleeps, its path is tried once a second.
  /// - Parameters:
  ///   - path: the path of the device; one in `/dev/input/by-id` stays the same when the device comes back.
  ///   - tell: called on a thread of its own; pass the event to ``DockController/note(_:)``.
  /// - Throws: an error if the device cannot be opened now, is no input device, or has none of the keys.
  public init(path: String, tell: @escaping @Sendable (DockEvent) -> Void) throws(Failure) {
    let descriptor = Self.open(path)
    guard descriptor >= 0 else {
      let code = errno
      let reason = String(cString: strerror(code))
      let advice =
        code == EACCES
        ? "join the group input, or add a udev rule that lets you read the device"
        : "`ls /dev/input/by-id` lists the input devices"
      throw Failure(description: "cannot listen to \(path): \(reason); \(advice)")
    }
    if let reason = InputDevice.refusal(of: descriptor) {
      close(descriptor)
      throw Failure(description: "cannot listen to \(path): \(reason)")
    }
    do throws(ResourceShortage) {
      let wake = try WakeSignal()
      self.wake = wake
      thread = try NamedThread(name: "dock-buttons") {
        Self.follow(path, from: descriptor, wake: wake, tell)
      }
    } catch {
      close(descriptor)
      throw Failure(description: "cannot listen to \(path): \(error)")
    }
  }

  /// Stops listening. May be called once.
  public func end() {
    wake.signal()
    thread.join()
  }

  private static func open(_ path: String) -> Int32 { Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }

  private static func follow(
    _ path: String, from first: Int32, wake: WakeSignal, _ tell: (DockEvent) -> Void
  ) {
    var (descriptor, rules) = (first, ButtonRules())
    while true {
      if descriptor >= 0 {
        let isOver = listen(to: descriptor, wake: wake, &rules, tell)
        close(descriptor)
        if isOver { return }
      }
      var wait = pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&wait, 1, 1000) > 0 { return }
      descriptor = open(path)
    }
  }

  /// - Returns: true if listening was ended; false if the device is gone.
  private static func listen(
    to descriptor: Int32, wake: WakeSignal, _ rules: inout ButtonRules, _ tell: (DockEvent) -> Void
  ) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 64 * InputEvent.size)
    while true {
      var waits = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&waits, 2, -1) >= 0 || errno == EINTR else { return true }
      if waits[1].revents != 0 { return true }
      guard waits[0].revents != 0 else { continue }
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EAGAIN || errno == EINTR { continue }
      // No bytes mean the end: the device was unplugged.
      guard count > 0 else { return false }
      for event in InputEvent.events(in: buffer.prefix(count)) {
        if let meaning = rules.meaning(of: event) { tell(meaning) }
      }
    }
  }
}
