import COpenSSL
import Glibc
import System

/// The bytes of one connection, plain or over TLS. One thread may read and one may write (or the same thread both); any thread may call `shut`.
///
/// No call waits longer than its `Patience`: the socket is non-blocking, and all waiting is done in `poll`.
///
/// `@unchecked Sendable`: the descriptor stays open until `deinit`, and several threads may make system calls on it. `secure` sets `tls` before
/// any other thread has the channel, and every OpenSSL call on `tls` is made while holding `gate`.
package final class Channel: @unchecked Sendable {
  package enum Trouble: Error { case ended, late }

  private let socket: CInt
  private let clock: SecondsClock
  private let limits: ServerLimits
  private var tls: OpaquePointer?
  /// Serialises calls on OpenSSL's connection, which only one thread may use at a time, although one thread reads while another writes.
  private let gate = Locked(())

  package init(
    socket: CInt, limits: ServerLimits = ServerLimits(), clock: @escaping SecondsClock = monotonicSeconds
  ) {
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

  /// Starts TLS as the server.
  /// - Returns: whether the client completed the handshake.
  package func secure(with certificate: ServerCertificate) -> Bool {
    guard let tls = begin(certificate.context) else { return false }
    return shakeHands { SSL_accept(tls) }
  }

  /// Starts TLS as a client.
  /// - Parameter host: the name or IPv4 address that the server's certificate must name.
  /// - Returns: whether the other side is the trusted server.
  package func secure(asClientOf host: String, _ trust: ChannelTrust) -> Bool {
    guard let tls = begin(trust.context), trust.prepare(tls, host: host) else { return false }
    return shakeHands { SSL_connect(tls) } && trust.accepts(tls)
  }

  private func begin(_ context: OpaquePointer) -> OpaquePointer? {
    guard let tls = SSL_new(context) else { return nil }
    self.tls = tls
    let mode = SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
    SSL_ctrl(tls, SSL_CTRL_MODE, Int(mode), nil)
    return SSL_set_fd(tls, socket) == 1 ? tls : nil
  }

  private func shakeHands(_ step: () -> CInt) -> Bool {
    guard let tls else { return false }
    var patience = Patience(seconds: limits.headSeconds)
    while true {
      let done = step()
      if done == 1 { return true }
      guard let events = wanted(tls, done), wait(for: events, &patience) else { return false }
    }
  }

  /// Reads at least one byte and at most `count`.
  package func read(_ count: Int, _ patience: inout Patience) throws(Trouble) -> [UInt8] {
    while true {
      if tls.map({ pending($0) == 0 }) ?? true {
        guard wait(for: POLLIN, &patience) else { throw .late }
      }
      var step = Step.ended
      let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        step = receive(buffer)
        if case .moved(let taken) = step { initialized = taken }
      }
      switch step {
      case .moved: return bytes
      case .ended: throw .ended
      case .blocked(let events):
        if events == POLLOUT, !wait(for: events, &patience) { throw .late }
      }
    }
  }

  /// Writes the bytes at the pace that clients must keep up with.
  /// - Returns: whether all of them were sent.
  package func write(_ bytes: [UInt8]) -> Bool {
    write(bytes, within: limits.idleSeconds + Double(bytes.count) / limits.bytesPerSecond)
  }

  /// Writes the bytes, waiting for the client at most `seconds` in total.
  /// - Returns: whether all of them were sent.
  package func write(_ bytes: [UInt8], within seconds: Double) -> Bool {
    var patience = Patience(seconds: seconds)
    var rest = bytes[...]
    while !rest.isEmpty {
      switch rest.withUnsafeBytes(transmit) {
      case .moved(let count): rest = rest.dropFirst(count)
      case .ended: return false
      case .blocked(let events): guard wait(for: events, &patience) else { return false }
      }
    }
    return true
  }

  /// Limits the unsent bytes in the kernel to about `bytes`. Pictures should wait in this process instead, where a newer one replaces them.
  package func limitBacklog(to bytes: Int) {
    var size = CInt(clamping: bytes)
    setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<CInt>.size))
  }

  /// Tells a TLS client that nothing follows. Otherwise the client takes an answer that ends with the connection for a truncated answer.
  package func sayGoodbye() { if let tls { _ = gate.withLock { _ in SSL_shutdown(tls) } } }

  /// Ends writing, and continues to read.
  package func endWriting() {
    sayGoodbye()
    shutdown(socket, CInt(SHUT_WR))
  }

  /// Ends writing, and discards incoming bytes for a moment. Closing earlier would reset the connection, which discards what the client has not
  /// yet read of its answer.
  package func dismiss() {
    endWriting()
    var patience = Patience(seconds: ServerLimits.farewell)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while wait(for: POLLIN, &patience), recv(socket, &buffer, buffer.count, 0) > 0 {}
  }

  /// Waits until the other side has closed its half or the connection, or the channel was shut. Incoming bytes are discarded; after too many of them,
  /// this returns too. For a connection on which nothing more is expected.
  package func awaitEnd() {
    var (left, buffer) = (1 << 16, [UInt8](repeating: 0, count: 1 << 12))
    while left > 0 {
      var descriptor = pollfd(fd: socket, events: Int16(POLLIN) | Self.hungUp, revents: 0)
      guard poll(&descriptor, 1, -1) > 0 else {
        if errno == EINTR { continue }
        return
      }
      guard descriptor.revents & ~Int16(POLLIN) == 0 else { return }
      switch buffer.withUnsafeMutableBufferPointer({ receive($0) }) {
      case .moved(let count): left -= count
      case .blocked: continue
      case .ended: return
      }
    }
  }

  /// `POLLRDHUP`, which only Linux has.
  private static let hungUp: Int16 = 0x2000

  /// Ends reading and writing. May be called from any thread.
  package func shut() { shutdown(socket, CInt(SHUT_RDWR)) }

  /// Makes the end of the channel a reset instead of an orderly close.
  package func resetAtEnd() {
    var abrupt = linger(l_onoff: 1, l_linger: 0)
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &abrupt, socklen_t(MemoryLayout<linger>.size))
  }

  /// The result of one system call.
  private enum Step {
    case moved(Int)
    /// The call must be repeated after these `poll` events.
    case blocked(CInt)
    case ended
  }

  private func pending(_ tls: OpaquePointer) -> CInt { gate.withLock { _ in SSL_pending(tls) } }

  private func receive(_ buffer: UnsafeMutableBufferPointer<UInt8>) -> Step {
    guard let tls else { return step(recv(socket, buffer.baseAddress, buffer.count, 0), POLLIN) }
    return gate.withLock { _ in
      step(tls, SSL_read(tls, buffer.baseAddress, CInt(clamping: buffer.count)))
    }
  }

  private func transmit(_ buffer: UnsafeRawBufferPointer) -> Step {
    guard let tls else {
      return step(send(socket, buffer.baseAddress, buffer.count, CInt(MSG_NOSIGNAL)), POLLOUT)
    }
    return gate.withLock { _ in
      step(tls, SSL_write(tls, buffer.baseAddress, CInt(clamping: buffer.count)))
    }
  }

  private func step(_ result: Int, _ events: CInt) -> Step {
    if result > 0 { return .moved(result) }
    return result < 0 && (errno == EAGAIN || errno == EINTR) ? .blocked(events) : .ended
  }

  private func step(_ tls: OpaquePointer, _ result: CInt) -> Step {
    if result > 0 { return .moved(Int(result)) }
    return wanted(tls, result).map { .blocked($0) } ?? .ended
  }

  private func wanted(_ tls: OpaquePointer, _ result: CInt) -> CInt? {
    switch SSL_get_error(tls, result) {
    case SSL_ERROR_WANT_READ: POLLIN
    case SSL_ERROR_WANT_WRITE: POLLOUT
    default: nil
    }
  }

  /// Whether the event occurred in time. An error counts as the event.
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

/// The seconds of `CLOCK_MONOTONIC`.
@Sendable package func monotonicSeconds() -> Double { KernelClock.seconds(CLOCK_MONOTONIC) }
