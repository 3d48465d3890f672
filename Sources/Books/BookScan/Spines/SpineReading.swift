/// Judges the text of a single line.
enum SpineReading {
  /// Words of titles that are not part of a person's name, in the most common languages of Latin script.
  private static let titleWords: Set<String> = [
    "the", "a", "an", "of", "and", "in", "on", "to", "for", "with", "from", "at", "is", "my", "your", "how",
    "what", "by",
    "der", "die", "das", "und", "im", "zum", "ein", "eine", "le", "les", "et", "el", "los", "las", "y", "en",
    "il", "per",
    "i", "un", "una", "edition", "guide", "introduction", "press", "books", "volume", "second", "third",
    "new",
  ]

  /// Whether a text has words, unlike a shelf mark, a price or a number.
  static func isWorded(_ text: String) -> Bool {
    let letters = text.count(where: \.isLetter)
    return letters >= 2 && letters * 2 > text.count { !$0.isWhitespace }
  }

  /// Removes repetitions: some spines show the whole text several times, one below the other. Returns the first round of lines.
  ///
  /// Only the last round may be incomplete, for example where a hand covers the foot of the spine. A single line that comes twice
  /// is kept: "Duran Duran" set in two lines is a title.
  static func withoutRepeats(_ lines: [TextLine]) -> [TextLine] {
    let texts = lines.map { $0.text.lowercased().filter { $0.isLetter || $0.isNumber } }
    let rounds = (1...max(1, lines.count / 2)).first { length in
      texts.count >= (length == 1 ? 3 : 2 * length)
        && texts.indices.allSatisfy { texts[$0] == texts[$0 % length] }
    }
    return rounds.map { Array(lines.prefix($0)) } ?? lines
  }

  /// Whether a text is two to four capitalised words without digits, none of which is in `titleWords`.
  static func isName(_ text: String) -> Bool {
    let words = text.split(separator: " ")
    guard (2...4).contains(words.count), !text.contains(where: \.isNumber) else { return false }
    return words.allSatisfy { word in
      (word.first?.isUppercase ?? false) && !titleWords.contains(word.lowercased())
    }
  }

  /// Returns a text without the strokes at its ends that are no letters: the edge of a book or a crease is read as a slash or a
  /// bar, an ornament as a dot.
  static func bare(_ text: String) -> String {
    let words = text.split(separator: " ")
    let isOrnament = { (word: Substring) in
      word.allSatisfy { strokes.contains($0) || "·•–—-_~.,:;'‘’`\"*°<>=^".contains($0) }
    }
    let kept = words.drop(while: isOrnament)
    let end = kept.lastIndex { !isOrnament($0) }
    guard let end else { return text }
    let line = kept[...end].joined(separator: " ").drop { strokes.contains($0) }
    return String(line.dropLast(line.reversed().prefix { strokes.contains($0) }.count))
  }

  private static let strokes: Set<Character> = ["/", "\\", "|"]
}
