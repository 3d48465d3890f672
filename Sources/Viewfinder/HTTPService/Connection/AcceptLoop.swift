import Glibc
import System

/// What the loop asks of the system.
package struct ListenerCalls: Sendable {
  /// Blocks until somebody is there, or the listener has been shut.
  package var wait: @Sendable (CInt) -> Void = { listener in
    var descriptor = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    _ = poll(&descriptor, 1, -1)
  }
  /// A connection's descriptor, or why there is none (`errno`).
  package var accept: @Sendable (CInt) -> (socket: CInt, reason: CInt) = { listener in
    let socket = Glibc.accept(listener, nil, nil)
    let reason = socket < 0 ? errno : 0
    if socket >= 0 { _ = fcntl(socket, F_SETFD, FD_CLOEXEC) }
    return (socket, reason)
  }
  /// Until the system may have again what it lacks.
  package var pause: @Sendable () -> Void = { usleep(100_000) }

  package init() {}
}

/// Takes connections until the server is gone or stopped. The descriptor is closed when neither the server nor the
/// thread has it any more, so that its number is nobody else's while one of them does.
///
/// Where the process may open no more files, `accept` fails at once, whether somebody is there or not, and whoever is there stays
/// there. So the loop waits first, and keeps a descriptor that it gives up to tell the client.
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
  ///   - take: has the socket from then on; whether there is still somebody to serve.
  ///   - refuse: has the socket of a client for whom there is no descriptor, and closes it before it returns.
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

  /// - Returns: 0 when a client was refused, or why none could be.
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
