import Testing

@testable import BookScan

/// Strokes beside a title that are read as signs, but do not belong to it.
@Suite struct SpineWordsTests {
  @Test(arguments: [
    ("/ Foo", "Foo"), ("| Foo Bar |", "Foo Bar"), ("/Foo", "Foo"), ("Foo / Bar", "Foo / Bar"),
    ("• FOO ·", "FOO"),
    ("— Foo", "Foo"), ("either/or", "either/or"), ("Foo \\", "Foo"),
    // Signs that belong to the title stay.
    ("C ++", "C ++"), ("Who's Afraid ?", "Who's Afraid ?"), ("& Sons", "& Sons"),
    ("(500) Days", "(500) Days"), (".NET", ".NET"),
    ("-30-", "-30-"), ("/", "/"), ("", ""),
  ])
  func strokesAtTheEndsAreLeftOut(text: String, bare: String) {
    #expect(SpineReading.bare(text) == bare)
  }
}
