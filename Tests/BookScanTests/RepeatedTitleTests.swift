import Testing

@testable import BookScan

@Suite("A title that is printed several times on one spine")
struct RepeatedTitleTests {
  private static func lines(_ texts: [String]) -> [TextLine] {
    texts.enumerated().map { line($1, x: 300, y: 100 + 30 * Double($0), length: 66, angle: 0) }
  }

  @Test(
    "Rounds of the same lines are one title",
    arguments: [
      ["WHITE", "TEETH", "ZADIE", "SMITH", "WHITE", "TEETH", "ZADIE", "SMITH"],
      ["WHITE", "TEETH", "ZADIE", "SMITH", "White", "Teeth", "Zadie", "Smith", "WHITE", "TEETH"],
    ])
  func rounds(_ texts: [String]) {
    #expect(
      SpineReading.withoutRepeats(Self.lines(texts)).map { $0.text.uppercased() } == [
        "WHITE", "TEETH", "ZADIE", "SMITH",
      ])
  }

  @Test("Three equal lines are one title; two stay, because some titles repeat their words")
  func singleLines() {
    #expect(SpineReading.withoutRepeats(Self.lines(["Dune", "Dune", "Dune"])).map(\.text) == ["Dune"])
    #expect(SpineReading.withoutRepeats(Self.lines(["Duran", "Duran"])).count == 2)
  }

  @Test(
    "Lines that do not come again in the same order stay",
    arguments: [
      [], ["Dune"], ["Dune", "Messiah"], ["New", "York", "New", "Jersey"], ["A", "B", "A"],
      ["Out", "of", "Out", "in"],
    ])
  func others(_ texts: [String]) {
    #expect(SpineReading.withoutRepeats(Self.lines(texts)).map(\.text) == texts)
  }
}
