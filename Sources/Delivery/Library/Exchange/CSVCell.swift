/// One value in a file of comma-separated values, and what keeps spreadsheets from running it.
///
/// A value that begins with `=`, `+`, `-`, `@`, a tab or a carriage return is a formula to a spreadsheet (OWASP, "CSV
/// Injection"). Such a value gets an apostrophe before it, and so does one that has apostrophes before such a beginning; reading
/// takes one away from there. So nothing is run, and nothing is lost on the way back.
enum CSVCell {
  static func write(_ value: String) -> String {
    let text = isDangerous(value) ? "'\(value)" : value
    guard text.utf8.contains(where: { $0 == 34 || $0 == 44 || $0 == 10 || $0 == 13 }) else { return text }
    return "\"\(text.replacing("\"", with: "\"\""))\""
  }

  static func read(_ text: String) -> String {
    text.utf8.first == UInt8(ascii: "'") && isDangerous(text) ? String(text.dropFirst()) : text
  }

  /// After any apostrophes.
  private static func isDangerous(_ text: String) -> Bool {
    let first = text.utf8.first { $0 != UInt8(ascii: "'") }
    return first.map { "=+-@\t\r".utf8.contains($0) } ?? false
  }
}
