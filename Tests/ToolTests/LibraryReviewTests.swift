import Foundation
import System
import Testing

@testable import Delivery
@testable import swiftwing_tool

/// Books that are gone through one by one.
@Suite struct LibraryReviewTests {
  @Test(
    arguments: [
      ("", .right), (" y ", .right), ("d", .noBook), ("S", .skip), ("u", .back), ("q", .quit), ("?", .help),
      ("Dune", .correction(BookEdit(title: "Dune"))),
      ("Dune / Frank Herbert", .correction(BookEdit(title: "Dune", author: "Frank Herbert"))),
      ("=S", .correction(BookEdit(title: "S"))), ("= d / e", .correction(BookEdit(title: "d", author: "e"))),
      ("978-0-441-17271-9", .correction(BookEdit(isbn: "978-0-441-17271-9"))),
      ("either/or", .correction(BookEdit(title: "either/or"))),
    ] as [(String, ReviewAnswerLine)])
  func answersAreUnderstood(line: String, answer: ReviewAnswerLine) {
    #expect(ReviewAnswerLine(line) == answer)
  }

  private let folder = FileManager.default.temporaryDirectory.appending(path: "review-\(UUID().uuidString)")
    .path

  /// Runs the tool's own program on a library of four books.
  private func review(_ answers: String) async throws -> (output: String, books: [Book]) {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    do {
      let library = try Store(directory: folder).library
      for (title, certainty) in [
        ("Dracola", .doubtful), ("Emma", .doubtful), ("Sale", .unlikely), ("Dune", .sure),
      ] as [(String, BookFinding.Certainty)] {
        try await library.add(BookFinding(title: title, confidence: 0.5, certainty: certainty))
      }
    }
    let (input, output) = (Pipe(), Pipe())
    let said = output.fileHandleForWriting
    let process = try ChildProcess(
      RunningProgram.sibling("swiftwing-tool"), ["library", "review", "--library", folder],
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
    #expect(books.map(\.name) == ["Dune", "Emma", "Dracula / Bram Stoker"])
    #expect(books.map { $0.confirmedAt != nil } == [false, true, true])
    #expect(output.contains("1 confirmed, 1 corrected, 1 deleted, 0 skipped; 0 left"), "\(output)")
  }

  @Test func anAnswerIsTakenBackAndTheEndLeavesTheRest() async throws {
    let (output, books) = try await review("d\nu\ns\n9780441172718\n=q")
    #expect(books.map(\.name) == ["Dune", "Sale", "q", "Dracola"], "\(output)")
    #expect(output.contains("0 confirmed, 1 corrected, 0 deleted, 1 skipped; 2 left"), "\(output)")
  }

  @Test func quittingAndTheEndOfInputLeaveTheRest() async throws {
    let (output, books) = try await review("?\nu\nq\nd\n")
    #expect(books.count == 4 && books.allSatisfy { $0.confirmedAt == nil })
    #expect(
      output.contains("take the last answer back") && output.contains("no answer to take back"), "\(output)")
  }

  @Test func aPageHasNothingOfABookAsMarkup() throws {
    let book = Book.sample(title: "<script>", author: "\"&")
    var page = ReviewPage()
    page.add(
      BookDetails.sample(book, reading: .init(title: "<img>", author: "")), picture: [0xFF, 0xD8, 0xFF])
    #expect(!page.html.contains("<script>") && !page.html.contains("<img>"))
    #expect(page.html.contains("&lt;script&gt;") && page.html.contains("data:image/jpeg;base64,/9j/"))
    #expect(page.html.contains("swiftwing library delete 5"))
  }
}

extension Book {
  fileprivate static func sample(title: String, author: String) -> Book {
    Book(id: 5, title: title, author: author, addedAt: Date(timeIntervalSince1970: 0), certainty: .doubtful)
  }
}

extension BookDetails {
  fileprivate static func sample(_ book: Book, reading: BookFinding.Reading) -> BookDetails {
    BookDetails(
      book: book, copies: 1, seen: 1,
      sightings: [.init(scan: "a", finding: "b", reading: reading)], hasPicture: true)
  }
}
