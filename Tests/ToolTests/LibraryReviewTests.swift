import ArgumentParser
import Foundation
import System
import Testing

@testable import Library
@testable import Uploads
@testable import swiftwing_tool

/// Reviews of books by answers from a pipe.
@Suite struct LibraryReviewTests {
  @Test(
    arguments: [
      ("", .right), (" y ", .right), ("d", .noBook), ("S", .skip), ("x", .swap), ("e", .help),
      ("=x", .correction(BookEdit(title: "x"))), ("u", .back), ("q", .quit), ("?", .help),
      ("Dune", .correction(BookEdit(title: "Dune"))),
      ("Dune / Frank Herbert", .correction(BookEdit(title: "Dune", author: "Frank Herbert"))),
      ("=S", .correction(BookEdit(title: "S"))), ("= d / e", .correction(BookEdit(title: "d", author: "e"))),
      ("978-0-441-17271-9", .correction(BookEdit(isbn: "978-0-441-17271-9"))),
      ("either/or", .correction(BookEdit(title: "either/or"))),
      ("/ Foo", .correction(BookEdit(author: "Foo"))),
      ("Foo /", .correction(BookEdit(title: "Foo", author: ""))),
      ("= / Foo", .correction(BookEdit(author: "Foo"))), ("/", .help), (" / / ", .help), ("=", .help),
      ("+", .help), ("+ /", .help),
      ("a / b / c", .correction(BookEdit(title: "a", author: "b / c"))),
      (
        "Dune / Herbert | Emma",
        .several([BookEdit(title: "Dune", author: "Herbert"), BookEdit(title: "Emma")])
      ),
      ("Dune | ", .correction(BookEdit(title: "Dune |"))), ("=a | b", .correction(BookEdit(title: "a | b"))),
      ("+Emma / Austen", .missing(BookEdit(title: "Emma", author: "Austen"))),
      ("+ Emma", .missing(BookEdit(title: "Emma"))),
    ] as [(String, ReviewAnswerLine)])
  func answersAreUnderstood(line: String, answer: ReviewAnswerLine) {
    #expect(ReviewAnswerLine(line) == answer)
  }

  private let folder = FileManager.default.temporaryDirectory.appending(path: "review-\(UUID().uuidString)")
    .path

  /// Reviews a library of four books of one author by the program, with these answers and options.
  private func review(
    _ answers: String, author: String = "", _ options: [String] = []
  ) async throws -> (output: String, books: [Book]) {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    do {
      let library = try Store(directory: folder).library
      for (title, certainty) in [
        ("Dracola", .doubtful), ("Emma", .doubtful), ("Sale", .unlikely), ("Dune", .sure),
      ] as [(String, BookFinding.Certainty)] {
        try await library.add(
          BookFinding(title: title, author: author, confidence: 0.5, certainty: certainty))
      }
    }
    let (input, output) = (Pipe(), Pipe())
    let said = output.fileHandleForWriting
    let process = try ChildProcess(
      RunningProgram.sibling("swiftwing-tool"), ["library", "review", "--library", folder] + options,
      input: .descriptor(input.fileHandleForReading.fileDescriptor), output: .descriptor(said.fileDescriptor),
      errors: .descriptor(said.fileDescriptor))
    try input.fileHandleForReading.close()
    try said.close()
    try input.fileHandleForWriting.write(contentsOf: Data(answers.utf8))
    try input.fileHandleForWriting.close()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(process.wait().status == 0, "\(text)")
    return (text, try await Store(directory: folder).library.books(limit: 9, .all))
  }

