import Testing

@testable import Bibliography
@testable import Library
@testable import Uploads

/// ISBNs in the forms that programs, publishers and people write.
@Suite struct ISBNReadingTests {
  private static let isbn = "9780306406157"

  @Test(arguments: [
    "9780306406157", "978-0-306-40615-7", "978 0 306 40615 7", "ISBN 978-0-306-40615-7",
    "ISBN-13: 9780306406157",
    "ISBN13 9780306406157", "isbn:9780306406157", "urn:isbn:9780306406157", "URN:ISBN:0-306-40615-2",
    "[0306406152]", "[9780306406157]", "0-306-40615-2", "ISBN-10 0306406152",
    "978\u{2011}0\u{2011}306\u{2011}40615\u{2011}7",
    "978\u{2013}0\u{2013}306\u{2013}40615\u{2013}7", "978\u{2010}0\u{2012}306\u{2014}40615\u{2212}7",
    "978\u{A0}0\u{202F}306\u{2009}40615\u{3000}7", "\u{FEFF}978\u{200B}0306406157\u{200E}",
    "978\u{AD}0306406157",
    "９７８－０３０６４０６１５７", "ＩＳＢＮ　９７８０３０６４０６１５７", "٩٧٨٠٣٠٦٤٠٦١٥٧", "978.0.306.40615.7", "\"9780306406157\"",
    "='9780306406157'", " 9780306406157 ", "'9780306406157",
  ]) func oneIsRead(text: String) {
    #expect(ISBN.normalize(text) == Self.isbn)
    #expect(ISBN.read(text).isbns == [Self.isbn])
  }

  @Test(arguments: [
    "0306406152 (pbk.)", "9780306406157 (alk. paper) : $24.95", "9780306406157pbk",
    "9780306406157.0", "9780306406157,00", "9,780,306,406,157", "9.780306406157E+12", "9,780306406157e12",
    "9780306406157 51299", "306406152",
  ]) func oneIsFoundInMore(text: String) {
    #expect(ISBN.read(text).isbns == [Self.isbn], "\(ISBN.read(text))")
    #expect(ISBN.normalize(text) == nil, "\(text) is more than an ISBN")
  }

  @Test(arguments: [
    "9780306406157, 080442957X", "978-0-306-40615-7 0-8044-2957-X", "0306406152; 080442957x (hbk.)",
    "0306406152|9780804429573", "978 0 306 40615 7 / 0 8044 2957 X", "0306406152 9780306406157 080442957X",
  ]) func severalAreRead(text: String) {
    #expect(ISBN.read(text).isbns == [Self.isbn, "9780804429573"])
    #expect(ISBN.normalize(text) == nil)
  }

  @Test(
    arguments: [
      ("n/a", "\"n/a\" is no ISBN"), ("none", "\"none\" is no ISBN"),
      ("B00ABC1234", "\"B00ABC1234\" is no ISBN"),
      ("9780306406158", "\"9780306406158\" is no ISBN: its check digit does not hold"),
      ("ISBN 0306406153", "\"ISBN 0306406153\" is no ISBN: its check digit does not hold"),
      ("5012345678900", "\"5012345678900\" is no ISBN: it does not begin with 978 or 979"),
      (
        "979-0-2600-0043-8",
        "\"979-0-2600-0043-8\" is no ISBN: it begins with 9790, as numbers of printed music do"
      ),
      ("97803064", "\"97803064\" is no ISBN: it has 8 digits where an ISBN has 10 or 13"),
      ("7", "\"7\" is no ISBN: it has 1 digit where an ISBN has 10 or 13"),
      (
        "9.78031E+12",
        "\"9.78031E+12\" is no ISBN: a spreadsheet has rounded the number; give its column the format Text and enter it again"
      ),
      (
        "9,78E+12",
        "\"9,78E+12\" is no ISBN: a spreadsheet has rounded the number; give its column the format Text and enter it again"
      ),
    ]) func theReasonIsTrue(text: String, reason: String)
  {
    #expect(ISBN.read(text).isbns.isEmpty && ISBN.read(text).trouble == reason)
    #expect(ISBN.normalize(text) == nil)
  }

  @Test(arguments: ["", " ", "[]", "-", "\u{2014}", "\"\"", "()"]) func nothingIsNoTrouble(text: String) {
    #expect(ISBN.read(text) == ISBNReading())
  }

  @Test func aRoundedNumberFitsWhatItWas() throws {
    let rounded = try #require(ISBN.read("9.78031E+12").rounded)
    #expect(rounded.fits("9780306406157") && !rounded.fits("9780316406157") && !rounded.fits("9791034567898"))
    #expect(try #require(ISBN.read("9,78E+12").rounded).fits("9780306406157"))
    #expect(try #require(ISBN.read("9.78E+11").rounded).fits("9780306406157") == false)
  }

  @Test func longTextsEnd() {
    let text = String(repeating: "12 ", count: 1_000_000)
    #expect(ISBN.read(text).isbns.isEmpty && ISBN.normalize(text) == nil)
  }
}
