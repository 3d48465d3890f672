/// Readings of one spine of which one has lost a part of a word, as where a hand or a shelf's edge covers a letter: `NTER DEM STURM` for `UNTER
/// DEM STURM`. A recogniser is as sure of one as of the other.
package enum CutReading {
  /// Whether `reading` is `other` with words cut off: a word of it is the beginning or the end of one that it lacks, and none the other way
  /// round.
  package static func isCut(_ reading: String, of other: String) -> Bool {
    let (words, others) = (BookMatch.words(of: reading), BookMatch.words(of: other))
    let (own, lacking) = (words.filter { !others.contains($0) }, others.filter { !words.contains($0) })
    return own.contains { word in lacking.contains { isPart(word, of: $0) } }
      && !lacking.contains { word in own.contains { isPart(word, of: $0) } }
  }

  /// At least half of it, from one of its ends.
  private static func isPart(_ part: String, of word: String) -> Bool {
    guard part.count >= 2, part.count < word.count, part.count * 2 >= word.count else { return false }
    let rest: Substring
    if word.hasSuffix(part) {
      rest = word.dropLast(part.count)
    } else if word.hasPrefix(part) {
      rest = word.dropFirst(part.count)
    } else {
      return false
    }
    // What an edge beside the text is read as is no loss.
    return !rest.allSatisfy { "ijl1".contains($0) }
  }
}