  @Test func answersFromAPipeAreKept() async throws {
    let (output, books) = try await review("Dracula / Bram Stoker\n\nd\n")
    #expect(books.map(\.name) == ["Dune", "Sale", "Emma", "Dracula / Bram Stoker"])
    #expect(books.map { $0.confirmedAt != nil } == [false, false, true, true])
    #expect(output.contains("1 confirmed, 1 corrected, 0 deleted, 0 skipped; 0 left"), "\(output)")
    #expect(
      output.contains("1 probably no book: `swiftwing library review --unlikely --library"), "\(output)")
  }

  @Test func theUnlikelyBooksHaveAReviewOfTheirOwn() async throws {
    let (output, books) = try await review("d\nd\n", ["--unlikely"])
    #expect(books.map(\.name) == ["Dune", "Emma", "Dracola"])
    #expect(output.contains("1 deleted, 0 skipped; 0 left") && !output.contains("--unlikely"), "\(output)")
    let (lines, _) = try await review("d\n", ["--json"])
    #expect(lines.contains(#""left":1,"skipped":0,"split":0,"unlikely":1"#), "\(lines)")
  }

  @Test func anAnswerIsTakenBackAndTheEndLeavesTheRest() async throws {
    let (output, books) = try await review("d\nu\ns\n9780441172718\n=q")
    #expect(books.map(\.name) == ["Dune", "Sale", "q", "Dracola"], "\(output)")
    #expect(output.contains("0 confirmed, 1 corrected, 0 deleted, 1 skipped; 1 left"), "\(output)")
  }

  @Test func booksReadAsOneAreSplitAndMissedOnesAdded() async throws {
    let (output, books) = try await review(
      "Dracula | Carmilla\n+ Walden / Thoreau\nu\n+ Ulysses\n/ Austen\nq\n")
    #expect(
      Set(books.map(\.name)) == ["Dracula", "Carmilla", "Ulysses", "Emma / Austen", "Sale", "Dune"],
      "\(output)")
    #expect(
      output.contains("0 confirmed, 1 corrected, 0 deleted, 0 skipped, 1 split, 1 added; 0 left"), "\(output)"
    )
    #expect(output.contains("  taken back"))
  }

  @Test func aTitleKeepsTheAuthorAndATitleWithASlashEmptiesIt() async throws {
    let (output, books) = try await review("Dracula\nEmma /\nq\n", author: "Ann Author")
    #expect(
      books.map(\.name) == ["Dune / Ann Author", "Sale / Ann Author", "Emma", "Dracula / Ann Author"],
      "\(output)")
  }

  @Test func quittingAndTheEndOfInputLeaveTheRest() async throws {
    let (output, books) = try await review("?\nu\nq\nd\n")
    #expect(books.count == 4 && books.allSatisfy { $0.confirmedAt == nil })
    #expect(
      output.contains("take the last answer back") && output.contains("no answer to take back"), "\(output)")
  }

  @Test func xSwapsTitleAndAuthor() async throws {
    let (output, books) = try await review("x\ne\n/\nq\n", author: "Ann Author")
    #expect(books.last?.name == "Ann Author / Dracola", "\(output)")
    #expect(output.contains("the right author; the title stays"), "\(output)")
    let (said, unchanged) = try await review("x\nq\n")
    #expect(unchanged.last?.name == "Dracola" && said.contains("no author to swap with"), "\(said)")
  }

  @Test func anEditedLineIsTheWholeName() {
    #expect(
      ReviewAnswerLine(edited: "Dune / Herbert") == .correction(BookEdit(title: "Dune", author: "Herbert")))
    #expect(ReviewAnswerLine(edited: "d") == .correction(BookEdit(title: "d", author: "")))
    #expect(ReviewAnswerLine(edited: " ") == .help)
    #expect(
      ReviewAnswerLine(edited: "A | B") == .several([BookEdit(title: "A"), BookEdit(title: "B")]))
    #expect(ReviewAnswerLine(edited: "+ Emma") == .missing(BookEdit(title: "Emma")))
    #expect(ReviewAnswerLine(edited: "+1") == .correction(BookEdit(title: "+1", author: "")))
    #expect(ReviewAnswerLine(edited: "978-0-441-17271-9") == .correction(BookEdit(isbn: "978-0-441-17271-9")))
  }

  @Test(arguments: [
    (80, 24, 79, 14), (200, 60, 199, 50), (40, 12, 39, 6), (2000, 900, 400, 100), (1, 1, 0, 0),
  ])
  func aPictureFillsTheWindow(columns: Int, rows: Int, wide: Int, high: Int) {
    #expect(DrawnPictures.room(columns: columns, rows: rows) == (wide, high))
  }

  /// Commands to be copied do not name the default library.
  @Test func theDefaultLibraryNeedsNoOption() throws {
    let environment = ["XDG_DATA_HOME": "/data"]
    #expect(LibraryPlace.option("/data/swiftwing", environment).isEmpty)
    #expect(LibraryPlace.option("/data/other books", environment) == " --library '/data/other books'")
    let standard = try Store.standardDirectory(ProcessInfo.processInfo.environment)
    let place = try LibraryPlace.parse(["--library", "\(standard)/library.sqlite"])
    #expect(try place.command("library", "undo") == "swiftwing library undo")
    #expect(try place.wholeOption().isEmpty)
    #expect(try LibraryPlace.parse(["--library", "a b"]).command("undo") == "swiftwing undo --library 'a b'")
  }

  @Test func aNameIsATitleAnAuthorOrBoth() {
    #expect(
      BookName.parse("/ Foo") == BookEdit(author: "Foo") && BookName.parse(" / ") == nil
        && BookName.parse("") == nil)
    #expect(BookName.text("", "Foo") == "(title not read) / Foo" && BookName.text("A", "") == "A")
    #expect(
      TypedName(argument: "A / B")?.edit == BookEdit(title: "A", author: "B")
        && TypedName(argument: "/") == nil)
  }
}
