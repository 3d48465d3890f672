import BookScan

/// The text of a spine, prepared for fast comparison: each photo is compared with thousands of spines.
struct SpineText: Sendable, Hashable {
  /// Letters that are compared as a unit: a word, or all words without the spaces between them.
  struct Word: Sendable, Hashable {
    /// One number per letter.
    let letters: [UInt32]
    /// One bit per letter that occurs, folded to 32 bits.
    let mask: UInt32

    init(_ letters: [UInt32]) {
      self.letters = letters
      mask = letters.reduce(0) { $0 | 1 << ($1 & 31) }
    }

    /// A letter of several scalars becomes a hash beyond Unicode's range, which almost never equals that of another letter.
    init(_ text: String) {
      self.init(
        text.map { letter in
          let scalars = letter.unicodeScalars
          if scalars.count == 1, let only = scalars.first { return only.value }
          return scalars.reduce(2_166_136_261) { ($0 ^ $1.value) &* 16_777_619 } | 1 << 31
        })
    }

    var count: Int { letters.count }
  }

  let title: [Word]
  let author: [Word]
  /// The words of the title, then those of the author.
  private let words: [Word]
  /// `wholeTitle`: all letters of the title. `whole`: all letters of title and author.
  private let (wholeTitle, whole): (Word, Word)
  /// The words that number a volume, sorted and distinct. Texts with different numbers are different books.
  private let numbers: [Word]
  /// One bit per pair of neighbouring letters, folded to 64 bits.
  private let signature: UInt64

  init(title: String, author: String?) {
    let (titleWords, authorWords) = (TitleScore.words(title), TitleScore.words(author ?? ""))
    self.title = titleWords.map(Word.init)
    self.author = authorWords.map(Word.init)
    words = self.title + self.author
    wholeTitle = Word(self.title.flatMap(\.letters))
    whole = Word(words.flatMap(\.letters))
    numbers = Set(titleWords.filter { Self.isNumber($0) }).sorted().map(Word.init)
    let letters = Array((titleWords + authorWords).joined())
    signature = zip(letters, letters.dropFirst()).reduce(0) { bits, pair in
      let code = pair.0.unicodeScalars.reduce(7) { $0 &* 31 &+ $1.value }
      let next = pair.1.unicodeScalars.reduce(code) { $0 &* 31 &+ $1.value }
      return bits | 1 << UInt64((next &* 2_654_435_761) >> 26)
    }
  }

  private static func isNumber(_ word: String) -> Bool {
    word.allSatisfy(\.isNumber) || (word.count <= 5 && word.allSatisfy { "ivx".contains($0) })
  }

  /// Whether two readings are of one title: each is contained in the other except for a sixth of its letters, ignoring spaces; the volumes are
  /// equal, and the authors do not contradict each other. Title and author may be divided differently.
  func isSame(as other: SpineText) -> Bool {
    guard mayResemble(other), numbers == other.numbers, !words.isEmpty, !other.words.isEmpty else {
      return false
    }
    if Self.agree(title, wholeTitle, other: other.title, otherWhole: other.wholeTitle),
      author.isEmpty || other.author.isEmpty || Self.meet(author, other.author)
    {
      return true
    }
    return Self.agree(words, whole, other: other.words, otherWhole: other.whole)
  }

  /// Whether two readings at one place may be of one spine: at least half of the letters of either reading are in words of the other.
  func isAlike(_ other: SpineText) -> Bool {
    guard mayResemble(other) else { return false }
    return max(Self.share(of: words, in: other.words), Self.share(of: other.words, in: words)) >= 0.5
  }

  /// Whether this text contains words with at least 80 % of the letters of `other`. Then `other` is a part of this text, or the same text.
  func holds(_ other: SpineText) -> Bool { Self.share(of: other.words, in: words) >= 0.8 }

  /// A quick test that excludes most pairs: readings of one text share pairs of letters.
  private func mayResemble(_ other: SpineText) -> Bool {
    let least = min(signature.nonzeroBitCount, other.signature.nonzeroBitCount)
    return (signature & other.signature).nonzeroBitCount * 3 >= least
  }

  private static func agree(_ one: [Word], _ whole: Word, other: [Word], otherWhole: Word) -> Bool {
    let longest = max(whole.count, otherWhole.count)
    if longest > 0, isWithin(longest / 6, whole, other: otherWhole) { return true }
    let leastShare = 5.0 / 6
    return share(of: one, in: other) >= leastShare && share(of: other, in: one) >= leastShare
  }

  /// Whether two authors have a name of more than one letter in common, or agree as a whole.
  private static func meet(_ one: [Word], _ other: [Word]) -> Bool {
    one.contains { name in name.count > 1 && other.contains { isWord(name, $0) } }
      || agree(one, Word(one.flatMap(\.letters)), other: other, otherWhole: Word(other.flatMap(\.letters)))
  }

  private static func length(_ words: [Word]) -> Int { words.reduce(0) { $0 + $1.count } }

  /// The share of the letters of `words` whose word is in `others`, 0...1.
  private static func share(of words: [Word], in others: [Word]) -> Double {
    let total = length(words)
    guard total > 0 else { return 0 }
    let found = words.reduce(0) { sum, word in sum + (others.contains { isWord(word, $0) } ? word.count : 0) }
    return Double(found) / Double(total)
  }

  /// Whether two words are equal within 20 % edit distance, as in the scoring of titles.
  private static func isWord(_ word: Word, _ other: Word) -> Bool {
    isWithin(max(word.count, other.count) / 5, word, other: other)
  }

  /// Whether Levenshtein's distance is at most `most`. A change of one letter changes at most two bits of a mask, so nearly all pairs are decided
  /// without the table.
  static func isWithin(_ most: Int, _ one: Word, other: Word) -> Bool {
    abs(one.count - other.count) <= most && (one.mask ^ other.mask).nonzeroBitCount <= 2 * most
      && isWithin(most, one.letters, other: other.letters)
  }

  /// The same test by the table. Only cells that may be within `most` are computed (E. Ukkonen, "Algorithms for Approximate String Matching",
  /// Information and Control 64, 1985), row by row, until a row has none.
  private static func isWithin(_ most: Int, _ one: [UInt32], other: [UInt32]) -> Bool {
    if most == 0 || one == other { return one == other }
    guard !other.isEmpty else { return true }
    let beyond = most + 1
    return withUnsafeTemporaryAllocation(of: Int.self, capacity: other.count + 1) { row in
      for j in 0...other.count { row[j] = min(j, beyond) }
      for i in one.indices {
        let (low, high) = (max(0, i - most), min(other.count - 1, i + most))
        var diagonal = row[low]
        var left = low == 0 ? min(i + 1, beyond) : beyond
        if low == 0 { row[0] = left }
        var least = left
        for j in low...high {
          let above = row[j + 1]
          let value = min(diagonal + (one[i] == other[j] ? 0 : 1), above + 1, left + 1, beyond)
          row[j + 1] = value
          diagonal = above
          left = value
          least = min(least, value)
        }
        if least > most { return false }
      }
      return row[other.count] <= most
    }
  }
}
