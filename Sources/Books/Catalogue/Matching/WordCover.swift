import Bibliography

/// A text in which words are searched. The words or the text may have been misread.
struct WordCover {
  private let words: [FoldedWord]
  private let known: Set<FoldedWord>
  private let joined: [UInt32]

  init(_ text: FoldedText) {
    words = text.words
    known = Set(text.words)
    joined = text.joined
  }

  /// The share of a word that is in the text: 1 if every letter is, 0 if nothing similar is.
  ///
  /// A third of the letters of a word may differ, or a fifth if the word is joined to other words without spaces.
  func likeness(of word: FoldedWord) -> Double {
    if known.contains(word) { return 1 }
    let count = word.count
    guard count >= 3 else { return 0 }
    let allowance = count < 4 ? 0 : max(1, count / 3)
    var least = allowance + 1
    for other in words where abs(other.count - count) < least {
      least = min(least, EditDistance.between(word.letters, other.letters))
    }
    if count >= 4, least > 0, joined.count >= count {
      let within = EditDistance.between(word.letters, joined, isWithin: true)
      if within <= count / 5 { least = min(least, within) }
    }
    return least <= allowance ? 1 - Double(least) / Double(count) : 0
  }

  /// The share of the letters of `text` that is in this text, 0…1: word by word, or as a whole if spaces were lost. 1 if `text` has no words.
  func share(of text: FoldedText) -> Double {
    let count = text.letterCount
    guard count > 0 else { return 1 }
    let byWords = text.words.reduce(0) { $0 + likeness(of: $1) * Double($1.count) } / Double(count)
    guard byWords < 0.95, count >= 6, joined.count * count <= 40_000 else { return byWords }
    let distance = EditDistance.between(text.joined, joined, isWithin: true)
    let asWhole = 1 - Double(distance) / Double(count)
    return asWhole >= 0.8 ? max(byWords, asWhole) : byWords
  }
}
