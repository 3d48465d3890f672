import Foundation
import Testing

@testable import Bibliography
@testable import Library
@testable import Uploads

@Suite struct CleanTextTests {
  /// Every `Bidi_Control` character (UAX #9), and other invisible characters.
  @Test(arguments: [
    0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069, 0x200E, 0x200F, 0x061C, 0x200B,
    0x2060,
    0xFEFF, 0x00AD, 0x2061, 0x206A, 0xFFF9, 0x3164, 0x115F, 0xE0041, 0xE0001, 0x180E, 0x200C, 0x200D, 0x1D173,
  ])
  func whatIsNotSeenGoes(code: UInt32) throws {
    let hidden = String(Character(try #require(Unicode.Scalar(code))))
    #expect(
      CleanText.line("ab\(hidden)cd \(hidden)ef\(hidden)")
        == (code == 0x180E ? "ab\(hidden)cd ef\(hidden)" : "abcd ef"))
    #expect(CleanText.line(" \(hidden) ") == "")
  }

  @Test(arguments: [
    "שלום עולם", "מִגְדָּל", "الكتاب", "می\u{200C}خواهم", "CD\u{200C}ها", "ه\u{200D}", "क्\u{200D}ष", "क्\u{200C}ष",
    "র\u{200D}্যা", "ශ්\u{200D}රී", "👩\u{200D}🔬", "❤\u{FE0F}\u{200D}🔥", "葛\u{E0100}", "\u{0600}١٢", "Émile",
    "Straße 5", "三体",
  ])
  func whatLettersNeedStays(text: String) {
    #expect(CleanText.line(text) == text)
  }

  @Test(arguments: [
    ("a\u{0}b\n c", "a b c"), ("\u{1B}[31mred", "[31mred"), ("a\u{2028}b\u{2029}c\u{A0}d", "a b c d"),
    ("a \u{200D}b", "a b"), ("می\u{200C}\u{200C}خ", "می\u{200C}خ"), ("a\u{200B} \u{200B}b", "a b"), ("", ""),
    ("invoice\u{202E}fdp.exe", "invoicefdp.exe"),
  ])
  func restIsOneLine(text: String, line: String) {
    #expect(CleanText.line(text) == line)
    #expect(CleanText.line(line) == line)
  }

  @Test func bothLimitsHold() {
    #expect(CleanText.line(String(repeating: "x", count: 900_000)).utf8.count == 1000)
    #expect(CleanText.line(String(repeating: "é", count: 900_000)).count == 1000)
    // One character with very many combining marks.
    let marks = CleanText.line("a" + String(repeating: "\u{301}", count: 450_000))
    #expect(marks.count == 1 && marks.utf8.count <= 16_000)
    #expect(CleanText.line(String(repeating: "\u{202E}", count: 450_000) + "x").isEmpty)
    for count in 1..<12 {
      let cut = CleanText.line("می\u{200C}خواهم که", characters: count)
      #expect(CleanText.line(cut) == cut && cut.count <= count)
    }
  }

  @Test func titlesAreCleanWhereverTheyComeFrom() async throws {
    let folder = try TemporaryFolder()
    let library = try folder.store().library
    let book = try await library.add(
      BookFinding(title: "Dune\u{202E}", author: "\u{2066}Frank\u{2069} Herbert"))
    #expect(book?.title == "Dune" && book?.author == "Frank Herbert")
    try Data("title,author\r\nEm\u{202E}ma,\u{200F}Austen\r\n".utf8).write(
      to: URL(filePath: "\(folder.path)/a.csv"))
    _ = try await library.importBooks(from: "\(folder.path)/a.csv")
    let found = try #require(try await library.books().first)
    #expect(found.title == "Emma" && found.author == "Austen")
    let event = ServerSentEvent(type: "result", data: #"{"title":"\u202EDune"}"#, lastEventID: "")
    guard case .result(_, let finding) = try TalariaEvent(event) else { throw CancellationError() }
    #expect(finding.title == "Dune")
  }
}
