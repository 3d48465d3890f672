import Foundation
import Library
import System
import Testing

@testable import swiftwing_tool

/// The page of a review, and the answers that it saves. `scripts/check-page` answers one in a browser.
@Suite struct ReviewPageTests {
  /// A browser runs the script only if the page's policy allows its digest.
  @Test func theScriptIsTheOneThatThePageAllows() throws {
    let path = temporary("js")
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(ReviewPageScript.text.utf8).write(to: URL(fileURLWithPath: path))
    let hex = String(decoding: try ChildProcess.run("sha256sum", [path], keeping: 64).output, as: UTF8.self)
    let bytes = stride(from: 0, to: 64, by: 2).compactMap { UInt8(hex.dropFirst($0).prefix(2), radix: 16) }
    #expect(
      Data(bytes).base64EncodedString() == ReviewPageScript.digest, "put this digest into ReviewPageScript")
    #expect(!ReviewPageScript.text.contains("</script"))
    #expect(ReviewPage("").html.contains("script-src 'sha256-\(ReviewPageScript.digest)'"))
    #expect(ReviewPage("").html.components(separatedBy: "<script>").count == 2)
  }

  @Test func aPageHasNothingOfABookAsMarkup() throws {
    var page = ReviewPage(" --library '<b>'", identity: "<i>")
    page.add(
      .sample(.sample(title: "<script>", author: "</textarea>"), reading: .init(title: "<img>", author: "")),
      picture: [0xFF, 0xD8, 0xFF])
    let html = page.html.replacing("<script>\(ReviewPageScript.text)", with: "")
    #expect(
      !html.contains("<script>") && !html.contains("<img>") && !html.contains("<b>'") && !html.contains("<i>")
    )
    #expect(html.components(separatedBy: "</textarea>").count == 2)
    #expect(html.contains("&lt;script&gt; / &lt;/textarea&gt;</textarea>"))
    #expect(html.contains("data:image/jpeg;base64,/9j/") && html.contains("data-id=\"5\""))
    #expect(html.contains("in shelf &amp; 3.jpg, row 2, book 7"))
    #expect(page.command == "swiftwing library review --answers FILE --library '<b>'")
  }

  @Test func aPageTellsOfTheUnlikelyBooks() async throws {
    #expect(
      ReviewPage(" --library a", unlikely: 2).html.contains(
        "<p>2 probably no books: <code>swiftwing library review --unlikely --page unlikely.html --library a</code></p>"
      ))
    #expect(!ReviewPage(" --library a").html.contains("--unlikely"))
    #expect(ReviewPage("", of: .unlikely).html.contains("No other is a book"))
    #expect(ReviewPage("").html.contains("All others are right"))
    let (page, folder) = (temporary("html"), temporary("library"))
    defer { for path in [page, folder] { try? FileManager.default.removeItem(atPath: path) } }
    try await fill(folder)
    let output = try run(folder, ["--page", page])
    #expect(output.contains("2 books to look at") && output.contains("1 probably no book: `"), "\(output)")
    #expect(output.contains("swiftwing library review --answers FILE"), "\(output)")
    let other = try run(folder, ["--page", page, "--unlikely", "--json"])
    #expect(other.contains(#""books" : 1"#), "\(other)")
    let third = try run(folder, ["4", "--page", page])
    let text = try html(page)
    #expect(third.contains("1 book to look at") && text.contains(">Dune</textarea>"), "\(third)")
  }

  /// Otherwise U+FFFD would be in the title, without a word.
  @Test func answersThatAreNotUTF8AreRefused() throws {
    let file = temporary("txt")
    defer { try? FileManager.default.removeItem(atPath: file) }
    #expect(FileManager.default.createFile(atPath: file, contents: Data([UInt8]("1 Caf".utf8) + [0xE9])))
    let error = #expect(throws: DeliveryError.self) { try AnswerFile(path: file) }
    #expect(error?.kind == .badInput && error?.description.contains("it is not UTF-8") == true)
  }

  @Test func savedAnswersAreCarriedOut() async throws {
    let (file, folder) = (temporary("txt"), temporary("library"))
    defer { for path in [file, folder] { try? FileManager.default.removeItem(atPath: path) } }
    try await fill(folder)
    let identity = try await Store(directory: folder).library.identity()
    try write("# library \(identity)\n1 =Dracula / Bram Stoker\n\n2 y\r\n3 d\n4 s\n", to: file)
    let output = try run(folder, ["--answers", file])
    #expect(output.contains("1 confirmed, 1 corrected, 1 deleted, 1 skipped; 0 left"), "\(output)")
    #expect(output.contains("`swiftwing library undo 3 --library"), "\(output)")
    #expect(try await names(folder) == ["Dracula / Bram Stoker", "Dune", "Emma"], "\(output)")
    // Record 3 is gone. The other answers are carried out.
    try write("3 d\n2 Emma | Persuasion\n", to: file)
    let again = try run(folder, ["--answers", file], status: 1)
    #expect(again.contains("line 1: ") && again.contains("1 split"), "\(again)")
    #expect(try await names(folder) == ["Dracula / Bram Stoker", "Dune", "Emma", "Persuasion"], "\(again)")
    try write("# library another\n4 d\n", to: file)
    let refused = try run(folder, ["--answers", file], status: 2)
    #expect(refused.contains("about another library"), "\(refused)")
    #expect(try await names(folder).contains("Dune"))
  }

  @Test(arguments: ["Dune", "0 d", "-1 d", "3 u", "3 q", "3 ?", "3 /"])
  func whatIsNoAnswerRefusesTheFile(line: String) throws {
    #expect(try AnswerFile("1 d\n2", of: "a").lines.map(\.answer) == [.noBook, .right])
    let error = #expect(throws: DeliveryError.self) { try AnswerFile("1 d\n\(line)\n", of: "a") }
    #expect(error?.description.contains("line 2 is no answer") ?? false)
  }

  private func temporary(_ kind: String) -> String {
    FileManager.default.temporaryDirectory.appending(path: "review-\(UUID().uuidString).\(kind)").path
  }

  private func html(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  private func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  private func fill(_ folder: String) async throws {
    let library = try Store(directory: folder).library
    for (title, certainty) in [
      ("Dracola", .doubtful), ("Emma", .doubtful), ("Sale", .unlikely), ("Dune", .sure),
    ] as [(String, BookFinding.Certainty)] {
      try await library.add(BookFinding(title: title, confidence: 0.5, certainty: certainty))
    }
  }

  private func names(_ folder: String) async throws -> [String] {
    try await Store(directory: folder).library.books(limit: 9, .all).map(\.name).sorted()
  }

  /// Runs a review of this library, and returns all that it says.
  private func run(_ folder: String, _ options: [String], status: CInt = 0) throws -> String {
    let said = try ChildProcess.run(
      RunningProgram.sibling("swiftwing-tool"), ["library", "review", "--library", folder] + options,
      keeping: 8000, keepingErrors: 8000)
    let text = String(decoding: said.output + said.errors, as: UTF8.self)
    #expect(said.end.status == status, "\(text)")
    return text
  }
}
