/// Writes a command that a person can copy into a shell (POSIX.1-2024, Shell Command Language, 2.2 Quoting). The shell reads each word literally
/// and runs nothing inside it.
package enum ShellCommand {
  /// The words of a command on one line, each quoted if necessary.
  package static func line(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

  /// An option and its value, written so that the value is not taken for another option: `--library 'my books'`, `--library=-x`.
  package static func option(_ name: String, _ value: String) -> String {
    line(value.begins(exactly: "-") ? ["\(name)=\(value)"] : [name, value])
  }

  /// The name of a file as an argument, written so that a name with a leading dash is not taken for an option.
  package static func file(_ path: String) -> String {
    quoted(path.begins(exactly: "-") ? "./\(path)" : path)
  }

  /// One quoted word. Characters that cannot be printed on a line, or would be misread, are written as bytes in `$'…'`; backticks too, because
  /// they enclose commands in sentences and in Markdown.
  package static func quoted(_ word: String) -> String {
    if !word.isEmpty, word.utf8.allSatisfy(isPlain) { return word }
    guard word.unicodeScalars.contains(where: isHidden) else {
      // By bytes: with a combining mark after it, a quotation mark is another character of Swift, but the same for a shell.
      let parts = word.utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
      return "'" + parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: #"'\''"#) + "'"
    }
    return "$'" + word.unicodeScalars.map(escaped).joined() + "'"
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122: true
    default: "@%+=:,./_-".utf8.contains(byte)
    }
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    if scalar == "`" { return true }
    return switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate: true
    default: false
    }
  }

  /// Octal numbers have three digits, so that no following digit is read as part of them.
  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    if scalar == "'" || scalar == #"\"# { return "\\\(scalar)" }
    guard isHidden(scalar) else { return String(scalar) }
    return UTF8.encode(scalar).map { bytes in
      bytes.map { byte in
        let digits = String(byte, radix: 8)
        return #"\"# + String(repeating: "0", count: 3 - digits.count) + digits
      }.joined()
    } ?? ""
  }
}
