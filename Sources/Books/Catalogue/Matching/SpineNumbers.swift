import Bibliography

/// The numbers in a title by which volumes and editions differ: 1 to 99 in digits, Roman numerals from II to XX, and English ordinals. A number
/// beside a word for "edition" is the number of an edition.
struct SpineNumbers {
  private(set) var volumes: Set<Int> = []
  private(set) var editions: Set<Int> = []

  init(_ text: FoldedText) {
    for (index, word) in text.words.enumerated() {
      guard let value = Self.value(word) else { continue }
      let neighbours = [index - 1, index + 1].filter(text.words.indices.contains).map { text.words[$0] }
      if neighbours.contains(where: Self.editionWords.contains) {
        editions.insert(value)
      } else {
        volumes.insert(value)
      }
    }
  }

  /// The numbers in the title, volume and edition of a book. In a subtitle, only a number at the end counts, as the number of a volume.
  init(_ book: StoredBook, title: FoldedText) {
    self.init(title + FoldedText(book.volume))
    if let last = FoldedText(book.title).words.last.flatMap(Self.value) { volumes.insert(last) }
    let edition = SpineNumbers(FoldedText(book.edition))
    editions.formUnion(edition.editions.union(edition.volumes))
  }

  private static let editionWords = Set(
    FoldedText("edition ed edn editions auflage aufl edicion edicio edizione издание изд").words)

  /// The number that a word expresses. Nil for other words, including years.
  static func value(_ word: FoldedWord) -> Int? {
    let digits = word.letters.prefix { (0x30...0x39).contains($0) }
    if !digits.isEmpty {
      guard digits.count <= 2, isEnding(word.letters.dropFirst(digits.count)) else { return nil }
      let value = digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
      return value > 0 ? value : nil
    }
    return named[word]
  }

  /// Whether the letters may follow the digits of an ordinal.
  private static func isEnding(_ letters: ArraySlice<UInt32>) -> Bool {
    letters.isEmpty || endings.contains(FoldedWord(letters: Array(letters)))
  }

  private static let endings = Set(FoldedText("st nd rd th e eme o a er").words)
  private static let roman = "ii iii iv vi vii viii ix xi xii xiii xiv xv xvi xvii xviii xix xx"
  private static let romanValues = [2, 3, 4, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]
  private static let ordinals = "first second third fourth fifth sixth seventh eighth ninth tenth"

  private static let named: [FoldedWord: Int] = {
    var named: [FoldedWord: Int] = [:]
    for (word, value) in zip(FoldedText(roman).words, romanValues) { named[word] = value }
    for (index, word) in FoldedText(ordinals).words.enumerated() { named[word] = index + 1 }
    return named
  }()
}
