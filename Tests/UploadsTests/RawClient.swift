import Foundation
import Glibc

/// A client on 127.0.0.1 that sends arbitrary bytes, valid or not, and reads the answer.
final class RawClient: Sendable {
  private let socket: CInt

  /// Connects to a port of 127.0.0.1.
  /// - Parameter socket: a socket made before; nil to make one.
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
    // If a server never answers, the test fails instead of hanging.
    var patience = timeval(tv_sec: 120, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(socket) }

  /// Ends the connection, but keeps the descriptor open.
  func hangUp() { shutdown(socket, CInt(SHUT_RDWR)) }

  @discardableResult func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) -> Bool {
    Glibc.send(socket, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count
  }

  /// Sends a byte again and again until the server answers or closes the connection.
  func drip(_ byte: UInt8) {
    var answer: UInt8 = 0
    while send([byte]), recv(socket, &answer, 1, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT)) < 0,
      errno == EAGAIN
    {}
  }

  /// Returns the next answer without a body.
  func head() -> String { text(through: "\r\n\r\n") }

  /// Returns the text up to and including `end`, or all text if the connection ends before.
  func text(through end: String) -> String {
    var text = ""
    var byte: UInt8 = 0
    while !text.hasSuffix(end), recv(socket, &byte, 1, 0) == 1 {
      text.unicodeScalars.append(Unicode.Scalar(byte))
    }
    return text
  }

  /// Returns everything that the server sends until it closes the connection or a read times out.
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

/// Runs blocking work on a thread of its own, where it blocks no task.
func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: body()) }
  }
}
