import Glibc
import Locking

/// The buttons of a dock: an input device of the kernel, such as `/dev/input/by-id/usb-…-event-kbd`.
public final class DockButtons: Sendable {
  /// Why a device cannot be listened to, as a sentence.
  public struct Failure: Error, Hashable, CustomStringConvertible {
    /// What was to be done, with what, and why it cannot be.
    public let description: String
  }

  private let wake: WakeSignal
  private let thread: NamedThread

  /// Listens until ``end()``, or until the device is gone.
  /// - Parameters:
  ///   - path: of the device.
  ///   - tell: called on a thread of its own; hand it to ``DockController/note(_:)``.
  public init(path: String, tell: @escaping @Sendable (DockEvent) -> Void) throws(Failure) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      let reason = String(cString: strerror(errno))
      throw Failure(
        description: "cannot listen to \(path): \(reason); the group input may read it, or a rule of udev")
    }
    do throws(ResourceShortage) {
      let wake = try WakeSignal()
      self.wake = wake
      thread = try NamedThread(name: "dock-buttons") {
        Self.listen(to: descriptor, wake: wake, tell)
        close(descriptor)
      }
    } catch {
      close(descriptor)
      throw Failure(description: "cannot listen to \(path): \(error)")
    }
  }

  /// Listens no more. Once.
  public func end() {
    wake.signal()
    thread.join()
  }

  private static func listen(to descriptor: Int32, wake: WakeSignal, _ tell: (DockEvent) -> Void) {
    var rules = ButtonRules()
    var buffer = [UInt8](repeating: 0, count: 64 * InputEvent.size)
    while true {
      var waits = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&waits, 2, -1) >= 0 || errno == EINTR else { return }
      if waits[1].revents != 0 { return }
      guard waits[0].revents != 0 else { continue }
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EAGAIN || errno == EINTR { continue }
      // None is the end: it was unplugged.
      guard count > 0 else { return }
      for event in InputEvent.events(in: buffer.prefix(count)) {
        if let meaning = rules.meaning(of: event) { tell(meaning) }
      }
    }
  }
}
