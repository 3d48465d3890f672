import HTTPService

/// Writes a body of unknown length in chunks (RFC 9112, section 7.1), in the gzip format if requested. For a client of HTTP/1.0, which does not
/// support chunks, the body ends with the connection.
struct ChunkedBody {
  let channel: Channel
  let isChunked: Bool
  private var gzip: GzipFraming?

  init(channel: Channel, gzipped: Bool, chunked: Bool = true) {
    self.channel = channel
    isChunked = chunked
    gzip = gzipped ? GzipFraming() : nil
  }

  mutating func write(_ text: String) -> Bool { put(gzip?.block(Array(text.utf8)) ?? Array(text.utf8)) }

  mutating func end() -> Bool {
    if let trailer = gzip?.end(), !put(trailer) { return false }
    return !isChunked || channel.write(Array("0\r\n\r\n".utf8))
  }

  private func put(_ bytes: [UInt8]) -> Bool {
    guard isChunked else { return channel.write(bytes) }
    return channel.write(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10])
  }
}

/// Writes the gzip format (RFC 1952) with stored blocks (RFC 1951, section 3.2.4), so that each block can be decoded when it arrives.
struct GzipFraming {
  private var hasBegun = false
  private var crc: UInt32 = 0xFFFF_FFFF
  private var size: UInt32 = 0

  mutating func block(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = hasBegun ? [] : [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    hasBegun = true
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(65_535)
      rest = rest.dropFirst(piece.count)
      output += [0] + Self.littleEndian(UInt16(piece.count)) + Self.littleEndian(~UInt16(piece.count)) + piece
    }
    for byte in bytes { crc = Self.table[Int((crc ^ UInt32(byte)) & 0xFF)] ^ (crc >> 8) }
    size &+= UInt32(truncatingIfNeeded: bytes.count)
    return output
  }

  mutating func end() -> [UInt8] {
    let head = block([])
    return head + [1, 0, 0, 255, 255] + Self.littleEndian(~crc) + Self.littleEndian(size)
  }

  private static func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { crc, _ in crc & 1 == 1 ? 0xEDB8_8320 ^ (crc >> 1) : crc >> 1 }
  }
}
