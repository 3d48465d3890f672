import Bibliography
import Glibc

/// Measures the likeness of a spine and a holding.
struct TextLikeness {
  /// The rarity of the list's words.
  let rarity: WordRarity

  /// The likeness, 0…1, by the words of title and author, the mark and the ISBN.
  func between(_ spine: ReadSpine, _ holding: HoldingText) -> Double {
    if let isbn = spine.isbn, holding.isbns.contains(isbn) { return 1 }
    let mark = markLikeness(spine, holding)
    guard !spine.words.isEmpty else { return mark.map { $0 >= 0.9 ? 0.5 * $0 : 0 } ?? 0 }
    let text = textLikeness(spine, holding)
    guard let mark else { return text }
    // A matching mark distinguishes copies and volumes. A mark that does not match may not have been read at all, so it counts little.
    return mark > 0.7 ? 0.6 * text + 0.4 * mark : text * (0.9 + 0.1 * mark)
  }

  /// Whether the holding's author or mark was also read on the spine.
  func isAttested(_ spine: ReadSpine, _ holding: HoldingText) -> Bool {
    (markLikeness(spine, holding) ?? 0) > 0.7 || cover(holding.author, by: spine.words) >= 0.7
  }

  /// The likeness to a holding that is expected at this place. There it suffices that no text that was read contradicts the holding, even if much of
  /// the title was not read.
  func inPlace(_ spine: ReadSpine, _ holding: HoldingText) -> Double {
    var likeness = between(spine, holding)
    let others = holding.title + holding.author
    let ofSpine = cover(spine.words, by: others)
    if let mark = markLikeness(spine, holding), mark > 0.7 {
      likeness = max(likeness, 0.5 * mark + 0.3 * ofSpine)
    }
    let strange = spine.words.filter { Self.best($0, others) == 0 }.reduce(0) { $0 + $1.count }
    if strange <= 3, strange * 3 < spine.letterCount { return max(likeness, 0.75 * ofSpine) }
    // The author alone does not suffice: another book by the same author may stand here.
    let isOfTitle = ofSpine >= 0.5 && cover(holding.title, by: spine.words) >= 0.15
    return isOfTitle ? max(likeness, 0.6 * ofSpine + 0.15) : likeness
  }

  /// Whether the reading has a substantial part of the text of `holding` that `own`, the spine's assigned holding, does not have.
  func shows(_ spine: ReadSpine, _ holding: HoldingText, beside own: HoldingText) -> Bool {
    let known = own.title + own.author
    let read = spine.words + spine.rest
    func isNew(_ words: [FoldedWord], least: Double) -> Bool {
      let words = words.filter { $0.count >= 3 && !$0.isNumber && Self.best($0, known) == 0 }
      let found = words.filter { Self.best($0, read) > 0 }
      return found.reduce(0) { $0 + $1.count } >= 6 && cover(words, by: found) >= least
    }
    return isNew(holding.title + holding.author, least: 0.35) || isNew(holding.author, least: 0.7)
  }

  private func textLikeness(_ spine: ReadSpine, _ holding: HoldingText) -> Double {
    let ofTitle = cover(holding.title, by: spine.words + spine.rest)
    guard ofTitle > 0 else { return 0 }
    let ofSpine = cover(spine.words, by: holding.title + holding.author)
    return (ofTitle * ofSpine).squareRoot()
  }

  /// The share of `words`, weighted by length and rarity, that is among `others`.
  private func cover(_ words: [FoldedWord], by others: [FoldedWord]) -> Double {
    var (found, total) = (0.0, 0.0)
    for word in words {
      // Numbers weigh much, because volumes may differ only in a number.
      let weight = word.isNumber ? 4 : Double(min(word.count, 8)) * rarity.of(word)
      total += weight
      found += weight * Self.best(word, others)
    }
    return total > 0 ? found / total : 0
  }

  /// The best likeness of `word` to a word of `others`: 1 for an equal word, less for each wrong letter, and 0 if more than a third of the letters is
  /// wrong. Numbers must be equal.
  private static func best(_ word: FoldedWord, _ others: [FoldedWord]) -> Double {
    var best = 0.0
    for other in others {
      if other == word { return 1 }
      if word.isNumber || other.isNumber, word.hasSameNumber(as: other) { best = max(best, 0.8) }
      let longer = max(word.count, other.count)
      let limit = longer / 3
      guard limit > 0, !word.isNumber, !other.isNumber, abs(word.count - other.count) <= limit else {
        continue
      }
      let distance = EditDistance.between(word.letters, other.letters, limit: limit)
      if distance <= limit { best = max(best, 1 - Double(distance) / Double(longer)) }
    }
    return best
  }

  /// The likeness of the marks. Nil if the spine or the holding has no mark, or if a spine without other text has no mark like the holding's.
  private func markLikeness(_ spine: ReadSpine, _ holding: HoldingText) -> Double? {
    guard holding.mark.count >= 3, spine.marks.count >= 3 else { return nil }
    let distance = EditDistance.between(holding.mark, spine.marks, isWithin: true)
    let likeness = max(0, 1 - 1.5 * Double(distance) / Double(holding.mark.count))
    return spine.isWithoutRest && likeness <= 0.7 ? nil : likeness
  }
}

extension FoldedWord {
  var isNumber: Bool { letters.allSatisfy(Self.isDigit) }

  /// Whether the numbers in two words are equal, although a letter was read beside one of them, as in `2` and `2k`.
  func hasSameNumber(as other: FoldedWord) -> Bool {
    let (own, others) = (letters.filter(Self.isDigit), other.letters.filter(Self.isDigit))
    return own == others && !own.isEmpty && max(count, other.count) <= own.count + 1
  }

  private static func isDigit(_ letter: UInt32) -> Bool { (0x30...0x39).contains(letter) }
}

/// The weights of words: a word in every second title of a list distinguishes little.
struct WordRarity {
  private let counts: [FoldedWord: Int]
  private let most: Double

  init(_ holdings: [HoldingText]) {
    var counts: [FoldedWord: Int] = [:]
    for holding in holdings {
      for word in Set(holding.title + holding.author) { counts[word, default: 0] += 1 }
    }
    self.counts = counts
    most = Double(max(2, holdings.count))
  }

  /// The weight of a word, 0.2…1. A word that is not in the list was misread, and has the weight of a rare word.
  func of(_ word: FoldedWord) -> Double {
    guard let count = counts[word] else { return 1 }
    return max(0.2, 1 - log(Double(max(1, count))) / log(most))
  }
}
