import COpenSSL
import Glibc

/// The bytes of one connection, plain or through TLS. Used by its connection's thread alone, but for `shut`.
///
/// `@unchecked Sendable`: `shut` is one `shutdown` call on a descriptor that stays open until `deinit`; nothing else is
/// called from another thread.
final class Channel: @unchecked Sendable {
  private let socket: CInt
  private let tls: OpaquePointer?

  /// `nil` when the other side does not get through the TLS handshake.
  init?(socket: CInt, certificate: ServerCertificate?) {
    self.socket = socket
    var on: CInt = 1
    setsockopt(socket, CInt(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<CInt>.size))
    var idle = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &idle, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &idle, socklen_t(MemoryLayout<timeval>.size))
    tls = certificate.flatMap { SSL_new($0.context) }
    if let tls, SSL_set_fd(tls, socket) != 1 || SSL_accept(tls) != 1 { return nil }
  }

  deinit {
    if let tls { SSL_free(tls) }
    close(socket)
  }

  /// At most `count` bytes; empty at the end or after trouble.
  func read(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      let taken =
        tls.map { Int(SSL_read($0, buffer.baseAddress, CInt(count))) }
        ?? recv(socket, buffer.baseAddress, count, 0)
      initialized = max(taken, 0)
    }
  }

  /// Whether all of it went out.
  func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { buffer in
        tls.map { Int(SSL_write($0, buffer.baseAddress, CInt(clamping: buffer.count))) }
          ?? send(socket, buffer.baseAddress, buffer.count, CInt(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Ends reading and writing, from any thread.
  func shut() { shutdown(socket, CInt(SHUT_RDWR)) }

  /// The end of the channel is to be a reset, not an orderly close.
  func resetAtEnd() {
    var abrupt = linger(l_onoff: 1, l_linger: 0)
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &abrupt, socklen_t(MemoryLayout<linger>.size))
  }
}
