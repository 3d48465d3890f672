import Foundation

/// Whether a title was read: 80 % of its words are read, each within an edit distance of 20 %.
public enum TitleScore {
  /// Lower case, without marks, letters and digits only.
  public static func words(_ text: String) -> [String] {
    folded(text).split { !($0.isLetter || $0.isNumber) }.map(String.init)
  }

  /// Lower case, without marks.
  static func folded(_ text: String) -> String {
    var cleaned = String.UnicodeScalarView()
    for scalar in text.decomposedStringWithCompatibilityMapping.unicodeScalars
    where scalar.properties.canonicalCombiningClass == .notReordered {
      cleaned.append(scalar)
    }
    return String(cleaned).lowercased().precomposedStringWithCanonicalMapping
  }

  /// The words of a title that count: of three letters and more, or all when there are none; what stands in parentheses is
  /// not printed.
  public static func titleWords(_ title: String) -> [String] {
    let words = words(title.replacing(/\([^)]*\)/, with: " "))
    let long = words.filter { $0.count >= 3 }
    return long.isEmpty ? words : long
  }
}

/// Text to look for titles in.
public struct ReadText {
  private let words: [[Character]]
  private let joined: [[Character]]

  /// Text to look in.
  /// - Parameter lines: in any order. A word that is divided between two lines is not found.
  public init(_ lines: [String]) {
    let split = lines.map { TitleScore.words($0) }
    words = Set(split.joined()).map(Array.init)
    joined = split.map { Array($0.joined()) }
  }

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

  /// Levenshtein's distance of `word` to `text`, or to the part of `text` nearest to it.
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
