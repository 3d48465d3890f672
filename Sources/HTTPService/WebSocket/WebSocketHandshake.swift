import COpenSSL

/// How a connection becomes a WebSocket (RFC 6455, section 4).
package enum WebSocketHandshake {
  /// The server's answer.
  /// - Returns: nil where the request asks for no WebSocket of this version.
  package static func answer(to request: Request) -> [UInt8]? {
    guard request.method == "GET", request.isPersistent, request.list("upgrade").contains("websocket"),
      request.list("connection").contains("upgrade"), request.headers["sec-websocket-version"] == "13",
      let key = request.headers["sec-websocket-key"], isKey(key), let accept = accept(key)
    else { return nil }
    return Array(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(accept)\r\n\r\n"
        .utf8)
  }

  /// What proves that the server has understood a key.
  package static func accept(_ key: String) -> String? {
    let text = Array("\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)
    var digest = [UInt8](repeating: 0, count: 20)
    guard EVP_Digest(text, text.count, &digest, nil, EVP_sha1(), nil) == 1 else { return nil }
    return base64(digest)
  }

  /// A client's key: 16 random bytes.
  package static func makeKey() -> String {
    var generator = SystemRandomNumberGenerator()
    return base64((0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })
  }

  /// Sixteen bytes in base64.
  private static func isKey(_ key: String) -> Bool {
    key.utf8.count == 24 && key.hasSuffix("==")
      && key.utf8.dropLast(2).allSatisfy {
        (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 43 || $0 == 47
      }
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    var text = [UInt8](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
    let count = EVP_EncodeBlock(&text, bytes, CInt(bytes.count))
    return String(decoding: text.prefix(Int(count)), as: UTF8.self)
  }
}
