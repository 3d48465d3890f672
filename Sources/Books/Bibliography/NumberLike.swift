/// Recognises text that a spreadsheet reads as a number, a date or a truth value and then writes differently: `007`, `11.22.63`, `1/2`, `1e5`,
/// `March 1`, `true`.
enum NumberLike {
  /// The first three letters of the months in European languages.
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
    // A spreadsheet does not change a whole number that it displays in full.
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

  /// Whether the text is like `1e5` or `50%`.
  private static func isPower(_ text: Substring) -> Bool {
    guard text.utf8.first.map(isDigit) == true else { return false }
    return text.allSatisfy { $0.isASCII && ($0.isNumber || "e%+".contains($0)) }
  }
}
