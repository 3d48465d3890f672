/// The frames of a WebSocket (RFC 6455, section 5) as they come, made into messages. A value; it knows no socket.
///
/// It is strict: a frame of a client must be masked and one of a server not, no reserved bit may be set, control frames are short and whole,
/// text is UTF-8. What it keeps is bounded by the largest message.
package struct WebSocketFrames {
  /// Who sent the bytes.
  package enum Sender: Sendable { case client, server }

  package enum Event: Equatable, Sendable {
    case text([UInt8])
    case binary([UInt8])
    case ping([UInt8])
    case pong([UInt8])
    /// With the status that the other side gave (section 7.4), 1005 where it gave none.
    case close(UInt16)
  }

  /// What ends the connection; its number is the status to close it with.
  package enum Trouble: UInt16, Error, Sendable {
    case malformed = 1002
    case notText = 1007
    case tooLarge = 1009
  }

  private let sender: Sender
  private let limit: Int
  private var buffer: [UInt8] = []
  private var message: [UInt8] = []
  /// Of the message under way: 1 is text, 2 binary; nil between messages.
  private var kind: UInt8?
  /// What the other side has done wrong; nothing is read after it.
  package private(set) var trouble: Trouble?

  /// - Parameter limit: bytes of the largest message.
  package init(from sender: Sender, limit: Int) { (self.sender, self.limit) = (sender, limit) }

  /// - Returns: what is complete now, in its order. Where a fault follows it in these bytes, that is `trouble`, so that it does not matter in
  ///   which pieces the bytes came.
  /// - Throws: a fault before which nothing is complete, and again each time from then on.
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
    /// Bytes before the payload.
    var size: Int
    var mask: [UInt8]?
  }

  /// Nil until all of it has come.
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
      // The shortest form is the only one.
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
  /// A whole message, or a control frame, as one frame.
  /// - Parameter mask: nil of a server; a client masks with four random bytes.
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
