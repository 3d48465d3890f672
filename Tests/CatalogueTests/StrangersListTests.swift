import Foundation
import System
import Testing

@testable import Catalogue

/// The folder of other people's lists, beside the package. It may be missing.
enum Strangers {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../shared/data/strangers").standardized
}

/// Imports the lists of other people into a catalogue.
@Suite(.enabled(if: FileManager.default.fileExists(atPath: Strangers.folder.path)))
struct StrangersListTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func read(_ name: String) async throws -> (CatalogueImportOutcome.File, [CatalogueBook]) {
    let out = "\(scratch.path)/out.sqlite"
    let list = Strangers.folder.appending(path: name).path
    let outcome = try await CatalogueImport([list]).write(to: out, made: "")
    let catalogue = try Catalogue(path: out)
    let books = try ["lantern", "check", "thirteen", "nothing", "number", "book", "second", "plain"].flatMap {
      try catalogue.search($0, limit: 9)
    }
    return (try #require(outcome.files.first), books)
  }

  @Test(
    arguments: [
      ("goodreads_raw.csv", 4, "9780306406157"), ("isbn_u2011.csv", 1, "9780306406157"),
      ("librarything.tsv", 2, "9780306406157"), ("calibre.csv", 1, "9780306406157"),
    ]) func tablesAreRead(name: String, count: Int, isbn: String) async throws
  {
    let (file, books) = try await read(name)
    #expect(file.books == count && file.damaged == 0 && file.leftOut == 0)
    #expect(books.contains { $0.isbns.contains(isbn) })
    #expect(books.allSatisfy { $0.author?.isEmpty == false })
  }

  @Test func aLongValueStopsNothing() async throws {
    let (file, _) = try await read("calibre_long.csv")
    #expect(file.damaged == 0 && file.books > 0 && file.passedOver.contains("comments"))
  }

  @Test func textIsWhatItIs() async throws {
    #expect(try await read("l9blank_utf8.mrc").1.map(\.title) == ["Café lanterns"])
    #expect(try await read("latin1.xml").1.map(\.title) == ["Café lanterns"])
    let (file, books) = try await read("charcount.mrc")
    #expect(file.books == 2 && file.damaged == 0)
    #expect(books.map(\.title) == ["Café lantérns", "Café lanterns"])
    #expect(books.map(\.author) == ["Quíll, Adé", "Quill, Adé"])
  }

  @Test func aCommentThatUnpacksToMuchIsRefusedByName() throws {
    let job = try CatalogueImport([Strangers.folder.appending(path: "xml-comment-20MB.xml.gz").path])
    #expect(job.files.first?.format == .marc)
    var items: [ReadItem] = []
    let reader = MARCXMLReader()
    try ListFile(path: job.files[0].path).read { items += try reader.parse($0) }
    #expect(
      items.compactMap(\.damage).first
        == "line 1: a comment is longer than 128 KB; what follows is not read")
  }
}
