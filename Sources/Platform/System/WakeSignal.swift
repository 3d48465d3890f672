import CLinux
import Glibc

/// Wakes one blocked thread from any thread, without losing a signal: an `eventfd` that stays readable until it is drained.
public final class WakeSignal: Sendable {
  /// The descriptor to poll beside a device's descriptor.
  public let descriptor: Int32
  private let observer = Locked<Observer?>(nil)

  /// A closure in a structure: by itself, it would be converted, and memory allocated, each time it is read.
  private struct Observer { let action: @Sendable () -> Void }

  /// - Throws: an error if the process may open no more files.
  public init() throws(ResourceShortage) {
    let made = linux_eventfd()
    guard made >= 0 else { throw ResourceShortage(.descriptor, errno: errno) }
    descriptor = made
  }

  deinit { close(descriptor) }

  /// Wakes the thread that polls `descriptor`, or the next one that does. May be called from any thread; never blocks.
  public func signal() {
    linux_eventfd_signal(descriptor)
    observer.withLock { $0 }?.action()
  }

  /// Clears a pending signal.
  /// - Returns: whether there was one.
  @discardableResult public func drain() -> Bool { linux_eventfd_drain(descriptor) }

  /// Sets an action that is called on each signal, for a clock that does not poll descriptors.
  package func observe(_ action: (@Sendable () -> Void)?) {
    observer.withLock { $0 = action.map(Observer.init) }
  }
}
