/// Parses the incoming frames of a WebSocket (RFC 6455, section 5) into messages. A value without a socket.
///
/// The parser is strict: frames from a client must be masked and those from a server not, reserved bits must be zero, control frames must be
/// short and unfragmented, and text must be UTF-8. Its buffer is bounded by the largest message.
package struct WebSocketFrames {
  package enum Sender: Sendable { case client, server }

  package enum Event: Equatable, Sendable {
    case text([UInt8])
    case binary([UInt8])
    case ping([UInt8])
    case pong([UInt8])
    /// The status that the other side sent (section 7.4), or 1005 if it sent none.
    case close(UInt16)
  }

  /// An error that ends the connection. Its raw value is the close status.
  package enum Trouble: UInt16, Error, Sendable {
    case malformed = 1002
    case notText = 1007
    case tooLarge = 1009
  }

  private let sender: Sender
  private let limit: Int
  private var buffer: [UInt8] = []
  private var message: [UInt8] = []
  /// The opcode of the current message: 1 for text, 2 for binary. Nil between messages.
  private var kind: UInt8?
  /// The protocol error of the other side. Nothing is parsed after it.
  package private(set) var trouble: Trouble?

  /// - Parameter limit: the maximum size of a message in bytes.
  package init(from sender: Sender, limit: Int) { (self.sender, self.limit) = (sender, limit) }

  /// - Returns: the events that are complete now, in order. An error after them sets `trouble`, so that the result does not depend on how the
  ///   bytes were split.
  /// - Throws: an error if no complete event precedes it. Every later call throws the same error.
  package mutating func take(_ bytes: [UInt8]) throws(Trouble) -> [Event] {
    if let trouble { throw trouble }
    buffer += bytes
    var events: [Event] = []
    do throws(Trouble) {
      try unpack(into: &events)
    } catch {
      trouble = error
      buffer = []
      message = []
      if events.isEmpty { throw error }
    }
    return events
  }

  private mutating func unpack(into events: inout [Event]) throws(Trouble) {
    var used = 0
    while let head = try head(at: used), buffer.count - used >= head.size + head.length {
      let start = used + head.size
      var payload = Array(buffer[start..<start + head.length])
      if let mask = head.mask { for index in payload.indices { payload[index] ^= mask[index & 3] } }
      used = start + head.length
      if let event = try event(head, payload) { events.append(event) }
    }
    buffer.removeFirst(used)
  }

  private struct Head {
    var code: UInt8
    var isFinal: Bool
    var length: Int
    /// The number of bytes before the payload.
    var size: Int
    var mask: [UInt8]?
  }

  /// The head of a frame. Nil until it is complete.
  private func head(at start: Int) throws(Trouble) -> Head? {
    let bytes = buffer[start...]
    guard bytes.count >= 2 else { return nil }
    let (first, second) = (buffer[start], buffer[start + 1])
    let (code, isMasked) = (first & 0x0F, second & 0x80 != 0)
    guard first & 0x70 == 0, isMasked == (sender == .client), [0, 1, 2, 8, 9, 10].contains(code) else {
      throw .malformed
    }
    let short = Int(second & 0x7F)
    guard code < 8 || (first & 0x80 != 0 && short < 126) else { throw .malformed }
    let extra = short == 126 ? 2 : short == 127 ? 8 : 0
    let size = 2 + extra + (isMasked ? 4 : 0)
    guard bytes.count >= size else { return nil }
    var length = UInt64(short)
    if extra > 0 {
      length = buffer[start + 2..<start + 2 + extra].reduce(0) { $0 << 8 | UInt64($1) }
      // Only the shortest encoding of a length is allowed.
      guard length >= (extra == 2 ? 126 : 65_536), length >> 63 == 0 else { throw .malformed }
    }
    guard code >= 8 || length <= UInt64(max(limit - message.count, 0)) else { throw .tooLarge }
    let mask = isMasked ? Array(buffer[start + 2 + extra..<start + size]) : nil
    return Head(code: code, isFinal: first & 0x80 != 0, length: Int(length), size: size, mask: mask)
  }

  private mutating func event(_ head: Head, _ payload: [UInt8]) throws(Trouble) -> Event? {
    switch head.code {
    case 8: return .close(try Self.status(payload))
    case 9: return .ping(payload)
    case 10: return .pong(payload)
    case 0: guard kind != nil else { throw .malformed }
    default:
      guard kind == nil else { throw .malformed }
      kind = head.code
    }
    message += payload
    guard head.isFinal else { return nil }
    defer { (message, kind) = ([], nil) }
    guard kind == 1 else { return .binary(message) }
    guard String(validating: message, as: UTF8.self) != nil else { throw .notText }
    return .text(message)
  }

  private static func status(_ payload: [UInt8]) throws(Trouble) -> UInt16 {
    guard !payload.isEmpty else { return 1005 }
    guard payload.count >= 2 else { throw .malformed }
    let status = UInt16(payload[0]) << 8 | UInt16(payload[1])
    guard (1000...1003).contains(status) || (1007...1014).contains(status) || (3000...4999).contains(status)
    else {
      throw .malformed
    }
    guard String(validating: payload[2...], as: UTF8.self) != nil else { throw .notText }
    return status
  }
}

extension WebSocketFrames {
  /// A whole message or control frame, as one frame.
  /// - Parameter mask: nil for a server; four random bytes for a client.
  package static func frame(_ event: Event, mask: [UInt8]? = nil) -> [UInt8] {
    let (code, payload): (UInt8, [UInt8]) =
      switch event {
      case .text(let bytes): (1, bytes)
      case .binary(let bytes): (2, bytes)
      case .close(let status): (8, status == 1005 ? [] : [UInt8(status >> 8), UInt8(status & 255)])
      case .ping(let bytes): (9, bytes)
      case .pong(let bytes): (10, bytes)
      }
    var frame: [UInt8] = []
    frame.reserveCapacity(payload.count + 14)
    frame.append(0x80 | code)
    let bit: UInt8 = mask == nil ? 0 : 0x80
    switch payload.count {
    case ..<126: frame.append(bit | UInt8(payload.count))
    case ..<65_536: frame += [bit | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
    default:
      frame.append(bit | 127)
      for shift in stride(from: 56, through: 0, by: -8) { frame.append(UInt8(payload.count >> shift & 255)) }
    }
    guard let mask, mask.count == 4 else { return frame + payload }
    frame += mask
    for (index, byte) in payload.enumerated() { frame.append(byte ^ mask[index & 3]) }
    return frame
  }
}
