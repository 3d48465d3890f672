import Bibliography

/// Three letters that follow each other, which find books whose words were misread, joined or divided.
enum Grams {
  /// What is indexed of a text, and asked for: its letters without spaces, with one before and one after them. So "It" has two of its own.
  static func text(_ text: FoldedText) -> String {
    text.words.isEmpty ? "" : " \(FoldedWord(letters: text.joined).text) "
  }

  /// Each once, in their order.
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
