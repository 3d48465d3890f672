import Foundation
import System
import Testing

@testable import Library
@testable import Uploads
@testable import swiftwing_tool

/// The reports of commands that change a library.
@Suite struct LibraryOutcomeTests {
  private func book(_ id: Int64, _ title: String) -> Book {
    Book(id: id, title: title, author: "", addedAt: Date(timeIntervalSince1970: 0))
  }

  private func group(_ ids: [Int64], copies: Bool) -> DuplicateGroup {
    DuplicateGroup(
      books: ids.map { book($0, "T\($0)") }, reasons: ids.dropFirst().map { _ in .sameName },
      areCopies: copies)
  }

  private func lines(_ groups: [DuplicateGroup], merged: Bool) -> [String] {
    DuplicatesDocument(groups, merged: merged).lines(columns: 80)
  }

  @Test func whatIsMergedIsSaidAndWhatIsNotAndWhy() {
    let both = [group([1, 2, 3], copies: false), group([4, 5], copies: true)]
    let done = lines(both, merged: true)
    #expect(done.contains("      merged: now all book 1"))
    #expect(done.contains("      not merged: copies, which were seen side by side"))
    #expect(done.last == "1 group merged: 2 books fewer; 1 group of copies left as it is")
    let listed = lines(both, merged: false)
    #expect(listed.last == "2 groups" && listed != done && !listed.contains { $0.contains("merged") })
    #expect(lines([both[1]], merged: true).last == "nothing merged; 1 group of copies left as it is")
    #expect(lines([both[1]], merged: true) != lines([both[1]], merged: false))
    #expect(lines([], merged: true) == ["nothing merged"] && lines([], merged: false) == ["0 groups"])
  }

  @Test func aPlaceIsToldAsAPersonFindsIt() {
    func text(_ path: String?, _ position: Double?) -> String {
      PhotographPlace(number: 12, path: path, row: position == nil ? nil : 2, position: position).text
    }
    #expect(text("/a/shelf-3.jpg", 7) == "shelf-3.jpg, row 2, book 7")
    #expect(text("/a/x\u{1B}[m.jpg", nil) == "x [m.jpg")
    #expect(
      text(nil, 0.002) == "photo 12, row 2, before book 1"
        && text(nil, 7.5) == "photo 12, row 2, after book 7")
    #expect(text(nil, .infinity) == "photo 12" && text("", -3) == ", row 2, before book 1")
  }

  /// Runs the program on a library whose path needs quotes.
  @Test func commandsThatAreToldAreOfThisLibrary() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "out come's-\(UUID().uuidString)")
      .path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    do {
      let library = try Store(directory: folder).library
      for title in ["Dune", "Dume"] {
        try await library.add(BookFinding(title: title, author: "Frank Herbert", certainty: .doubtful))
      }
    }
    func run(_ words: [String]) throws -> String {
      let said = try ChildProcess.run(
        RunningProgram.sibling("swiftwing-tool"), ["library"] + words + ["--library", folder], keeping: 9000,
        keepingErrors: 9000)
      #expect(said.end.status == 0)
      return String(decoding: said.output + said.errors, as: UTF8.self)
    }
    let option = ShellCommand.option("--library", folder)
    #expect(try run(["list"]).contains("`swiftwing library review \(option)`"))
    let merged = try run(["merge", "1", "2"])
    #expect(merged.contains("  was 2  Dume / Frank Herbert"), "\(merged)")
    #expect(
      merged.contains("`swiftwing library undo \(option)`")
        && merged.contains("`swiftwing library edit 1 --confirm \(option)`"))
    let undone = try run(["undo"])
    #expect(undone.hasPrefix("taken back: ") && undone.contains("merge  book 2, Dume"), "\(undone)")
    #expect(try run(["undo", "--list"]).contains("there are no changes"))
    #expect(try run(["add", "/ Foo Bar", "--isbn", "9780441172719"]).contains("(no title yet) / Foo Bar"))
    #expect(
      try run(["split", "1", "Dune / Frank Herbert", "Dune Messiah"]).contains("book 1 is now 2 books:"))
    #expect(try run(["list", "--sort", "title"]).contains("Dune Messiah"))
  }
}
