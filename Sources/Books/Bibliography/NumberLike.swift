/// Text that a spreadsheet takes for a number, a date or a truth value, and writes otherwise: `007`, `11.22.63`, `1/2`, `1e5`, `March 1`, `true`.
enum NumberLike {
  /// The first letters of the months in languages of Europe.
  private static let months: Set<String> = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mär", "mai", "okt",
    "dez", "jän",
    "fév", "avr", "jui", "aoû", "déc", "ene", "abr", "ago", "dic", "gen", "mag", "giu", "lug", "set", "ott",
    "fev", "out",
    "maj", "mrt", "mei",
  ]

  static func holds(_ text: String) -> Bool {
    guard text.utf8.count <= 40 else { return false }
    let text = text.lowercased()
    if text == "true" || text == "false" { return true }
    let parts = text.split { " -/.,:".contains($0) }
    let words = parts.filter { !isNumber($0) }
    // A whole number that a spreadsheet shows in full is written as it was.
    if words.isEmpty, parts.count == 1, parts[0].count == text.count {
      return text.utf8.count > 11 || (text.hasPrefix("0") && text != "0")
    }
    guard words.count < parts.count || words.contains(where: isPower) else { return false }
    return words.allSatisfy { word in
      ["am", "pm", "%", "€", "$", "£"].contains(word) || months.contains(String(word.prefix(3)))
        || isPower(word)
    }
  }

  private static func isNumber(_ text: Substring) -> Bool { text.utf8.allSatisfy(isDigit) }

  /// Such as `1e5` and `50%`.
  private static func isPower(_ text: Substring) -> Bool {
    guard text.utf8.first.map(isDigit) == true else { return false }
    return text.allSatisfy { $0.isASCII && ($0.isNumber || "e%+".contains($0)) }
  }
}
