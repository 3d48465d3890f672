import Foundation
import GRDB
import System
import Testing

@testable import Catalogue

@Suite struct CatalogueFileTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private var out: String { "\(folder.path)/out.sqlite" }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  private func write(_ lists: [String], as format: CatalogueFormat? = nil) async throws
    -> CatalogueImportOutcome
  {
    try await CatalogueImport(lists, as: format).write(to: out, made: "2026-11-25T00:00:00Z")
  }

  private func reason(_ body: () async throws -> Void) async -> String? {
    do {
      try await body()
      return nil
    } catch { return (error as? CatalogueError)?.reason ?? "\(error)" }
  }

  @Test func allFormatsMakeOneCatalogue() async throws {
    let table = try folder.write("a.csv", Array("title,author\nEmma,Austen\nKim\n".utf8))
    let binary = try folder.write("b.mrc", marc([("245", field("$aFaust"))]))
    let dump = try folder.write(
      "ol_dump_x.txt",
      Array(
        ([
          OpenLibraryTests.line(
            "edition", "/books/OL1M", #"{"title": "Pelle", "works": [{"key": "/works/OL9W"}]}"#),
          OpenLibraryTests.line(
            "work", "/works/OL9W",
            #"{"title": "Pelle Erobreren", "authors": [{"author": {"key": "/authors/OL2A"}}]}"#),
          OpenLibraryTests.line("author", "/authors/OL2A", #"{"name": "Martin Nexø"}"#),
        ] as [String]).joined(separator: "\n").utf8))
    let outcome = try await write([table, binary, dump])
    #expect(outcome.books == 4 && outcome.files.map(\.books) == [1, 1, 2])
    #expect(outcome.files[0].firstDamage == "line 3: it has 1 field where the first line names 2")
    let catalogue = try Catalogue(path: out)
    #expect(
      try catalogue.search("nexo", limit: 9).map(\.title) == ["Pelle", "Pelle Erobreren"],
      "an edition without an author gets that of its work")
    let info = try catalogue.info()
    #expect(info.books == 4 && info.sources == [table, binary, dump] && info.made == "2026-11-25T00:00:00Z")
  }

  @Test func compressedListsAreRead() async throws {
    let table = try folder.write("a.csv", Array("title,author\nEmma,Austen\n".utf8))
    #expect(try ChildProcess.run("/bin/gzip", [table], keeping: 0).end.status == 0)
    #expect(try await write(["\(table).gz"]).books == 1)
    let whole = try [UInt8](Data(contentsOf: URL(filePath: "\(table).gz")))
    let cut = try folder.write("cut.csv.gz", Array(whole.dropLast(9)))
    #expect(await reason { _ = try await write([cut]) } == "its compressed data is cut off")
  }

  @Test func whatFailsLeavesTheOldFile() async throws {
    let old = try folder.write("out.sqlite", Array("old".utf8))
    let good = try folder.write("a.csv", Array("title\nEmma\n".utf8))
    let bad = try folder.write("b.csv", Array("name\nEmma\n".utf8))
    let empty = try folder.write("c.csv", Array("title\n,\n".utf8))
    #expect(
      await reason { _ = try await write([good, bad]) }
        == "its first line names no column title, but name")
    #expect(
      await reason { _ = try await write([good, "\(folder.path)/none.csv"]) } == "No such file or directory")
    #expect(await reason { _ = try await write([good, "/dev/zero"], as: .csv) } == "it is not a file")
    #expect(
      await reason { _ = try await write([empty]) }
        == "there is no book in it")
    #expect(
      await reason { _ = try await write([folder.path + "/list"]) } == "its name does not show its format")
    #expect(try names() == ["a.csv", "b.csv", "c.csv", "out.sqlite"], "no draft stays")
    #expect(try String(contentsOfFile: old, encoding: .utf8) == "old")
    #expect(try await write([good]).books == 1)
    #expect(try Catalogue(path: out).info().books == 1)
  }

  @Test func aCancelledImportLeavesNothing() async throws {
    let good = try folder.write("a.csv", Array("title\nEmma\n".utf8))
    let job = try CatalogueImport([good])
    let path = out
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await job.write(to: path, made: "")
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try names() == ["a.csv"])
  }

  /// Cancels an import while it reads books, and while it indexes them or sorts the indexes, which is a single SQL statement.
  @Test(arguments: ["read", "indexed"]) func anImportIsCancelledInTheMiddle(_ stage: String) async throws {
    let rows = (1...20_000).map { "Book \($0) of \($0 * 7919)" }.joined(separator: "\n")
    let job = try CatalogueImport([try folder.write("a.csv", Array("title\n\(rows)\n".utf8))])
    let path = out
    let task = Task {
      try await job.write(to: path, made: "") { books, isIndexing in
        if isIndexing == (stage == "indexed"), books == 20_000 { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try names() == ["a.csv"])
  }

  @Test func aStatementIsInterrupted() throws {
    let writer = try CatalogueWriter(out, draft: "\(out).new", made: "", sources: [])
    for number in 0..<20_000 {
      try writer.add(CatalogueRecord(title: "Book \(number) of \(number * 7919)"))
    }
    let error = #expect(throws: CatalogueError.self) {
      try writer.finish { if $0 == 20_000 { writer.interrupt() } }
    }
    #expect(error?.reason == "interrupted")
  }

  @Test func whatIsNoCatalogueIsRefused() async throws {
    func run(_ sql: String, in path: String) throws {
      try DatabaseQueue(path: path).write { try $0.execute(sql: sql) }
    }
    func refusal(_ path: String) async -> String? { await reason { _ = try Catalogue(path: path) } }
    #expect(await refusal(out) == "there is no catalogue there")
    #expect(await refusal(folder.path) == "it is not a file")
    #expect(await refusal(try folder.write("empty", [])) == "it is empty")
    #expect(
      await refusal(try folder.write("text", Array(repeating: 0x61, count: 5000))) == "it is no SQLite file")
    try run("CREATE TABLE a (b)", in: "\(folder.path)/other")
    #expect(await refusal("\(folder.path)/other") == "it is an SQLite file of another program")
    _ = try await write([try folder.write("a.csv", Array("title\nEmma\n".utf8))])
    try run("CREATE VIEW gram_x AS SELECT 1", in: out)
    #expect(await refusal(out) == "its tables are not those of a catalogue")
    try run("DROP VIEW gram_x; PRAGMA user_version = 2", in: out)
    #expect(await refusal(out) == "another version of SwiftWing has made it")
  }

  /// A catalogue with bytes changed anywhere gives a match, no match, or an error, but never crashes.
  @Test func aDamagedCatalogueIsNoCrash() async throws {
    _ = try await write([classics])
    let whole = try [UInt8](Data(contentsOf: URL(filePath: out)))
    var chance = SplitMix64(seed: 14)
    var (answered, refused) = (0, 0)
    func attempt<Answer>(_ body: () throws(CatalogueError) -> Answer) -> Answer? {
      do {
        let answer = try body()
        answered += 1
        return answer
      } catch {
        #expect(!error.reason.isEmpty)
        refused += 1
        return nil
      }
    }
    for _ in 0..<60 {
      var bytes = whole
      for _ in 0..<20 {
        bytes[Int.random(in: 100..<bytes.count, using: &chance)] = UInt8.random(in: 0...255, using: &chance)
      }
      let path = try folder.write("damaged", bytes)
      guard let catalogue = attempt({ () throws(CatalogueError) in try Catalogue(path: path) }) else {
        continue
      }
      _ = attempt { () throws(CatalogueError) in try catalogue.match(title: "Der Prozess", author: "Kafka") }
      _ = attempt { () throws(CatalogueError) in try catalogue.search("kafka", limit: 5) }
      _ = attempt { () throws(CatalogueError) in try catalogue.info() }
    }
    #expect(answered > 0 && refused > 0)
  }

  @Test func formatsAreToldByNames() {
    let names = [
      "a.CSV", "b.tsv.gz", "c.mrc", "d.xml.gz", "ol_dump_editions_2026-10-31.txt.gz", "e.txt", "f", "csv",
    ]
    #expect(
      names.map { CatalogueFormat(fileName: "x/\($0)") } == [
        .csv, .csv, .marc, .marc, .openlibrary, nil, nil, .csv,
      ])
  }

  /// Random bytes, and valid lists with changed bytes, give at least one item or error and never crash.
  @Test(arguments: CatalogueFormat.allCases) func hostileListsEnd(format: CatalogueFormat) throws {
    var chance = SplitMix64(seed: 3)
    let sound: [UInt8] =
      switch format {
      case .csv: Array("title,author\n\"Emma\",Austen\n".utf8)
      case .marc: marc([("020", field("$a1")), ("245", field("$aFaust$bx"))], scheme: UInt8(ascii: " "))
      case .openlibrary:
        Array(
          OpenLibraryTests.line(
            "edition", "/books/OL1M", #"{"title": "Pelle", "authors": [{"key": "/authors/OL2A"}]}"#
          ).utf8)
      }
    for round in 0..<3000 {
      var bytes =
        round % 3 == 0
        ? (0..<Int.random(in: 0..<300, using: &chance)).map { _ in UInt8.random(in: 0...255, using: &chance) }
        : sound + sound
      for _ in 0..<3 where !bytes.isEmpty {
        bytes[Int.random(in: 0..<bytes.count, using: &chance)] = UInt8.random(in: 0...255, using: &chance)
      }
      let first = bytes[...]
      let whole = try? items({ format.reader(first: first) }, bytes, by: max(1, bytes.count))
      let pieces = try? items({ format.reader(first: first) }, bytes, by: 1)
      #expect(whole == pieces)
    }
  }
}
