/// The sort key of a Library of Congress Classification mark.
///
/// Follows the Library of Congress' Classification and Shelflisting Manual (G 60, G 63), in the order of Debian's `liblibrary-callnumber-lc-perl`
/// (`Library::CallNumber::LC`). The parts are: the letters; the number by its value, with its decimals as a fraction; up to three cutters, each a
/// letter and a decimal fraction; the rest, with numbers by their value. A missing part sorts before a present one. A part that is not a cutter, such
/// as a year, sorts before a further cutter.
enum CongressKey {
  private static let cutterLimit = 3

  /// - Parameter mark: the mark in upper case, without accents.
  /// - Returns: nil if `mark` is not a Library of Congress mark.
  static func key(_ mark: String) -> String? {
    var rest = mark.drop(while: \.isWhitespace)
    let letters = take(&rest) { ("A"..."Z").contains($0) }
    // No class begins with these letters.
    guard (1...3).contains(letters.count), let first = letters.first, !"IOXY".contains(first) else {
      return nil
    }
    skipSpaces(&rest)
    let number = take(&rest, isDigit)
    guard (1...4).contains(number.count) else { return nil }
    var parts = [letters + String(repeating: "0", count: 4 - number.count) + number + decimals(&rest)]
    if let ordinal = ordinal(&rest) { parts.append(ordinal) }
    for _ in 0..<cutterLimit {
      guard let cutter = cutter(&rest) else { break }
      parts.append(cutter)
    }
    skipSpaces(&rest)
    let extra = MarkTokens(rest).padded
    // A leading space sorts the rest, such as a year, before a further cutter, which begins with a letter.
    if !extra.isEmpty { parts.append(" " + extra) }
    return parts.joined(separator: " ")
  }

  private static func decimals(_ rest: inout Substring) -> String {
    var next = rest
    skipSpaces(&next)
    guard next.first == "." else { return "" }
    next.removeFirst()
    skipSpaces(&next)
    let digits = take(&next, isDigit)
    if !digits.isEmpty { rest = next }
    return digits
  }

  /// A number between the class and the first cutter, such as a year or `5TH`. Nil if there is none.
  private static func ordinal(_ rest: inout Substring) -> String? {
    var next = rest
    skipSpaces(&next)
    let digits = take(&next, isDigit)
    guard !digits.isEmpty else { return nil }
    let suffix = take(&next) { "STNDRH".contains($0) }
    rest = next
    return MarkTokens.padded((digits + suffix)[...])
  }

  /// A cutter: a letter and digits, with or without a point before it. Nil if there is none.
  private static func cutter(_ rest: inout Substring) -> String? {
    var next = rest
    skipSpaces(&next)
    if next.first == "." {
      next.removeFirst()
      skipSpaces(&next)
    }
    guard let letter = next.first, ("A"..."Z").contains(letter) else { return nil }
    next.removeFirst()
    skipSpaces(&next)
    let digits = take(&next, isDigit)
    guard !digits.isEmpty, next.first.map({ $0.isWhitespace || $0 == "." || $0.isLetter }) ?? true else {
      return nil
    }
    rest = next
    return "\(letter)\(digits)"
  }

  private static func skipSpaces(_ text: inout Substring) { text = text.drop(while: \.isWhitespace) }

  private static func take(_ text: inout Substring, _ holds: (Character) -> Bool) -> String {
    let taken = text.prefix(while: holds)
    text = text.dropFirst(taken.count)
    return String(taken)
  }

  private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }
}
