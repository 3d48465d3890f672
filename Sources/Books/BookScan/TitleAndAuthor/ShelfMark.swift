/// A library's shelf mark: the place where a book stands.
enum ShelfMark {
  /// Whether words look like a mark: a number, or a class in capitals, with what follows: "796.332 Bin", "813.54", "N Oru", "PZ7
  /// .R79".
  static func isLikely(_ words: [SpineWord]) -> Bool {
    guard (1...3).contains(words.count), let first = words.first, let last = words.last,
      words.allSatisfy({ $0.text.count <= 9 })
    else { return false }
    let (isNumber, isClass) = (isNumber(first.text), first.text.count <= 2 && first.letters == .capitals)
    if words.count == 1 { return isNumber && first.text.count != 4 || isClass }
    return (isNumber || isClass) && last.text.count <= 4
      && (last.letters == .capitalised || last.text.contains(where: \.isNumber) || isNumber)
  }

  /// Whether words are certainly a mark: a number that begins with three digits, then two or three letters of a name, or up to
  /// four if the number has a decimal point. Titles hardly ever look like this.
  static func isSure(_ words: [SpineWord]) -> Bool {
    guard words.count == 2, isNumber(words[0].text) else { return false }
    let most = words[0].text.contains(where: { $0 == "." || $0 == "," }) ? 4 : 3
    guard (2...most).contains(words[1].text.count) else { return false }
    return words[1].text.allSatisfy(\.isLetter) && words[1].letters != .small
  }

  /// Whether words are one line of a mark that is set in several lines: "DA", "30", ".P4", "v. 6".
  static func isPiece(_ words: [SpineWord]) -> Bool {
    let letters = words.reduce(0) { $0 + $1.core.count }
    guard (1...2).contains(words.count), letters <= 5 else { return false }
    return words.contains { $0.text.contains(where: \.isNumber) }
      || words.allSatisfy { $0.letters == .capitals && $0.core.count <= 3 }
  }

  private static func isNumber(_ text: String) -> Bool {
    text.count >= 3 && text.prefix(3).allSatisfy(\.isNumber) && text.allSatisfy { !$0.isLetter }
  }
}
