/// A cell of a table that a spreadsheet may open, protected so that it is not run as a formula.
///
/// A spreadsheet takes a value for a formula if it begins with `=`, `+`, `-`, `@` or their full-width forms, a tab or a carriage return (OWASP, "CSV
/// Injection"). In locales where the semicolon separates values, a formula may also begin after a semicolon. Writing puts an apostrophe before such a
/// sign, even if an apostrophe is there already, and reading removes one apostrophe. So no formula is run, and reading restores the value.
package enum CSVCell {
  /// - Parameter divider: the sign between two values of a row: a comma or a semicolon, for example.
  package static func write(_ value: String, divider: Unicode.Scalar = ",") -> String {
    let text = edited(value) { $0.append("'") }
    guard text.unicodeScalars.contains(where: { $0 == divider || "\";\t\n\r".unicodeScalars.contains($0) })
    else {
      return text
    }
    // Compare scalars, since a combining mark may follow a quotation mark.
    let doubled = text.unicodeScalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] }
    return "\"\(String(String.UnicodeScalarView(doubled)))\""
  }

  package static func read(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "'")) else { return text }
    return edited(text) { kept in
      if kept.last == "'" { kept.removeLast() }
    }
  }

  /// Protects a text from being read as a number or a date: puts an apostrophe before a text that a spreadsheet would take for one.
  package static func text(_ value: String) -> String {
    NumberLike.holds(String(value.drop { $0 == "'" })) ? "'\(value)" : value
  }

  /// The inverse of ``text(_:)``.
  static func plain(_ text: String) -> String {
    text.hasPrefix("'") && NumberLike.holds(String(text.drop { $0 == "'" })) ? String(text.dropFirst()) : text
  }

  /// - Parameter edit: called before each sign that begins a formula, with the text so far.
  private static func edited(
    _ text: String, _ edit: (inout String.UnicodeScalarView) -> Void
  ) -> String {
    var kept = String.UnicodeScalarView()
    /// `isBeginning`: whether a formula may begin at the next character. `isFirst`: whether no semicolon was seen. Only apostrophes may precede a
    /// formula at the beginning of the text; after a semicolon, also quotation marks and spaces.
    var (isBeginning, isFirst) = (true, true)
    for scalar in text.unicodeScalars {
      if isBeginning, isSign(scalar) { edit(&kept) }
      switch scalar {
      case ";": (isBeginning, isFirst) = (true, false)
      case "'": break
      case "\"", " ": isBeginning = isBeginning && !isFirst
      default: isBeginning = false
      }
      kept.append(scalar)
    }
    return String(kept)
  }

  private static func isSign(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "=", "+", "-", "@", "\t", "\r", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}": true
    default: false
    }
  }
}
