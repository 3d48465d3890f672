/// A request as the server reads it: HTTP/1.1 with a `Content-Length` (RFC 9112), within bounds.
struct Request {
  var method = ""
  /// Without the query.
  var path = ""
  /// Names in lower case.
  var headers: [String: String] = [:]
  var body: [UInt8] = []

  enum Trouble: Error { case ended, malformed, tooLarge }

  static let headLimit = 1 << 16
  static let bodyLimit = 80 << 20
}

/// Reads request after request from a channel.
struct RequestReader {
  let channel: Channel
  private var buffer: [UInt8] = []

  init(channel: Channel) { self.channel = channel }

  /// - Parameter onBody: called before each piece of the body is read.
  mutating func next(onBody: (Request) -> Void = { _ in }) throws(Request.Trouble) -> Request {
    var request = try Self.parse(head: try head())
    guard let length = Int(request.headers["content-length"] ?? "0"), length >= 0,
      request.headers["transfer-encoding"] == nil
    else { throw .malformed }
    guard length <= Request.bodyLimit else { throw .tooLarge }
    while buffer.count < length {
      onBody(request)
      try fill(upTo: min(1 << 16, length - buffer.count))
    }
    request.body = Array(buffer[..<length])
    buffer.removeFirst(length)
    return request
  }

  /// The bytes before the first empty line, which is taken too.
  private mutating func head() throws(Request.Trouble) -> [UInt8] {
    let end = Array("\r\n\r\n".utf8)
    while true {
      if let start = buffer.firstIndex(of: end) {
        defer { buffer.removeFirst(start + end.count) }
        return Array(buffer[..<start])
      }
      guard buffer.count <= Request.headLimit else { throw .tooLarge }
      try fill(upTo: 1 << 14)
    }
  }

  private mutating func fill(upTo count: Int) throws(Request.Trouble) {
    let bytes = channel.read(count)
    guard !bytes.isEmpty else { throw .ended }
    buffer += bytes
  }

  private static func parse(head: [UInt8]) throws(Request.Trouble) -> Request {
    let lines = String(decoding: head, as: UTF8.self).split(
      separator: "\r\n", omittingEmptySubsequences: false)
    let words = lines[0].split(separator: " ")
    guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { throw .malformed }
    var request = Request(method: String(words[0]), path: String(words[1].prefix { $0 != "?" }))
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { throw .malformed }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      request.headers[line[..<colon].lowercased()] = String(value)
    }
    return request
  }
}

extension [UInt8] {
  /// Where `pattern` first occurs from `start` on.
  func firstIndex(of pattern: [UInt8], from start: Int = 0) -> Int? {
    guard let first = pattern.first, count >= pattern.count else { return nil }
    var at = start
    while at <= count - pattern.count, let found = self[at...].firstIndex(of: first) {
      guard found <= count - pattern.count else { return nil }
      if self[found..<found + pattern.count].elementsEqual(pattern) { return found }
      at = found + 1
    }
    return nil
  }
}
