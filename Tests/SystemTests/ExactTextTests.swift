import System
import Testing

/// Names are compared by their bytes, as the kernel compares them.
@Suite struct ExactTextTests {
  private let composed = "caf\u{E9}.mp4"
  private let decomposed = "cafe\u{301}.mp4"

  @Test func lettersOfOtherBytesAreOtherNames() {
    #expect(composed == decomposed)
    #expect(!composed.isExactly(decomposed) && composed.isExactly("caf\u{E9}.mp4"))
    #expect(ExactText(composed) != ExactText(decomposed))
    #expect(Set([composed, decomposed].map { ExactText($0) }).count == 2)
    #expect(![composed].holds(exactly: decomposed))
    // Swift considers KELVIN SIGN equal to K.
    #expect("\u{212A}" == "K" && !"\u{212A}".isExactly("K") && "\u{212A}".smallASCII.isExactly("\u{212A}"))
  }

  /// A combining accent after a sign gives another character in Swift, but the sign's byte stays the same.
  @Test func accentHidesNoSign() {
    #expect(!"/\u{301}etc".hasPrefix("/") && "/\u{301}etc".begins(exactly: "/"))
    #expect(!"a/\u{301}b".contains("/") && "a/\u{301}b".holds("/"))
    #expect("x.mp4\u{301}".ends(exactly: "\u{301}") && !"x.mp4\u{301}".ends(exactly: ".mp4"))
    #expect("a/\u{301}b".lastName.isExactly("\u{301}b") && "a/\u{301}b".folderName == "a")
    #expect("/a".folderName == "/" && "a".folderName == nil && "a//b/".pathParts == ["a", "b"])
  }

  @Test(arguments: [
    "", ".", "..", ".hidden", ".\u{301}hidden", "a/b", "a/\u{301}b", "/\u{301}", "a\0",
    String(repeating: "a", count: 256),
  ])
  func isNoPlainName(name: String) { #expect(!name.isPlainFileName) }

  @Test func databaseIsAFile() {
    #expect("file:a/b".databasePath == "./file:a/b" && ":memory:".databasePath == "./:memory:")
    #expect(
      "a/file:b".databasePath == "a/file:b" && "/a".databasePath == "/a" && "file".databasePath == "file")
  }

  @Test func isPlainName() { #expect(composed.isPlainFileName && decomposed.isPlainFileName) }
}
