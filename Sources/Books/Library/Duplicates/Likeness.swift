import Bibliography

/// The words of a record, prepared for deciding whether two records are the same book read differently.
struct BookWords {
  let id: Int64
  let isbn: String?
  let title: [String]
  let author: [String]
  /// The numbers in the title, including Roman numerals, ordinals and single letters. They tell volumes and editions apart.
  let numbers: [String]
  /// `titleLetters`: the letters of the title. `letters`: those of title and author. `bag`: all words in alphabetical order.
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

  /// The reason why two records are the same book. Nil if they are different books, or if this cannot be determined.
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

  /// Whether two records may be the same book. False if something certainly tells them apart.
  func mayBe(_ other: BookWords) -> Bool {
    if let isbn, let isbn2 = other.isbn, isbn != isbn2 { return false }
    return !title.isEmpty && !other.title.isEmpty && numbers == other.numbers
  }

  /// Whether two records may be in one group: they are alike, or one has no author and consists only of words that the other has too.
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

  /// Whether every name of the shorter author is also a name of the longer one. Initials and words between names are ignored.
  private static func authorsAreLike(_ one: BookWords, _ other: BookWords) -> Bool {
    let names = [one.author, other.author].map { author in
      author.filter { $0.count > 1 && !["and", "und", "et"].contains($0) }
    }.sorted { $0.count < $1.count }
    guard let first = names.first, let last = names.last, !first.isEmpty else { return false }
    if LetterErrors.isLike(first, last, limit: { max(1, $0 * 2 / 5) }) { return true }
    return Set(first).isSubset(of: last)
  }
}

/// The reason why two records count as one book. A closed enumeration.
public enum Likeness: String, Sendable, Codable, CaseIterable {
  /// Title and author are equal except for case, accents and punctuation.
  case sameName
  /// The titles are equal; one record has no author.
  case authorMissing
  /// The titles are equal; the authors were read differently.
  case authorMisread
  /// The words are equal, but divided differently between title and author.
  case sameWords
  /// The letters are equal, with different spaces.
  case sameLetters
  /// The titles differ in a few letters; the authors agree.
  case similarTitle
}

/// Reads the words that number a volume or an edition.
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

  /// The volume that a word names: "2" for `2`, `II` or `2nd`, or a single letter itself. Nil for another word.
  static func value(of word: String) -> String? {
    if let number = roman[word] ?? named[word] { return number }
    let digits = word.prefix { $0.isNumber }
    if !digits.isEmpty {
      let rest = word.dropFirst(digits.count)
      let plain = digits.drop { $0 == "0" }
      let number = plain.isEmpty ? "0" : String(plain)
      return ["", "st", "nd", "rd", "th", "e", "er", "te"].contains(String(rest)) ? number : word
    }
    // A single letter names a volume, except `a`, `o` and `y`, which are words.
    return word.count == 1 && word != "a" && word != "o" && word != "y" ? word : nil
  }
}

/// Compares texts that may be different readings of the same letters.
enum LetterErrors {
  /// Whether the words are equal except for a few wrong letters: one letter in six, or one in five if at least four letters are in words that are
  /// equal. A word of up to three letters must be equal.
  /// - Parameter limit: the number of letters of a word that may be wrong, by its length; at most 3.
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
    // More letters may be wrong if words of four letters or more are equal.
    return wrong * (same >= 4 ? 5 : 6) <= letters
  }
}
