/// Compares two readings of one spine. One of them may have lost a part of a word, for example because a hand or the shelf's edge hides a letter:
/// `NTER DEM STURM` instead of `UNTER DEM STURM`. A recogniser is equally confident of both readings.
package enum CutReading {
  /// Whether `reading` is `other` with letters cut off its words: a word found only in `reading` is the beginning or end of a word found only in
  /// `other`, and no word found only in `other` is a part of one found only in `reading`.
  package static func isCut(_ reading: String, of other: String) -> Bool {
    let (words, others) = (BookMatch.words(of: reading), BookMatch.words(of: other))
    let (own, lacking) = (words.filter { !others.contains($0) }, others.filter { !words.contains($0) })
    return own.contains { word in lacking.contains { isPart(word, of: $0) } }
      && !lacking.contains { word in own.contains { isPart(word, of: $0) } }
  }

  /// Whether `part` is the beginning or the end of `word`, and at least half of it.
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
    // An edge beside the text is often read as one of these letters, so they do not count as lost.
    return !rest.allSatisfy { "ijl1".contains($0) }
  }
}
