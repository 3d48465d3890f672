import Foundation

/// A word prepared for comparison: its letters and digits in lower case, without combining marks.
package struct FoldedWord: Hashable, Sendable {
  package var letters: [UInt32]

  package init(letters: [UInt32]) { self.letters = letters }

  package var count: Int { letters.count }
  package var text: String { String(String.UnicodeScalarView(letters.compactMap { Unicode.Scalar($0) })) }
}

/// A text prepared for comparison, without case, accents and punctuation.
///
/// Letters that do not decompose are replaced by their usual ASCII spelling: ß by ss, ø by o, æ by ae, ł by l.
package struct FoldedText: Sendable {
  package var words: [FoldedWord]

  package init(words: [FoldedWord]) { self.words = words }

  package init(_ text: String) {
    words = text.utf8.allSatisfy({ $0 < 0x80 }) ? Self.plain(text) : Self.other(text)
  }

  /// All words without separators, for comparison with texts in which spaces were not read.
  package var joined: [UInt32] { words.flatMap(\.letters) }
  package var letterCount: Int { words.reduce(0) { $0 + $1.count } }

  package static func + (one: FoldedText, other: FoldedText) -> FoldedText {
    FoldedText(words: one.words + other.words)
  }

  /// A fast path for ASCII, which is most of a catalogue.
  private static func plain(_ text: String) -> [FoldedWord] {
    var (words, word): ([FoldedWord], [UInt32]) = ([], [])
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x61...0x7A: word.append(UInt32(byte))
      case 0x41...0x5A: word.append(UInt32(byte) | 0x20)
      // An apostrophe, which many readings lack, does not split a word.
      case 0x27: continue
      default: end(&word, &words)
      }
    }
    end(&word, &words)
    return words
  }

  private static func other(_ text: String) -> [FoldedWord] {
    var (words, word): ([FoldedWord], [UInt32]) = ([], [])
    for scalar in text.lowercased().decomposedStringWithCompatibilityMapping.unicodeScalars {
      if let letters = spelled[scalar] {
        word.append(contentsOf: letters)
      } else if scalar.properties.generalCategory == .nonspacingMark || apostrophes.contains(scalar) {
        continue
      } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
        word.append(scalar.value)
      } else {
        end(&word, &words)
      }
    }
    end(&word, &words)
    return words
  }

  private static func end(_ word: inout [UInt32], _ words: inout [FoldedWord]) {
    guard !word.isEmpty else { return }
    words.append(FoldedWord(letters: word))
    word.removeAll()
  }

  private static let apostrophes: Set<Unicode.Scalar> = ["'", "\u{2019}", "\u{2BC}", "\u{60}", "\u{B4}"]
  private static let spelled: [Unicode.Scalar: [UInt32]] = [
    "ß": "ss", "ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i",
  ].mapValues { $0.unicodeScalars.map(\.value) }
}
