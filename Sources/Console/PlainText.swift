import TerminalText

/// Text from cameras, corpora, spines and backends, made safe for a terminal.
package enum PlainText {
  /// Control and formatting characters, which could move the cursor or turn the text round, become spaces.
  package static func printable(_ text: String) -> String {
    TerminalText.printable(text)
  }

  /// One line of at most `columns`, where East Asian letters and pictures are two wide; what is left out is marked.
  package static func fitted(_ text: String, columns: Int) -> String {
    let text = printable(text)
    guard text.reduce(0, { $0 + Self.width(of: $1) }) > columns else { return text }
    var (cut, width) = ("", 1)
    for character in text {
      width += Self.width(of: character)
      guard width <= columns else { break }
      cut.append(character)
    }
    return cut + "…"
  }

  /// Lines of at most `columns` characters, broken at spaces where there are any.
  package static func wrapped(_ text: String, columns: Int) -> [String] {
    var lines: [String] = []
    for word in printable(text).split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= columns {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// A line as it is, or where it is wider than `columns`, broken at its spaces; a word that is wider stays whole. Lines after
  /// the first are indented as the first is.
  package static func broken(_ line: String, columns: Int) -> [String] {
    func columnsOf(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + width(of: $1) } }
    guard columnsOf(line) > columns else { return [line] }
    let indent = String(line.prefix { $0 == " " })
    var (lines, current, used) = ([String](), indent, columnsOf(indent))
    for (number, word) in line.dropFirst(indent.count).split(separator: " ", omittingEmptySubsequences: false)
      .enumerated()
    {
      let wide = columnsOf(word)
      if number > 0, used + 1 + wide > columns {
        lines.append(current)
        (current, used) = (indent + word, columnsOf(indent) + wide)
      } else {
        current += number > 0 ? " " + word : word
        used += (number > 0 ? 1 : 0) + wide
      }
    }
    return lines + [current]
  }

  private static func width(of character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    if scalar.properties.isEmojiPresentation { return 2 }
    return switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      2
    default: 1
    }
  }
}
