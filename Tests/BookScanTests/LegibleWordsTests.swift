import Imagery
import Testing

@testable import BookScan

/// The texts that count as words, and the words that count as kept.
@Suite struct LegibleWordsTests {
  private static let full = PixelSize(width: 1000, height: 800)

  static func line(
    _ text: String, x: Double = 500, y: Double = 400, height: Double = 30, angle: Double = 0,
    confidence: Double = 1
  ) -> TextLine {
    TextLine(
      text: text, confidence: confidence,
      region: TextRegion(
        center: Point(x: x, y: y), length: Double(text.count) * height * 0.6, height: height, angle: angle))
  }

  private func kept(_ full: [TextLine], _ other: [TextLine]) -> Int {
    LegibleWords(full).kept(in: other, of: Self.full, full: Self.full)
  }

  @Test func wordsHaveTwoLettersAndAreSurelyRead() {
    let words = LegibleWords([
      Self.line("A 1984 of x9 9b2c ÉTÉ"), Self.line("mnawppaat", confidence: 0.89),
      Self.line("sure", confidence: 0.9),
    ])
    #expect(Set(words.words.map { String($0.letters) }) == ["of", "9b2c", "ete", "sure"])
    #expect(LegibleWords([]).words.isEmpty && LegibleWords([Self.line("")]).words.isEmpty)
  }

  @Test(arguments: [
    ("The Été", "THE ETE", 2), ("in the square mile", "inthe squaremile", 4),
    ("squaremile", "square mile", 1),
    ("reading", "reeding", 1), ("reading", "readin", 1), ("reading", "reeting", 0), ("hand", "land", 0),
    ("hand", "hand.", 1), ("the the", "the", 1), ("", "the", 0), ("the", "", 0),
  ])
  func aWordIsKeptByItsLetters(full: String, other: String, count: Int) {
    #expect(kept([Self.line(full)], [Self.line(other)]) == count)
  }

  @Test func aWordIsKeptOnlyAtItsPlace() {
    let word = Self.line("tolkien")
    #expect(kept([word], [Self.line("tolkien", x: 510, y: 405)]) == 1)
    #expect(kept([word], [Self.line("tolkien", y: 500)]) == 0)
    #expect(kept([word], [Self.line("tolkien", x: 800)]) == 0)
    // The letters occur in the same line, but at its other end.
    #expect(kept([Self.line("to", x: 300)], [Self.line("very long line with it at the end to")]) == 0)
  }

  @Test func aWordThatStandsTwiceIsLookedForTwice() {
    let twice = [Self.line("dune", x: 200), Self.line("dune", x: 700)]
    #expect(kept(twice, twice) == 2)
    #expect(kept(twice, [twice[0]]) == 1)
    #expect(kept(twice, [twice[0], twice[0]]) == 1)
  }

  /// Lines that read down, and positions that were read in a smaller picture.
  @Test func placesAreThoseOfTheWholePicture() {
    let small = PixelSize(width: 250, height: 200)
    let whole = LegibleWords([Self.line("dune frank herbert", angle: 90), Self.line("rama", x: 100)])
    let other = Self.line("dune frank herbert", x: 125, y: 100, height: 7.5, angle: 90)
    #expect(whole.kept(in: [other], of: small, full: Self.full) == 3)
    #expect(whole.kept(in: [other], of: Self.full, full: Self.full) == 0)
  }

  /// The number of words taken from a recogniser is bounded.
  @Test func whatIsReadIsBounded() {
    let lines = (0..<6000).map { Self.line("word\($0)", x: Double($0 % 100) * 10, y: Double($0 / 100) * 10) }
    let words = LegibleWords(lines)
    #expect(words.words.count == 5000)
    let long = Self.line(String(repeating: "ab ", count: 2000))
    #expect(LegibleWords([long]).words.count <= 200)
    #expect(words.kept(in: [long], of: Self.full, full: Self.full) == 0)
  }
}
