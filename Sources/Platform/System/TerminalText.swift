/// Text from cameras, corpora, files, backends and the command line, made safe for a terminal. Without Foundation: the
/// viewfinder links it.
package enum TerminalText {
  /// One line: control and formatting characters, which could move the cursor or turn the text round, become spaces.
  package static func printable(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
      // Letters of Arabic and Indic words join or do not by these; nothing moves by them.
      if scalar.value == 0x200C || scalar.value == 0x200D { return scalar }
      return switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate: " "
      default: scalar
      }
    }
    return String(String.UnicodeScalarView(scalars))
  }

  /// A JSON text that means the same, and in which nothing moves a cursor or turns text round: control characters beyond ASCII, line ends of
  /// Unicode and marks of direction stand as `\u` and four digits. They can stand in strings alone, where that is allowed (RFC 8259, section 7).
  package static func escaped(json bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(where: { [0x7F, 0xC2, 0xD8, 0xE2].contains($0) }) else { return bytes }
    var (result, at) = ([UInt8](), 0)
    result.reserveCapacity(bytes.count + 64)
    while at < bytes.count {
      let (code, length) = letter(in: bytes, at)
      if let code, moves(code) {
        let digits = String(code, radix: 16)
        result += Array("\\u\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)".utf8)
      } else {
        result += bytes[at..<at + length]
      }
      at += length
    }
    return result
  }

  /// The letters of one to three bytes that begin as those do which are looked for; nil for others, whose first byte is passed over.
  private static func letter(in bytes: [UInt8], _ at: Int) -> (code: UInt32?, length: Int) {
    let first = UInt32(bytes[at])
    func next(_ offset: Int) -> UInt32? {
      guard at + offset < bytes.count, bytes[at + offset] & 0xC0 == 0x80 else { return nil }
      return UInt32(bytes[at + offset] & 0x3F)
    }
    switch first {
    case 0x7F: return (first, 1)
    case 0xC2, 0xD8:
      guard let second = next(1) else { return (nil, 1) }
      return ((first & 0x1F) << 6 | second, 2)
    case 0xE2:
      guard let second = next(1), let third = next(2) else { return (nil, 1) }
      return ((first & 0x0F) << 12 | second << 6 | third, 3)
    default: return (nil, 1)
    }
  }

  private static func moves(_ code: UInt32) -> Bool {
    switch code {
    case 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
