import Bibliography

/// The words of a record, and what they say of two records: the same book read differently, or not.
struct BookWords {
  let id: Int64
  let isbn: String?
  let title: [String]
  let author: [String]
  /// Of the title: numbers, Roman ones too, ordinals and single letters, which tell volumes and editions apart.
  let numbers: [String]
  /// All letters of the title, all letters, and all words by the alphabet.
  private let (titleLetters, letters, bag): (String, String, [String])

  init(_ book: Book) {
    (id, isbn) = (book.id, book.isbn)
    title = BookMatch.words(of: book.title)
    author = BookMatch.words(of: book.author)
    numbers = title.compactMap(Numeral.value).sorted()
    (titleLetters, letters) = (title.joined(), title.joined() + author.joined())
    bag = (title + author).sorted()
  }

  var all: [String] { title + author }

  /// Why the two are the same book; nil when they are not, or cannot be told to be.
  static func likeness(_ one: BookWords, _ other: BookWords) -> Likeness? {
    guard one.mayBe(other) else { return nil }
    if one.title == other.title { return sameTitle(one, other) }
    if one.titleLetters == other.titleLetters, authorsAreLike(one, other) { return .sameLetters }
    if one.letters == other.letters || one.bag == other.bag {
      return .sameWords
    }
    guard LetterErrors.isLike(one.title, other.title, limit: { $0 < 8 ? 1 : 2 }) else { return nil }
    let letters = min(one.titleLetters.count, other.titleLetters.count)
    if one.author.isEmpty || other.author.isEmpty { return letters >= 12 ? .similarTitle : nil }
    return letters >= 6 && authorsAreLike(one, other) ? .similarTitle : nil
  }

  /// False when something tells them apart for certain.
  func mayBe(_ other: BookWords) -> Bool {
    if let isbn, let isbn2 = other.isbn, isbn != isbn2 { return false }
    return !title.isEmpty && !other.title.isEmpty && numbers == other.numbers
  }

  /// Whether both may be in one group: alike, or one, which names no author, has no words but the other's.
  func isCompatible(with other: BookWords) -> Bool {
    guard mayBe(other) else { return false }
    if Self.likeness(self, other) != nil { return true }
    let (own, others) = (Set(bag), Set(other.bag))
    return (author.isEmpty && own.isSubset(of: others)) || (other.author.isEmpty && others.isSubset(of: own))
  }

  private static func sameTitle(_ one: BookWords, _ other: BookWords) -> Likeness? {
    if one.author == other.author { return .sameName }
    if one.author.isEmpty || other.author.isEmpty { return .authorMissing }
    return authorsAreLike(one, other) ? .authorMisread : nil
  }

  /// Every name of the shorter is one of the longer; initials do not decide.
  private static func authorsAreLike(_ one: BookWords, _ other: BookWords) -> Bool {
    let names = [one.author, other.author].map { $0.filter { $0.count > 1 } }.sorted { $0.count < $1.count }
    guard let first = names.first, let last = names.last, !first.isEmpty else { return false }
    if LetterErrors.isLike(first, last, limit: { max(1, $0 * 2 / 5) }) { return true }
    return Set(first).isSubset(of: last)
  }
}

/// Why two records are taken for one book. A closed enumeration.
public enum Likeness: String, Sendable, Codable, CaseIterable {
  /// Title and author are the same but for case, accents and punctuation.
  case sameName
  /// The same title; one has no author.
  case authorMissing
  /// The same title; the author was read differently.
  case authorMisread
  /// The same words, divided otherwise between title and author.
  case sameWords
  /// The same letters, with other spaces.
  case sameLetters
  /// Titles that differ in a few letters, with authors that agree.
  case similarTitle
}

/// Words that number a volume or an edition.
enum Numeral {
  private static let named = [
    "first": "1", "second": "2", "third": "3", "fourth": "4", "fifth": "5", "erster": "1", "erste": "1",
    "zweiter": "2", "zweite": "2", "dritter": "3", "dritte": "3", "vierter": "4", "vierte": "4",
  ]
  private static let roman = [
    "i": "1", "ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6", "vii": "7", "viii": "8", "ix": "9",
    "x": "10",
    "xi": "11", "xii": "12", "xiii": "13", "xiv": "14", "xv": "15", "xvi": "16", "xvii": "17", "xviii": "18",
    "xix": "19", "xx": "20",
  ]

  /// What tells the volume: its number for `2`, `II`, `2nd`; the letter itself for a single one; nil for another word.
  static func value(of word: String) -> String? {
    if let number = roman[word] ?? named[word] { return number }
    let digits = word.prefix { $0.isNumber }
    if !digits.isEmpty {
      let rest = word.dropFirst(digits.count)
      let plain = digits.drop { $0 == "0" }
      let number = plain.isEmpty ? "0" : String(plain)
      return ["", "st", "nd", "rd", "th", "e", "er", "te"].contains(String(rest)) ? number : word
    }
    // An article is a word.
    return word.count == 1 && word != "a" && word != "o" && word != "y" ? word : nil
  }
}

/// What a recogniser may have made of the same letters.
enum LetterErrors {
  /// Whether the words are the same but for a few letters: a sixth of all, or a fifth where a whole word of four letters is the same. A
  /// word of up to three letters must be the same.
  /// - Parameter limit: how many letters of a word may be wrong, by its length; at most 3 count.
  static func isLike(_ one: [String], _ other: [String], limit: (Int) -> Int) -> Bool {
    guard one.count == other.count, !one.isEmpty else { return false }
    var (wrong, letters, same) = (0, 0, 0)
    for (first, second) in zip(one, other) {
      letters += max(first.count, second.count)
      guard first != second else {
        same += first.count
        continue
      }
      guard min(first.count, second.count) > 3 else { return false }
      let distance = EditDistance.between(
        first.unicodeScalars.map(\.value), second.unicodeScalars.map(\.value), limit: 3)
      guard distance <= limit(max(first.count, second.count)) else { return false }
      wrong += distance
    }
    // With a whole word in common more may be wrong.
    return wrong * (same >= 4 ? 5 : 6) <= letters
  }
}
