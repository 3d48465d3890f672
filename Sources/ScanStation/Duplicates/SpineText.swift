import BookScan

/// The text of a spine, prepared for comparison with other readings of it.
struct SpineText: Sendable, Hashable {
  let title: [[Character]]
  let author: [[Character]]
  /// Words that number a volume: two that differ are never one book.
  let numbers: Set<String>
  /// One bit a pair of neighbouring letters, folded to 64.
  private let signature: UInt64

  init(title: String, author: String?) {
    let titleWords = TitleScore.words(title)
    self.title = titleWords.map(Array.init)
    self.author = TitleScore.words(author ?? "").map(Array.init)
    numbers = Set(titleWords.filter { Self.isNumber($0) })
    let letters = Array((titleWords + TitleScore.words(author ?? "")).joined())
    signature = zip(letters, letters.dropFirst()).reduce(0) { bits, pair in
      let code = pair.0.unicodeScalars.reduce(7) { $0 &* 31 &+ $1.value }
      let next = pair.1.unicodeScalars.reduce(code) { $0 &* 31 &+ $1.value }
      return bits | 1 << UInt64((next &* 2_654_435_761) >> 26)
    }
  }

  private static func isNumber(_ word: String) -> Bool {
    word.allSatisfy(\.isNumber) || (word.count <= 5 && word.allSatisfy { "ivx".contains($0) })
  }

  /// Two readings of one title: each is in the other but for a sixth of its letters, dropped spaces forgiven, volumes are
  /// the same and the authors do not contradict each other. Title and author may have been told apart differently.
  func isSame(as other: SpineText) -> Bool {
    guard mayResemble(other), numbers == other.numbers, !words.isEmpty, !other.words.isEmpty else {
      return false
    }
    if Self.agree(title, other.title),
      author.isEmpty || other.author.isEmpty || Self.meet(author, other.author)
    {
      return true
    }
    return Self.agree(words, other.words)
  }

  /// Readings that may well be of one spine when they were read in one place: half of the shorter one is in the other.
  func isAlike(_ other: SpineText) -> Bool {
    guard mayResemble(other) else { return false }
    return max(Self.share(of: words, in: other.words), Self.share(of: other.words, in: words)) >= 0.5
  }

  /// Nearly all of the other one's words are here: it is a part of this one, or the same.
  func holds(_ other: SpineText) -> Bool { Self.share(of: other.words, in: words) >= 0.8 }

  private var words: [[Character]] { title + author }

  /// Quick to say no: readings of one text have pairs of letters in common.
  private func mayResemble(_ other: SpineText) -> Bool {
    let least = min(signature.nonzeroBitCount, other.signature.nonzeroBitCount)
    return (signature & other.signature).nonzeroBitCount * 3 >= least
  }

  private static func agree(_ one: [[Character]], _ other: [[Character]]) -> Bool {
    let (left, right) = (Array(one.joined()), Array(other.joined()))
    let longest = max(left.count, right.count)
    if longest > 0, abs(left.count - right.count) * 6 <= longest, distance(left, right) * 6 <= longest {
      return true
    }
    let leastShare = 5.0 / 6
    return share(of: one, in: other) >= leastShare && share(of: other, in: one) >= leastShare
  }

  /// One of the names in full, not an initial, is in both.
  private static func meet(_ one: [[Character]], _ other: [[Character]]) -> Bool {
    one.contains { name in name.count > 1 && other.contains { isWord(name, $0) } }
      || agree(one, other)
  }

  /// The share of the letters of `words` whose word is in `others`, 0...1.
  private static func share(of words: [[Character]], in others: [[Character]]) -> Double {
    let total = words.reduce(0) { $0 + $1.count }
    guard total > 0 else { return 0 }
    let found = words.reduce(0) { sum, word in sum + (others.contains { isWord(word, $0) } ? word.count : 0) }
    return Double(found) / Double(total)
  }

  /// Within 20 % edit distance, as the scoring of titles has it.
  private static func isWord(_ word: [Character], _ other: [Character]) -> Bool {
    let allowance = max(word.count, other.count) / 5
    return abs(word.count - other.count) <= allowance && distance(word, other) <= allowance
  }

  /// Levenshtein's distance. Plain loops: each reading is held against all others.
  static func distance(_ one: [Character], _ other: [Character]) -> Int {
    var row = Array(0...other.count)
    return row.withUnsafeMutableBufferPointer { row in
      for (i, letter) in one.enumerated() {
        var (diagonal, left, j) = (row[0], i + 1, 0)
        row[0] = left
        while j < other.count {
          let above = row[j + 1]
          let replaced = diagonal + (letter == other[j] ? 0 : 1)
          left = above < left ? above + 1 : left + 1
          if replaced < left { left = replaced }
          row[j + 1] = left
          diagonal = above
          j += 1
        }
      }
      return row[other.count]
    }
  }
}
