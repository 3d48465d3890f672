/// Makes text from cameras, corpora, files, backends and the command line safe for a terminal. It does not use Foundation, because the viewfinder
/// links it.
package enum TerminalText {
  /// The text as one line: control and formatting characters, which could move the cursor or reverse the text, become spaces.
  package static func printable(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
      // Keep the joiners, which letters of Arabic and Indic words need. They do not move the cursor.
      if scalar.value == 0x200C || scalar.value == 0x200D { return scalar }
      return switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate: " "
      default: scalar
      }
    }
    return String(String.UnicodeScalarView(scalars))
  }

  /// The JSON text with the same meaning, in which no character moves the cursor or reverses text: control characters beyond ASCII, line ends of
  /// Unicode and direction marks are written as `\u` and four digits. They only occur in strings, where that is allowed (RFC 8259, section 7).
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

  /// Decodes a scalar of one to three bytes, if its first byte is that of a scalar to be
  /// escaped. For any other scalar, `code` is nil, and only the first byte is skipped.
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
