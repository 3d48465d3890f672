import Bibliography

/// Trigrams, by which books are found even if words were misread, joined or split.
enum Grams {
  /// The text whose trigrams are indexed and queried: its letters without spaces, with a space before and after them. So "It" has two trigrams.
  static func text(_ text: FoldedText) -> String {
    text.words.isEmpty ? "" : " \(FoldedWord(letters: text.joined).text) "
  }

  /// The trigrams of the texts without repetitions, in their order.
  static func all(of texts: [FoldedText]) -> [String] {
    var (found, seen): ([String], Set<String>) = ([], [])
    for text in texts {
      let scalars = Array(Self.text(text).unicodeScalars)
      guard scalars.count >= 3 else { continue }
      for start in 0...scalars.count - 3 {
        let gram = String(String.UnicodeScalarView(scalars[start..<start + 3]))
        if seen.insert(gram).inserted { found.append(gram) }
      }
    }
    return found
  }
}
