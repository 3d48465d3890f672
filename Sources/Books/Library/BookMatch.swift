import Foundation

/// Decides whether two records are the same book, if at most one of them has an ISBN.
enum BookMatch {
  /// The key of a title: its words without case, accents, vowel signs and punctuation. Equal titles have equal keys, but not the other way round;
  /// `titlesAgree` decides. Libraries store this key.
  static func key(title: String) -> String {
    let words = words(of: title, keepingVowels: false)
    return words.isEmpty ? title.lowercased() : words.joined(separator: " ")
  }

  /// Whether two titles with equal keys count as the same.
  static func titlesAgree(_ one: String, _ other: String) -> Bool { words(of: one) == words(of: other) }

  /// Whether two authors agree: one is unknown, or every full name of the shorter one occurs in the longer one ("J. R. R. Tolkien" and "Tolkien").
  /// Initials are ignored.
  static func authorsAgree(_ one: String, _ other: String) -> Bool {
    let (one, other) = (names(in: one), names(in: other))
    return one.isSubset(of: other) || other.isSubset(of: one)
  }

  private static func names(in author: String) -> Set<String> {
    Set(words(of: author).filter { $0.count > 1 })
  }

  /// Splits `text` into words without accents: decomposes the text and drops the combining marks.
  /// - Parameter keepsVowels: whether to keep the marks that are letters of their own.
  static func words(of text: String, keepingVowels keepsVowels: Bool = true) -> [String] {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return plainWords(of: text) }
    let folded = text.lowercased().decomposedStringWithCompatibilityMapping.unicodeScalars.filter {
      $0.properties.generalCategory != .nonspacingMark || (keepsVowels && isVowelSign($0))
    }
    return String(String.UnicodeScalarView(folded)).split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  /// Whether a combining mark is as much as a letter: a vowel sign of an Indic script or of Thai, or the mark of a voiced kana. Hebrew and Arabic are
  /// mostly written without theirs.
  private static func isVowelSign(_ mark: Unicode.Scalar) -> Bool {
    (mark.value >= 0x900 && mark.properties.isAlphabetic) || mark.value == 0x3099 || mark.value == 0x309A
  }

  /// A version of `words(of:)` for ASCII text, which takes a tenth of the time. Most text of a library is
  /// ASCII.
  private static func plainWords(of text: String) -> [String] {
    text.utf8.split { !isLetterOrDigit($0) }.map { word in
      String(decoding: word.map { (65...90).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
  }
}
