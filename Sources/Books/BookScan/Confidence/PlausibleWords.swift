/// Judges how much of a text looks like words of any language, without a list of words.
enum PlausibleWords {
  private static let vowels: Set<Character> = [
    "a", "e", "i", "o", "u", "y", "а", "е", "и", "о", "у", "ы", "э", "ю", "я", "і", "ї", "є",
  ]

  /// Returns the share of a text that is plausible.
  /// - Returns: the share of the letters and digits that are in plausible words, 0…1; 0 for a text without letters and digits.
  static func share(_ text: String) -> Double {
    let words = text.split { !($0.isLetter || $0.isNumber || $0 == "'" || $0 == "’") }
    let all = words.reduce(0) { $0 + $1.count }
    guard all > 0 else { return 0 }
    return Double(words.filter { isPlausible($0) }.reduce(0) { $0 + $1.count }) / Double(all)
  }

  /// Whether a word is plausible: only letters and apostrophes, with a vowel, at most five consonants in a row, no letter three
  /// times in a row, and at most one capital after a small letter.
  static func isPlausible(_ word: Substring) -> Bool {
    guard word.allSatisfy({ $0.isLetter || $0 == "'" || $0 == "’" }), hasEvenCase(word) else { return false }
    let letters = TitleScore.words(String(word)).joined()
    var (consonants, repeats, hasVowel, last) = (0, 1, false, Character(" "))
    for letter in letters {
      repeats = letter == last ? repeats + 1 : 1
      let isVowel = vowels.contains(letter)
      consonants = isVowel ? 0 : consonants + 1
      hasVowel = hasVowel || isVowel
      if repeats > 2 || consonants > 5 { return false }
      last = letter
    }
    return hasVowel
  }

  /// Whether a capital follows a small letter at most once. Once is allowed for "McCarthy" and "JavaScript"; more often is a
  /// misreading.
  private static func hasEvenCase(_ word: Substring) -> Bool {
    zip(word, word.dropFirst()).count { $0.0.isLowercase && $0.1.isUppercase } <= 1
  }
}
