/// Converts the bytes of a text file to UTF-8 as they arrive: from UTF-8 or UTF-16, with or without a byte order mark, as spreadsheets write
/// them.
///
/// Without a mark, a zero among the first two bytes indicates UTF-16, because a list of books begins with an ASCII letter. Invalid UTF-16 is
/// converted to a byte that UTF-8 never has; the next reader reports this byte with its line.
package struct UnicodeReader: Sendable {
  private enum Encoding { case utf8, bigEndian, littleEndian }

  private var head: [UInt8] = []
  private var encoding: Encoding?
  /// The first byte of a unit whose second has not arrived yet.
  private var half: UInt8?
  /// The first surrogate of a pair.
  private var high: UInt16?

  private static let invalid: UInt8 = 0xFF

  package init() {}

  package mutating func decode(_ bytes: some Collection<UInt8>) -> [UInt8] {
    guard encoding == nil else { return text(bytes) }
    head += bytes
    return head.count < 3 ? [] : begin()
  }

  /// Returns the remaining bytes at the end of the file.
  package mutating func end() -> [UInt8] {
    let text = encoding == nil ? begin() : []
    return half == nil && high == nil ? text : text + [Self.invalid]
  }

  private mutating func begin() -> [UInt8] {
    let (encoding, mark) = Self.encoding(head)
    self.encoding = encoding
    defer { head = [] }
    return text(head.dropFirst(mark))
  }

  private static func encoding(_ head: [UInt8]) -> (Encoding, mark: Int) {
    if head.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    if head.starts(with: [0xFF, 0xFE]) { return (.littleEndian, 2) }
    if head.starts(with: [0xFE, 0xFF]) { return (.bigEndian, 2) }
    guard head.count > 1 else { return (.utf8, 0) }
    return (head[0] == 0 ? .bigEndian : head[1] == 0 ? .littleEndian : .utf8, 0)
  }

  private mutating func text(_ bytes: some Collection<UInt8>) -> [UInt8] {
    if encoding == .utf8 { return Array(bytes) }
    var text: [UInt8] = []
    for byte in bytes {
      guard let first = half else {
        half = byte
        continue
      }
      half = nil
      let (large, small) = encoding == .bigEndian ? (first, byte) : (byte, first)
      take(UInt16(large) << 8 | UInt16(small), &text)
    }
    return text
  }

  private mutating func take(_ unit: UInt16, _ text: inout [UInt8]) {
    if let first = high {
      high = nil
      if (0xDC00...0xDFFF).contains(unit) {
        let value = 0x10000 + (UInt32(first) - 0xD800) << 10 + UInt32(unit) - 0xDC00
        return append(value, &text)
      }
      text.append(Self.invalid)
    }
    switch unit {
    case 0xD800...0xDBFF: high = unit
    case 0xDC00...0xDFFF: text.append(Self.invalid)
    default: append(UInt32(unit), &text)
    }
  }

  private func append(_ value: UInt32, _ text: inout [UInt8]) {
    guard let scalar = Unicode.Scalar(value) else { return text.append(Self.invalid) }
    text += UTF8.encode(scalar).map(Array.init) ?? [Self.invalid]
  }
}
