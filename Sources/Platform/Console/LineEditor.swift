import Glibc
import System

/// A line of text that a person edits on a terminal: arrow keys, Home, End, Backspace, Delete, and ^A, ^E, ^U, ^K, ^W. With Ctrl or Alt an
/// arrow moves by a word, as Alt-B and Alt-F do; Alt-D deletes the next word.
package struct LineEditor: Sendable, Equatable {
  /// The result of a key that ends the editing. A closed enumeration.
  package enum End: Sendable {
    /// Enter.
    case done
    /// ^C, ^D or ^G: the line is dropped.
    case dropped
  }

  /// The greatest number of characters. Further ones are ignored.
  private static let limit = 4000

  private var characters: [Character]
  /// The index of the character under the cursor.
  private var cursor: Int
  /// The bytes of an unfinished character or of an unfinished key.
  private var pending: [UInt8] = []

  /// Creates an editor with the cursor behind the text.
  package init(_ text: String) {
    characters = Array(PlainText.printable(text))
    cursor = characters.count
  }

  package var text: String { String(characters) }

  /// Edits a line at the terminal on standard input and output.
  /// - Returns: the edited text. Nil if it was dropped, or if there is no such terminal.
  package static func edit(_ text: String, prompt: String) -> String? {
    guard isatty(STDOUT_FILENO) == 1 else { return nil }
    let edited = QuietTerminal.during(STDIN_FILENO) { () -> String? in
      var editor = LineEditor(text)
      while true {
        let columns = TerminalWindow(STDOUT_FILENO)?.columns ?? 80
        Terminal.write(editor.drawing(prompt, columns: columns), to: STDOUT_FILENO)
        var byte: UInt8 = 0
        let count = read(STDIN_FILENO, &byte, 1)
        if count < 0, errno == EINTR { continue }
        guard let end = count == 1 ? editor.take(byte) : .dropped else { continue }
        Terminal.write([10], to: STDOUT_FILENO)
        return end == .done ? editor.text : nil
      }
    }
    return edited ?? nil
  }

  /// Takes a byte from the terminal.
  /// - Returns: nil while the editing goes on.
  package mutating func take(_ byte: UInt8) -> End? {
    if !pending.isEmpty || byte == 0x1B || byte >= 0x80 {
      takePart(byte)
      return nil
    }
    switch byte {
    case 10, 13: return .done
    case 3, 4, 7: return .dropped
    case 1: cursor = 0
    case 5: cursor = characters.count
    case 8, 127: remove(cursor - 1..<cursor)
    case 11: remove(cursor..<characters.count)
    case 21: remove(0..<cursor)
    case 23: remove(wordStart..<cursor)
    case 32...126: insert(Character(Unicode.Scalar(byte)))
    default: break
    }
    return nil
  }

  /// The bytes that draw the line in place. A line that is wider than the window shows the part around the cursor.
  package func drawing(_ prompt: String, columns: Int) -> [UInt8] {
    let room = max(1, columns - 1)
    func width(_ text: some Sequence<Character>) -> Int { text.reduce(0) { $0 + PlainText.width(of: $1) } }
    var first = 0
    while first < cursor, width(prompt) + width(characters[first..<cursor]) > room { first += 1 }
    let column = width(prompt) + width(characters[first..<cursor])
    let shown = PlainText.fitted(prompt + String(characters[first...]), columns: max(room, column))
    let move = column > 0 ? "\u{1B}[\(column)C" : ""
    return Array("\r\u{1B}[2K\(shown)\r\(move)".utf8)
  }

  /// Takes a byte of a character in UTF-8, or of a key that sends `ESC [ … letter` or `ESC O letter`.
  private mutating func takePart(_ byte: UInt8) {
    pending.append(byte)
    if pending[0] != 0x1B {
      let text = String(decoding: pending, as: UTF8.self)
      if !text.unicodeScalars.contains("\u{FFFD}") {
        for character in PlainText.printable(text) { insert(character) }
        pending = []
      } else if pending.count >= 4 {
        pending = []
      }
      return
    }
    guard pending.count > 1 else { return }
    let isKey = pending[1] == UInt8(ascii: "[") || pending[1] == UInt8(ascii: "O")
    guard isKey else {
      pressWithAlt(pending[1])
      pending = []
      return
    }
    guard pending.count > 2, (0x40...0x7E).contains(byte) || pending.count > 12 else { return }
    press(String(decoding: pending[2...], as: UTF8.self))
    pending = []
  }

  private mutating func press(_ key: String) {
    switch key {
    case "D": cursor = max(0, cursor - 1)
    case "C": cursor = min(characters.count, cursor + 1)
    case "H", "1~", "7~": cursor = 0
    case "F", "4~", "8~": cursor = characters.count
    case "3~": remove(cursor..<cursor + 1)
    case "1;5D", "1;3D": cursor = wordStart
    case "1;5C", "1;3C": cursor = wordEnd
    case "3;5~", "3;3~": remove(cursor..<wordEnd)
    default: break
    }
  }

  private mutating func pressWithAlt(_ key: UInt8) {
    switch key {
    case UInt8(ascii: "b"): cursor = wordStart
    case UInt8(ascii: "f"): cursor = wordEnd
    case UInt8(ascii: "d"): remove(cursor..<wordEnd)
    default: break
    }
  }

  /// The end of the word under or behind the cursor.
  private var wordEnd: Int {
    let word = characters[cursor...].firstIndex { $0 != " " } ?? characters.count
    return characters[word...].firstIndex(of: " ") ?? characters.count
  }

  /// The start of the word before the cursor.
  private var wordStart: Int {
    let space = characters[..<cursor].lastIndex { $0 != " " } ?? 0
    return characters[..<space].lastIndex(of: " ").map { $0 + 1 } ?? 0
  }

  private mutating func insert(_ character: Character) {
    guard characters.count < Self.limit else { return }
    characters.insert(character, at: cursor)
    cursor += 1
  }

  /// Removes the characters of the range that exist, and puts the cursor there.
  private mutating func remove(_ range: Range<Int>) {
    let range = range.clamped(to: 0..<characters.count)
    guard !range.isEmpty else { return }
    characters.removeSubrange(range)
    cursor = range.lowerBound
  }
}
