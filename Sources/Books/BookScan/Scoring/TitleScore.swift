import Foundation

/// Decides whether a title was read: at least 80 % of the title's words must be read, each within an edit distance of 20 % of the
/// word's length.
public enum TitleScore {
  /// Returns the words of a text: letters and digits only, in lower case, without diacritics.
  public static func words(_ text: String) -> [String] {
    folded(text).split { !($0.isLetter || $0.isNumber) }.map(String.init)
  }

  /// Returns a text in lower case, without diacritics.
  static func folded(_ text: String) -> String {
    var cleaned = String.UnicodeScalarView()
    for scalar in text.decomposedStringWithCompatibilityMapping.unicodeScalars
    where scalar.properties.canonicalCombiningClass == .notReordered {
      cleaned.append(scalar)
    }
    return String(cleaned).lowercased().precomposedStringWithCanonicalMapping
  }

  /// Returns the words of a title that are compared: the words of three letters and more, or all words if there are none of
  /// these. Text in parentheses is left out, because it is not printed on the spine.
  public static func titleWords(_ title: String) -> [String] {
    let words = words(title.replacing(/\([^)]*\)/, with: " "))
    let long = words.filter { $0.count >= 3 }
    return long.isEmpty ? words : long
  }
}

/// Read text in which titles are looked for.
public struct ReadText {
  private let words: [[Character]]
  private let joined: [[Character]]

  /// Creates a text.
  /// - Parameter lines: the read lines, in any order. A word that is divided between two lines is not found.
  public init(_ lines: [String]) {
    let split = lines.map { TitleScore.words($0) }
    words = Set(split.joined()).map(Array.init)
    joined = split.map { Array($0.joined()) }
  }

  /// Returns how much of a title was read.
  /// - Returns: the share of the title's words that were read, 0…1; nil for a title without words.
  public func share(of title: String) -> Double? {
    let wanted = TitleScore.titleWords(title)
    guard !wanted.isEmpty else { return nil }
    return Double(wanted.count { has($0) }) / Double(wanted.count)
  }

  /// Whether at least 80 % of the title's words were read. False for a title without words.
  public func holds(_ title: String) -> Bool { (share(of: title) ?? 0) >= 0.8 - 1e-9 }

  private func has(_ word: String) -> Bool {
    let word = Array(word)
    let allowance = word.count / 5
    if words.contains(where: {
      abs($0.count - word.count) <= allowance && Self.distance(word, $0, isWithin: false) <= allowance
    }) {
      return true
    }
    guard word.count >= 4 else { return false }
    return joined.contains { $0.count > word.count && Self.distance(word, $0, isWithin: true) <= allowance }
  }

  /// Returns the Levenshtein distance of `word` to the whole `text`, or, if `isWithin`, to the part of `text` nearest to it.
  static func distance(_ word: [Character], _ text: [Character], isWithin: Bool) -> Int {
    var row = isWithin ? [Int](repeating: 0, count: text.count + 1) : Array(0...text.count)
    for (i, letter) in word.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in text.enumerated() {
        let next = min(row[j + 1] + 1, row[j] + 1, diagonal + (letter == other ? 0 : 1))
        (diagonal, row[j + 1]) = (row[j + 1], next)
      }
    }
    return isWithin ? row.min() ?? word.count : row[text.count]
  }
}
