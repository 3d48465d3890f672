import Testing

@testable import Console

@Suite struct PlainTextTests {
  @Test func nothingFromOutsideMovesTheTerminal() {
    #expect(PlainText.printable("a\u{1B}[2Jb\u{9B}1mc\u{202E}d\u{7}e\nf") == "a [2Jb 1mc d e f")
  }

  @Test(arguments: [
    ("plain", 5, "plain"), ("plain", 4, "pla…"), ("書籍書", 6, "書籍書"), ("書籍書", 5, "書籍…"), ("", 3, ""),
    ("a\u{1B}b", 3, "a b"),
  ])
  func textIsCutToColumns(text: String, columns: Int, fitted: String) {
    #expect(PlainText.fitted(text, columns: columns) == fitted)
  }

  @Test func textIsBrokenAtSpaces() {
    #expect(PlainText.wrapped("one two three", columns: 7) == ["one two", "three"])
    #expect(PlainText.wrapped("a\u{7}b", columns: 7) == ["a b"])
  }
}
