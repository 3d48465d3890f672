import COpenSSL
import FoundationEssentials

/// The handshake that turns a connection into a WebSocket (RFC 6455, section 4).
package enum WebSocketHandshake {
  /// The server's answer to a handshake.
  /// - Parameter subprotocol: the protocol to choose, if the client offers it.
  /// - Returns: nil if the request is not a handshake of this version.
  package static func answer(to request: IncomingRequest, choosing subprotocol: String? = nil) -> [UInt8]? {
    guard request.method == "GET", request.isPersistent, request.list("upgrade").contains("websocket"),
      request.list("connection").contains("upgrade"), request.headers["sec-websocket-version"] == "13",
      let key = request.headers["sec-websocket-key"], isKey(key), let accept = accept(key)
    else { return nil }
    let offered = (request.headers["sec-websocket-protocol"] ?? "").utf8.split(separator: UInt8(ascii: ","))
    var head =
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(accept)\r\n"
    if let subprotocol, offered.contains(where: { $0.drop { $0 == 32 }.elementsEqual(subprotocol.utf8) }) {
      head += "Sec-WebSocket-Protocol: \(subprotocol)\r\n"
    }
    return Array("\(head)\r\n".utf8)
  }

  /// Performs the handshake of a client.
  /// - Parameters:
  ///   - path: the path of the request, such as `/channel`.
  ///   - headers: additional headers. The caller must ensure that they are valid.
  /// - Returns: the bytes after the answer, which belong to the frames.
  /// - Throws: the status of a server that refuses; 0 if it sends no valid answer in ten seconds.
  package static func ask(
    _ channel: Channel, host: String, path: String, headers: [String: String]
  ) throws(Refusal) -> [UInt8] {
    let key = makeKey()
    var head = "GET \(path) HTTP/1.1\r\nHost: \(host)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    head += "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: \(key)\r\n"
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) { head += "\(name): \(value)\r\n" }
    guard channel.write(Array("\(head)\r\n".utf8), within: 10) else { throw Refusal(status: 0) }
    var (answer, patience) = ([UInt8](), Patience(seconds: 10))
    while true {
      if let end = answer.firstIndex(of: [13, 10, 13, 10]) {
        try judge(String(decoding: answer[..<end], as: UTF8.self), key)
        return Array(answer[(end + 4)...])
      }
      guard answer.count <= 1 << 14, let bytes = try? channel.read(1 << 12, &patience) else {
        throw Refusal(status: 0)
      }
      answer += bytes
    }
  }

  /// A server's refusal of the handshake.
  package struct Refusal: Error { package let status: Int }

  private static func judge(_ head: String, _ key: String) throws(Refusal) {
    let lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
    let words = (lines.first ?? "").split(separator: " ")
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
      throw Refusal(status: 0)
    }
    guard status == 101 else { throw Refusal(status: status) }
    let name = "sec-websocket-accept:"
    let given = lines.first { $0.lowercased().hasPrefix(name) }?.dropFirst(name.utf8.count)
    guard let given, let expected = accept(key), given.drop(while: { $0 == " " }) == expected else {
      throw Refusal(status: 0)
    }
  }

  /// The value of `Sec-WebSocket-Accept`, which proves that the server has read the key.
  package static func accept(_ key: String) -> String? {
    let text = Array("\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)
    var digest = [UInt8](repeating: 0, count: 20)
    guard EVP_Digest(text, text.count, &digest, nil, EVP_sha1(), nil) == 1 else { return nil }
    return Data(digest).base64EncodedString()
  }

  /// A client's key: 16 random bytes in Base64.
  package static func makeKey() -> String {
    var generator = SystemRandomNumberGenerator()
    return Data((0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }).base64EncodedString()
  }

  /// Whether the key has the form of sixteen bytes in Base64.
  private static func isKey(_ key: String) -> Bool {
    key.utf8.count == 24 && key.hasSuffix("==")
      && key.utf8.dropLast(2).allSatisfy {
        (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 43 || $0 == 47
      }
  }
}
