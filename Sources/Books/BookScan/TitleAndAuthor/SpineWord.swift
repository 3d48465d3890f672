struct SpineWord: Hashable {
  let text: String
  /// The word in lower case, without accents, and without punctuation at its ends.
  let core: String
  /// The index of the word's line, from 0.
  let line: Int
  /// The index of the word in its line, from 0.
  let place: Int
  /// The number of words of the line.
  let count: Int
  /// Whether a dot, a bar or a dash stands before the word.
  let isApart: Bool
  /// The free space before the word on its line, in heights of the line; nil for the first word, and if it is unknown.
  let gap: Double?

  /// Returns the words of one line. Signs that stand alone are no words, except "&" and "+".
  static func words(_ line: TextLine, place: Int) -> [SpineWord] {
    var found: [(text: Substring, isApart: Bool, gap: Double?)] = []
    var isApart = false
    let pieces = line.text.split(whereSeparator: \.isWhitespace)
    let gaps = line.gaps?.count == pieces.count - 1 ? line.gaps : nil
    for (index, piece) in pieces.enumerated() {
      let parts = piece.split(omittingEmptySubsequences: false, whereSeparator: { dividers.contains($0) })
      for (number, part) in parts.enumerated() {
        if number > 0 { isApart = true }
        guard part.contains(where: { $0.isLetter || $0.isNumber }) || part == "&" || part == "+" else {
          if part.count == 1, part.allSatisfy({ dashes.contains($0) }) { isApart = true }
          continue
        }
        found.append((part, isApart, number == 0 && index > 0 ? gaps?[index - 1] : nil))
        isApart = false
      }
    }
    return found.enumerated().map { index, word in
      SpineWord(
        text: String(word.text), core: core(word.text), line: place, place: index, count: found.count,
        isApart: word.isApart, gap: word.gap)
    }
  }

  /// Returns a text in lower case, without accents, and without punctuation at its ends.
  static func core(_ text: some StringProtocol) -> String {
    let bare = text.drop { !($0.isLetter || $0.isNumber) }
    let end = bare.lastIndex { $0.isLetter || $0.isNumber }
    return end.map { TitleScore.folded(String(bare[...$0])) } ?? TitleScore.folded(String(text))
  }

  enum Letters: Hashable { case none, capitals, capitalised, small }

  var letters: Letters {
    let letters = text.filter(\.isLetter)
    guard let first = letters.first else { return .none }
    if letters.allSatisfy(\.isUppercase) { return .capitals }
    return first.isUppercase ? .capitalised : .small
  }

  /// Whether the word is an initial: one letter, or several with a full stop each: "J", "J.R.R.".
  var isInitial: Bool {
    if core.count == 1 { return core.allSatisfy(\.isLetter) }
    guard text.contains("."), text.first != "." else { return false }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.dropLast().allSatisfy { $0.count == 1 && $0.allSatisfy(\.isLetter) }
      && (parts.last?.count ?? 0) <= 1 && (parts.last?.allSatisfy(\.isLetter) ?? true)
  }

  private static let dividers: Set<Character> = ["·", "•", "|", "●", "◆", "■", "\\"]
  private static let dashes: Set<Character> = ["/", "-", "–", "—", "*"]
}
