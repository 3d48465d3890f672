import Foundation
import Glibc
import System

/// A listening socket on a free port of 127.0.0.1.
enum Loopback {
  static func listen() -> (descriptor: CInt, url: String) {
    let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(listener, $0, size)
        _ = Glibc.listen(listener, 16)
        _ = getsockname(listener, $0, &size)
      }
    }
    return (listener, "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))")
  }
}

/// A server on 127.0.0.1 that answers each path with the given bytes, headers included. It stops when its owner releases it.
final class CannedServer: Sendable {
  let url: String
  private let listener: CInt
  private let asked = Locked<[String]>([])

  /// The requests received so far, complete.
  var requests: [String] { asked.withLock { $0 } }

  init(_ answers: [String: [UInt8]]) {
    let (listener, url) = Loopback.listen()
    self.listener = listener
    self.url = url
    let asked = asked
    Thread.detachNewThread {
      while case let connection = accept(listener, nil, nil), connection >= 0 {
        Self.answer(connection, answers, asked)
        close(connection)
      }
      close(listener)
    }
  }

  deinit { shutdown(listener, CInt(SHUT_RDWR)) }

  static func ok(_ body: [UInt8]) -> [UInt8] {
    Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\nConnection: close\r\n\r\n".utf8) + body
  }

  private static func answer(_ connection: CInt, _ answers: [String: [UInt8]], _ asked: Locked<[String]>) {
    var request = ""
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !request.contains("\r\n\r\n") {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      request += String(decoding: buffer[..<count], as: UTF8.self)
    }
    asked.withLock { $0.append(request) }
    let path = String(request.split(separator: " ").dropFirst().first ?? "")
    let answer =
      answers[path] ?? Array("HTTP/1.1 404 -\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
    _ = send(connection, answer, answer.count, CInt(MSG_NOSIGNAL))
  }
}
