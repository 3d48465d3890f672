import System

/// Makes text from cameras, corpora, spines and backends safe for a terminal.
package enum PlainText {
  /// Replaces control and formatting characters, which could move the cursor or reverse the text, by spaces.
  package static func printable(_ text: String) -> String {
    TerminalText.printable(text)
  }

  /// One line of at most `columns`, in which East Asian letters and pictographs count as two. A cut is marked.
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

  /// Lines of at most `columns` characters, broken at spaces, but never inside a command in backticks. A longer word is not broken.
  package static func wrapped(_ text: String, columns: Int) -> [String] {
    var lines: [String] = []
    for word in words(printable(text)) where !word.isEmpty {
      if let last = lines.last, last.count + 1 + word.count <= columns {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// The line itself, or, if it is wider than `columns`, the line broken at its spaces. A wider word is not broken. Neither is a command,
  /// because people copy it: text in backticks, or a line that begins with `swiftwing`. Later lines have the indentation of the first.
  package static func broken(_ line: String, columns: Int) -> [String] {
    func columnsOf(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + width(of: $1) } }
    guard columnsOf(line) > columns else { return [line] }
    let indent = String(line.prefix { $0 == " " })
    let rest = line.dropFirst(indent.count)
    if rest.hasPrefix("swiftwing ") { return [line] }
    var (lines, current, used) = ([String](), indent, columnsOf(indent))
    for (number, word) in words(String(rest)).enumerated() {
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

  /// The words between spaces. A command in backticks counts as one word.
  private static func words(_ text: String) -> [Substring] {
    var words: [Substring] = []
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if let open = words.last, open.count(where: { $0 == "`" }) % 2 == 1,
        text[word.startIndex...].contains("`")
      {
        words[words.count - 1] = text[open.startIndex..<word.endIndex]
      } else {
        words.append(word)
      }
    }
    return words
  }

  static func width(of character: Character) -> Int {
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
