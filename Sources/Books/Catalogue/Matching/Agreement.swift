import Bibliography

/// The agreement of a reading with one book of the catalogue.
struct Agreement {
  let book: StoredBook
  /// The title without its subtitle. It tells works apart.
  let title: FoldedText
  let author: FoldedText
  /// The share of the title's letters that was read, 0…1.
  let titleShare: Double
  /// Whether an author's last name was read outside of the title.
  let hasAuthor: Bool
  /// The share of the read letters that the book's data explain, 0…1.
  let explained: Double
  /// The score of the agreement, 0…1.
  let score: Double
  /// The number of distinctive words of the title that were not read at all.
  let missing: Int
  /// The number of distinctive words of the title, and the number of letters in them.
  let telling: (words: Int, letters: Int)
  let numbers: SpineNumbers

  init(_ book: StoredBook, with reading: Reading) {
    self.book = book
    let (main, rest) = Self.divided(book.title)
    title = FoldedText(main)
    author = FoldedText(book.author)
    numbers = SpineNumbers(book, title: title)
    titleShare = reading.cover.share(of: title)
    let telling = title.words.filter { !SpineWords.isSmall($0) }
    self.telling = (telling.count, telling.reduce(0) { $0 + $1.count })
    missing = telling.count { reading.cover.likeness(of: $0) == 0 }
    let title = title
    let surnames = Self.surnames(book.author)
    hasAuthor = surnames.contains { Self.isRead($0, reading, beside: title) }
    let other = FoldedText("\(rest) \(book.subtitle) \(book.volume) \(book.edition) \(book.publisher)")
    explained = Self.explained(reading, by: title + other, author, surnames: surnames)
    let letters = Double(max(title.letterCount, 1))
    let extra = hasAuthor ? Double(author.letterCount) : 0
    let authorShare = hasAuthor ? reading.cover.share(of: author) : 0
    // First names are often missing on a spine.
    let covered = (titleShare * letters + max(authorShare, 0.8) * extra) / (letters + extra)
    score = (covered + explained) / 2
  }

  /// Splits a field into title and subtitle, if it has both.
  static func divided(_ title: String) -> (String, String) {
    for divider in [" : ", ": ", " — ", " – "] {
      guard let range = title.firstRange(of: divider) else { continue }
      let main = String(title[..<range.lowerBound])
      if FoldedText(main).letterCount >= 6 { return (main, String(title[range.upperBound...])) }
    }
    return (title, "")
  }

  /// The last names of authors, who are written "Kafka, Franz" or "Franz Kafka".
  static func surnames(_ authors: String) -> [FoldedWord] {
    AuthorNames.all(in: authors).compactMap { name in
      let words = FoldedText(String(name.prefix { $0 != "," })).words
      return words.last { $0.count >= 3 } ?? words.last
    }
  }

  /// Whether an author's name was read. If the name is also a word of the title, it must have been read twice.
  private static func isRead(_ name: FoldedWord, _ reading: Reading, beside title: FoldedText) -> Bool {
    guard reading.cover.likeness(of: name) >= 0.75 else { return false }
    guard title.words.contains(name) else { return true }
    return reading.whole.words.count { $0 == name } >= 2
  }

  /// The weight of letters in authors' names, relative to letters in the title. It is low because first names are often misread and do not
  /// distinguish titles.
  private static let nameWeight = 0.25

  /// The share of the read letters that `text` and `author` explain. Idle words, single letters and numbers are not counted.
  private static func explained(
    _ reading: Reading, by text: FoldedText, _ author: FoldedText, surnames: [FoldedWord]
  ) -> Double {
    let (cover, names) = (WordCover(text), WordCover(author))
    let authorField = WordCover(reading.author)
    let isNamed = surnames.contains { authorField.likeness(of: $0) >= 0.75 }
    var (known, all) = (0.0, 0.0)
    for (index, word) in reading.whole.words.enumerated() where word.count >= 2 && !SpineWords.isIdle(word) {
      let (asText, asName) = (cover.likeness(of: word), names.likeness(of: word))
      let isName = asName > asText || (isNamed && index >= reading.title.words.count)
      let weight = Double(word.count) * (SpineWords.isSmall(word) ? 0.5 : 1) * (isName ? nameWeight : 1)
      all += weight
      known += weight * max(asText, asName)
    }
    return all > 0 ? known / all : 1
  }
}
