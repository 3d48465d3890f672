import COpenSSL
import Glibc

/// The bytes of one connection, plain or through TLS. Used by its connection's thread alone, but for `shut`.
///
/// No call waits longer than its `Patience`: the socket never blocks, and waiting is done in `poll`.
///
/// `@unchecked Sendable`: `shut` is one `shutdown` call on a descriptor that stays open until `deinit`; nothing else is
/// called from another thread once the connection's has begun.
final class Channel: @unchecked Sendable {
  enum Trouble: Error { case ended, late }

  private let socket: CInt
  private let clock: SecondsClock
  private let limits: ServerLimits
  private var tls: OpaquePointer?

  init(socket: CInt, limits: ServerLimits = ServerLimits(), clock: @escaping SecondsClock = monotonicSeconds)
  {
    self.socket = socket
    self.limits = limits
    self.clock = clock
    var on: CInt = 1
    setsockopt(socket, CInt(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<CInt>.size))
    _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK)
  }

  deinit {
    if let tls { SSL_free(tls) }
    close(socket)
  }

  /// Speaks TLS from here on; whether the other side gets through the handshake.
  func secure(with certificate: ServerCertificate) -> Bool {
    guard let tls = SSL_new(certificate.context) else { return false }
    self.tls = tls
    let mode = SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
    SSL_ctrl(tls, SSL_CTRL_MODE, Int(mode), nil)
    guard SSL_set_fd(tls, socket) == 1 else { return false }
    var patience = Patience(seconds: limits.headSeconds)
    while true {
      let done = SSL_accept(tls)
      if done == 1 { return true }
      guard let events = wanted(tls, done), wait(for: events, &patience) else { return false }
    }
  }

  /// At least one byte and at most `count`.
  func read(_ count: Int, _ patience: inout Patience) throws(Trouble) -> [UInt8] {
    while true {
      if tls.map({ SSL_pending($0) == 0 }) ?? true {
        guard wait(for: POLLIN, &patience) else { throw .late }
      }
      var taken = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        taken = receive(buffer)
        initialized = max(taken, 0)
      }
      if taken > 0 { return bytes }
      guard let events = obstacle(taken, POLLIN) else { throw .ended }
      if events == POLLOUT, !wait(for: events, &patience) { throw .late }
    }
  }

  /// Whether all of it went out, at the pace that clients must take it with.
  func write(_ bytes: [UInt8]) -> Bool {
    var patience = Patience(
      seconds: limits.idleSeconds + Double(bytes.count) / limits.bytesPerSecond)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { buffer in
        tls.map { Int(SSL_write($0, buffer.baseAddress, CInt(clamping: buffer.count))) }
          ?? send(socket, buffer.baseAddress, buffer.count, CInt(MSG_NOSIGNAL))
      }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else {
        guard let events = obstacle(count, POLLOUT), wait(for: events, &patience) else { return false }
      }
    }
    return true
  }

  /// Says that nothing follows. Without it a client over TLS takes an answer that ends with its connection for a cut one.
  func sayGoodbye() { if let tls { SSL_shutdown(tls) } }

  /// Ends writing, and takes for a moment what still comes: a close before that would be a reset, which throws away what
  /// the client has not yet read of its answer.
  func dismiss() {
    sayGoodbye()
    shutdown(socket, CInt(SHUT_WR))
    var patience = Patience(seconds: ServerLimits.farewell)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while wait(for: POLLIN, &patience), recv(socket, &buffer, buffer.count, 0) > 0 {}
  }

  /// Ends reading and writing, from any thread.
  func shut() { shutdown(socket, CInt(SHUT_RDWR)) }

  /// The end of the channel is to be a reset, not an orderly close.
  func resetAtEnd() {
    var abrupt = linger(l_onoff: 1, l_linger: 0)
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &abrupt, socklen_t(MemoryLayout<linger>.size))
  }

  private func receive(_ buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    tls.map { Int(SSL_read($0, buffer.baseAddress, CInt(clamping: buffer.count))) }
      ?? recv(socket, buffer.baseAddress, buffer.count, 0)
  }

  /// What to wait for before a call that has returned `result` is repeated; `nil` when it never will do.
  private func obstacle(_ result: Int, _ plain: CInt) -> CInt? {
    if let tls { return wanted(tls, CInt(clamping: result)) }
    return result < 0 && (errno == EAGAIN || errno == EINTR) ? plain : nil
  }

  private func wanted(_ tls: OpaquePointer, _ result: CInt) -> CInt? {
    switch SSL_get_error(tls, result) {
    case SSL_ERROR_WANT_READ: POLLIN
    case SSL_ERROR_WANT_WRITE: POLLOUT
    default: nil
    }
  }

  /// Whether it came in time; trouble comes too.
  private func wait(for events: CInt, _ patience: inout Patience) -> Bool {
    while patience.seconds > 0 {
      let began = clock()
      var descriptor = pollfd(fd: socket, events: Int16(events), revents: 0)
      let milliseconds = min(patience.seconds * 1000, 86_400_000).rounded(.up)
      let count = poll(&descriptor, 1, CInt(milliseconds))
      patience.seconds -= clock() - began
      if count > 0 { return true }
      guard count == 0 || errno == EINTR else { return false }
    }
    return false
  }
}

/// `CLOCK_MONOTONIC`.
@Sendable func monotonicSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
