/// A request as the server parses it (RFC 9112), strictly: whatever two parsers could read differently is malformed.
package struct IncomingRequest {
  package var method = ""
  /// The path without the query.
  package var path = ""
  /// The query without the question mark, not decoded. Empty if there is none.
  package var query = ""
  /// The headers, with names in lower case. Repeated headers are joined by commas.
  package var headers: [String: String] = [:]
  package var body: [UInt8] = []
  /// Whether the connection can stay open: HTTP/1.1 or later, without `Connection: close`. The answer may then be chunked, and more requests may
  /// follow.
  package var isPersistent = true
  /// The part of the upload budget that `body` uses.
  package var share: Share?

  package enum Trouble: Error, Equatable {
    case ended, malformed, tooLarge, unknownLength, late, busy

    /// The status of the answer. Nil if the client is gone.
    package var status: Int? {
      switch self {
      case .ended: nil
      case .malformed: 400
      case .late: 408
      case .unknownLength: 411
      case .tooLarge: 413
      case .busy: 503
      }
    }

    /// The reason and the remedy, as a clause for the answer.
    package var reason: String {
      switch self {
      case .ended: "the client is gone"
      case .malformed: "it is not valid HTTP; send one of HTTP/1.1"
      case .late: "it came too slowly; send it again"
      case .unknownLength: "it has a body without Content-Length; send that header"
      case .tooLarge: "it is too large; send less"
      case .busy: "too many others are being read; try again soon"
      }
    }
  }

  package static let headLimit = 1 << 16
  package static let bodyLimit = 80 << 20
}

extension IncomingRequest {
  /// - Parameter head: the request line and the headers, without the empty line at the end.
  package init(head: [UInt8]) throws(Trouble) {
    let lines = try Self.lines(of: head)
    let version = try readRequestLine(lines[0])
    for line in lines.dropFirst() { try readHeader(line) }
    guard version == "0" || headers["host"] != nil else { throw .malformed }
    isPersistent = version != "0" && !list("connection").contains("close")
  }

  /// The number of bytes after the head (RFC 9112, section 6.3). Repeated lengths must be equal.
  package func bodyLength(limit: Int = IncomingRequest.bodyLimit) throws(Trouble) -> Int {
    guard headers["transfer-encoding"] == nil else {
      throw headers["content-length"] == nil ? .unknownLength : .malformed
    }
    guard let text = headers["content-length"] else { return 0 }
    let lengths = Set(text.split(separator: ",", omittingEmptySubsequences: false).map(Self.trimmed))
    guard lengths.count == 1, let digits = lengths.first, !digits.isEmpty,
      digits.utf8.allSatisfy({ (48...57).contains($0) })
    else { throw .malformed }
    guard let length = Int(digits), length <= limit else { throw .tooLarge }
    return length
  }

  /// The elements of a header's list, in lower case.
  package func list(_ header: String) -> [String] {
    (headers[header] ?? "").split(separator: ",").map { Self.trimmed($0).lowercased() }
  }

  /// Splits the head at CR LF. A CR or LF alone and a NUL are refused (RFC 9112, section 2.2).
  private static func lines(of head: [UInt8]) throws(Trouble) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var rest = head[...]
    while true {
      let line = rest.prefix { $0 != 13 }
      guard !line.contains(10), !line.contains(0) else { throw .malformed }
      lines.append(line)
      rest = rest[line.endIndex...]
      if rest.isEmpty { return lines }
      guard rest.starts(with: [13, 10]) else { throw .malformed }
      rest = rest.dropFirst(2)
    }
  }

  /// - Returns: the last digit of the HTTP version.
  private mutating func readRequestLine(_ line: ArraySlice<UInt8>) throws(Trouble) -> String {
    let words = line.split(separator: 32, omittingEmptySubsequences: false)
    guard words.count == 3, HTTPToken.isOne(words[0]), !words[1].isEmpty,
      words[1].allSatisfy({ (33...126).contains($0) }), words[2].count == 8,
      words[2].starts(with: Array("HTTP/1.".utf8)), let digit = words[2].last, (48...57).contains(digit)
    else { throw .malformed }
    method = String(decoding: words[0], as: UTF8.self)
    let target = words[1].split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    path = String(decoding: target[0], as: UTF8.self)
    query = target.count > 1 ? String(decoding: target[1], as: UTF8.self) : ""
    return String(decoding: [digit], as: UTF8.self)
  }

  /// Reads a header line. A space before the colon and a folded line are refused (sections 5.1 and 5.2).
  private mutating func readHeader(_ line: ArraySlice<UInt8>) throws(Trouble) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), HTTPToken.isOne(line[..<colon]) else {
      throw .malformed
    }
    let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
    let value = Self.trimmed(Substring(decoding: line[(colon + 1)...], as: UTF8.self))
    guard let first = headers[name] else {
      headers[name] = value
      return
    }
    guard !Self.single.contains(name) else { throw .malformed }
    headers[name] = "\(first), \(value)"
  }

  /// Headers that must not be repeated.
  private static let single: Set<String> = [
    "host", "origin", "content-type", "idempotency-key", "last-event-id",
  ]

  private static func trimmed(_ text: Substring) -> String {
    let rest = text.unicodeScalars.drop { $0 == " " || $0 == "\t" }
    let end = rest.lastIndex { $0 != " " && $0 != "\t" }.map(rest.index(after:)) ?? rest.startIndex
    return String(rest[..<end])
  }
}

/// A token (RFC 9110, section 5.6.2), the syntax of methods and header names.
package enum HTTPToken {
  package static func isOne(_ bytes: ArraySlice<UInt8>) -> Bool {
    !bytes.isEmpty
      && bytes.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
          || "!#$%&'*+-.^_`|~".utf8.contains(byte)
      }
  }
}
