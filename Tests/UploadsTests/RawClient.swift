import Foundation
import Glibc

/// A client on 127.0.0.1 that sends what it is told, however wrong, and reads what comes.
final class RawClient: Sendable {
  private let socket: CInt

  /// - Parameter socket: one made beforehand; by itself one of its own.
  init(port: UInt16, socket given: CInt? = nil) {
    socket = given ?? Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let (socket, size) = (socket, socklen_t(MemoryLayout<sockaddr_in>.size))
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = connect(socket, $0, size) }
    }
    // So that a server that never answers fails a test, and does not hang it.
    var patience = timeval(tv_sec: 120, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(socket) }

  /// Ends the connection, and keeps its descriptor.
  func hangUp() { shutdown(socket, CInt(SHUT_RDWR)) }

  @discardableResult func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) -> Bool {
    Glibc.send(socket, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count
  }

  /// A byte after the other until the server answers or lets go; nothing when it never does.
  func drip(_ byte: UInt8) {
    var answer: UInt8 = 0
    while send([byte]), recv(socket, &answer, 1, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT)) < 0,
      errno == EAGAIN
    {}
  }

  /// The next answer without a body.
  func head() -> String { text(through: "\r\n\r\n") }

  /// What comes up to and with `end`, or all when that never does.
  func text(through end: String) -> String {
    var text = ""
    var byte: UInt8 = 0
    while !text.hasSuffix(end), recv(socket, &byte, 1, 0) == 1 {
      text.unicodeScalars.append(Unicode.Scalar(byte))
    }
    return text
  }

  /// All until the server closes; without its end when that takes too long.
  func rest() -> (text: String, isClosed: Bool) {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(socket, &buffer, buffer.count, 0)
      guard count > 0 else {
        return (String(decoding: bytes, as: UTF8.self), count == 0 || errno == ECONNRESET)
      }
      bytes += buffer[..<count]
    }
  }
}

/// Runs what blocks where it keeps nobody from running.
func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: body()) }
  }
}
