/// One value in a table that a spreadsheet may open, and what keeps it from being run.
///
/// A value that begins with `=`, `+`, `-`, `@` or their full-width forms, a tab or a carriage return is a formula to a spreadsheet (OWASP,
/// "CSV Injection"). So is what follows a semicolon, where that divides values and not the comma. Such a sign gets an apostrophe before it,
/// and so does one that has an apostrophe already; reading takes one away from there. So nothing is run, and nothing is lost on the way back.
package enum CSVCell {
  /// - Parameter divider: what stands between values.
  package static func write(_ value: String, divider: Unicode.Scalar = ",") -> String {
    let text = edited(value) { $0.append("'") }
    guard text.unicodeScalars.contains(where: { $0 == divider || "\";\t\n\r".unicodeScalars.contains($0) })
    else {
      return text
    }
    // By scalars: a mark may stand on a quotation mark.
    let doubled = text.unicodeScalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] }
    return "\"\(String(String.UnicodeScalarView(doubled)))\""
  }

  package static func read(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "'")) else { return text }
    return edited(text) { kept in
      if kept.last == "'" { kept.removeLast() }
    }
  }

  /// A text that must stay one: what a spreadsheet would take for a number or a date gets an apostrophe too.
  package static func text(_ value: String) -> String {
    NumberLike.holds(String(value.drop { $0 == "'" })) ? "'\(value)" : value
  }

  /// What ``text(_:)`` was given.
  static func plain(_ text: String) -> String {
    text.hasPrefix("'") && NumberLike.holds(String(text.drop { $0 == "'" })) ? String(text.dropFirst()) : text
  }

  /// - Parameter edit: gets what stands before a sign that begins a formula.
  private static func edited(
    _ text: String, _ edit: (inout String.UnicodeScalarView) -> Void
  ) -> String {
    var kept = String.UnicodeScalarView()
    /// Whether a value may begin here: at the very beginning after apostrophes, behind a semicolon after quotation marks and spaces too.
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
