/// Finds the first line of a table, and from it the separator of values and the line ends.
struct DelimitedHead: Sendable {
  struct Found {
    /// The line without its line end.
    var bytes: [UInt8]
    /// The number of the line, counted from 1.
    var line: Int
    var divider: UInt8
    var endsInCarriageReturn: Bool
  }

  private var bytes: [UInt8] = []
  private var line = 1
  private var isQuoted = false
  private var hasReturn = false
  /// The separator given by a line such as `sep=;`.
  private var named: UInt8?

  private static let (quote, lineFeed) = (UInt8(ascii: "\""), UInt8(ascii: "\n"))
  private static let carriageReturn = UInt8(ascii: "\r")

  /// Takes the bytes of the line and its line end from `waiting`.
  mutating func take(_ waiting: inout [UInt8]) throws(ListTrouble) -> Found? {
    for (index, byte) in waiting.enumerated() {
      if hasReturn, byte != Self.lineFeed {
        if let found = endLine(isReturn: true) {
          waiting.removeFirst(index)
          return found
        }
      }
      if byte == Self.quote { isQuoted.toggle() }
      hasReturn = byte == Self.carriageReturn && !isQuoted
      if byte == Self.lineFeed, !isQuoted {
        guard let found = endLine(isReturn: false) else { continue }
        waiting.removeFirst(index + 1)
        return found
      }
      bytes.append(byte)
      guard bytes.count <= DelimitedReader.headLimit else {
        throw ListTrouble(line: line, reason: "its first line is over 64 KB")
      }
    }
    waiting = []
    return nil
  }

  mutating func end() -> Found? { endLine(isReturn: hasReturn) }

  /// Ends a line. Nil if the line has only white space and quotation marks, or only names the separator.
  private mutating func endLine(isReturn: Bool) -> Found? {
    while bytes.last == Self.carriageReturn { bytes.removeLast() }
    defer { (bytes, line, isQuoted, hasReturn) = ([], line + 1, false, false) }
    if bytes.allSatisfy({ $0 <= 0x20 || $0 == Self.quote }), !isQuoted { return nil }
    if let divider = Self.named(in: bytes) {
      named = divider
      return nil
    }
    return Found(
      bytes: bytes, line: line, divider: named ?? Self.divider(of: bytes), endsInCarriageReturn: isReturn)
  }

  private static func named(in bytes: [UInt8]) -> UInt8? {
    let text = bytes.filter { $0 != quote }
    guard text.count == 5, String(decoding: text.prefix(4), as: UTF8.self).lowercased() == "sep=" else {
      return nil
    }
    return text[4]
  }

  private static func divider(of line: [UInt8]) -> UInt8 {
    var (counts, isQuoted): ([UInt8: Int], Bool) = ([:], false)
    for byte in line {
      if byte == quote { isQuoted.toggle() }
      if !isQuoted, ",;\t|".utf8.contains(byte) { counts[byte, default: 0] += 1 }
    }
    return ",;\t|".utf8.max { counts[$0, default: 0] < counts[$1, default: 0] } ?? UInt8(ascii: ",")
  }
}
