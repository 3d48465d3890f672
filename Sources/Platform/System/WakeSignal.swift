import CLinux
import Glibc

/// Wakes one blocked thread, from any thread, without loss: an `eventfd` that stays readable until drained.
public final class WakeSignal: Sendable {
  /// To be polled beside a device's descriptor.
  public let descriptor: Int32
  private let observer = Locked<(@Sendable () -> Void)?>(nil)

  /// - Throws: when the process may open no more files.
  public init() throws(ResourceShortage) {
    let made = linux_eventfd()
    guard made >= 0 else { throw ResourceShortage(.descriptor, errno: errno) }
    descriptor = made
  }

  deinit { close(descriptor) }

  /// Wakes the thread that polls `descriptor`, or the next that does. From any thread; never blocks.
  public func signal() {
    linux_eventfd_signal(descriptor)
    observer.withLock { $0 }?()
  }

  /// Whether a signal was pending; it is not any more.
  @discardableResult public func drain() -> Bool { linux_eventfd_drain(descriptor) }

  /// A clock that does not poll descriptors is told of signals this way.
  package func observe(_ action: (@Sendable () -> Void)?) {
    observer.withLock { $0 = action }
  }
}
