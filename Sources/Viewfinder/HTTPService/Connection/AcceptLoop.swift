import Glibc
import System

/// The system calls of the loop, which tests replace.
package struct ListenerCalls: Sendable {
  /// Blocks until a client connects or the listener is shut.
  package var wait: @Sendable (CInt) -> Void = { listener in
    var descriptor = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    _ = poll(&descriptor, 1, -1)
  }
  /// Accepts a connection: returns its descriptor, or an `errno`.
  package var accept: @Sendable (CInt) -> (socket: CInt, reason: CInt) = { listener in
    let socket = Glibc.accept(listener, nil, nil)
    let reason = socket < 0 ? errno : 0
    if socket >= 0 { _ = fcntl(socket, F_SETFD, FD_CLOEXEC) }
    return (socket, reason)
  }
  /// Waits until the system may have recovered from a shortage.
  package var pause: @Sendable () -> Void = { usleep(100_000) }

  package init() {}
}

/// Accepts connections until the server is gone or stopped. The listener's descriptor is closed once neither the server nor the thread uses it,
/// so that its number is not reused while one of them does.
///
/// If the process may open no more files, `accept` fails at once, whether or not a client is waiting, and a waiting client stays in the queue. So
/// the loop polls first, and keeps a spare descriptor, which it gives up to accept and refuse that client.
package final class AcceptLoop: Sendable {
  private let listener: CInt
  private let calls: ListenerCalls
  private let spare = Locked(AcceptLoop.openSpare())

  package init(listener: CInt, calls: ListenerCalls = ListenerCalls()) {
    self.listener = listener
    self.calls = calls
  }

  deinit {
    close(listener)
    let spare = spare.withLock { $0 }
    if spare >= 0 { close(spare) }
  }

  package func stop() { shutdown(listener, CInt(SHUT_RDWR)) }

  /// - Parameters:
  ///   - take: takes over the socket of a client. Returns false if there is no server left.
  ///   - refuse: gets the socket of a client for whom there is no descriptor, and closes it before it returns.
  package func run(take: (CInt) -> Bool, refuse: (CInt) -> Void) {
    while true {
      calls.wait(listener)
      var (socket, reason) = calls.accept(listener)
      if reason == EMFILE || reason == ENFILE {
        reason = acceptWithSpare(refuse)
        if reason == 0 { continue }
      }
      if socket >= 0 {
        guard take(socket) else { return }
        continue
      }
      switch reason {
      case EINTR, ECONNABORTED: continue
      case EINVAL, EBADF, ENOTSOCK: return
      default: calls.pause()
      }
    }
  }

  /// - Returns: 0 if a client was refused, otherwise an `errno`.
  private func acceptWithSpare(_ refuse: (CInt) -> Void) -> CInt {
    spare.withLock { spare in
      if spare < 0 { spare = Self.openSpare() }
      guard spare >= 0 else { return EMFILE }
      close(spare)
      let (socket, reason) = calls.accept(listener)
      if socket >= 0 { refuse(socket) }
      spare = Self.openSpare()
      return reason
    }
  }

  private static func openSpare() -> CInt { open("/dev/null", O_RDONLY | O_CLOEXEC) }
}
