import Foundation
import System
import Testing

@testable import Catalogue

/// `swiftwing catalogue`, run as a process.
@Suite struct CatalogueCommandTests {
  private static let program = RunningProgram.sibling("swiftwing-tool")
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func run(_ words: [String]) throws -> (status: Int32, output: String, errors: String) {
    let said = try ChildProcess.run(Self.program, words, keeping: 1 << 20, keepingErrors: 1 << 20)
    return (
      said.end.status, String(decoding: said.output, as: UTF8.self),
      String(decoding: said.errors, as: UTF8.self)
    )
  }

  @Test func aCatalogueIsMadeAndAsked() throws {
    let list = try folder.write(
      "a.csv", Array("title,author,isbn\nDer Prozess,Franz Kafka,3596294312\nKim,\"\n".utf8))
    let out = "\(folder.path)/a.sqlite"
    let made = try run(["catalogue", "import", list, "--out", out])
    #expect(made.status == 0 && made.output == "\(list): 1 book\n\(out): 1 book\n")
    #expect(made.errors == "note: \(list): 1 record was not read; line 3: a quotation mark is not closed\n")
    let match = try run(["catalogue", "match", "DER PROZES", "--author", "Prans Kafka", "--catalogue", out])
    #expect(match.status == 0 && match.output == "Der Prozess / Franz Kafka  ISBN 9783596294312\n")
    let json = try run([
      "catalogue", "match", "DER PROZESS", "--author", "Kafka", "--catalogue", out, "--json",
    ])
    #expect(json.status == 0 && json.output.contains("\"isbn\" : \"9783596294312\""))
    let none = try run(["catalogue", "match", "Kim", "--catalogue", out, "--json"])
    #expect(none.status == 1 && none.output.contains("\"match\" : null"))
    let found = try run(["catalogue", "search", "KAFKA", "--catalogue", out])
    #expect(found.output == "9783596294312  Der Prozess / Franz Kafka\n")
    #expect(try run(["catalogue", "info", "--catalogue", out]).output.hasPrefix("1 book, 1 ISBN, "))
  }

  /// SQLite takes such a path for a URI, or for no file at all.
  @Test(arguments: ["file:a.sqlite", ":memory:"]) func aPathIsNoURI(path: String) throws {
    _ = try folder.write("a.csv", Array("title\nEmma\n".utf8))
    let script = #"cd "$0" && "$1" catalogue import a.csv --out "$2" && "$1" catalogue info --catalogue "$2""#
    let said = try ChildProcess.run(
      "/bin/sh", ["-c", script, folder.path, Self.program, path], keeping: 1 << 20, keepingErrors: 1 << 20)
    #expect(said.end.status == 0, "\(String(decoding: said.errors, as: UTF8.self))")
    #expect(String(decoding: said.output, as: UTF8.self).contains("1 book, 0 ISBNs"))
  }

  @Test func noOtherDatabaseIsReplaced() throws {
    let list = try folder.write("a.csv", Array("title\nEmma\n".utf8))
    let bytes = Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 84)
    let library = try folder.write("library.sqlite", bytes)
    let refused = try run(["catalogue", "import", list, "--out", library])
    #expect(refused.status == 2 && refused.errors.contains("a database is there, such as a library"))
    #expect(FileManager.default.contents(atPath: library).map { [UInt8]($0) } == bytes)
    let out = "\(folder.path)/a.sqlite"
    #expect(try run(["catalogue", "import", list, "--out", out]).status == 0)
    let again = try run(["catalogue", "import", list, "--out", out])
    #expect(again.status == 0 && again.errors == "note: replaced \(out)\n")
  }

  @Test func refusalsEndWithTheirStatus() throws {
    let list = try folder.write("a.csv", Array("title\nEmma\n".utf8))
    let over = try run(["catalogue", "import", list, "--out", list])
    #expect(over.status == 2 && over.errors.contains("would overwrite"))
    let nowhere = try run(["catalogue", "import", list, "--out", "\(folder.path)/none/a.sqlite"])
    #expect(nowhere.status == 1 && nowhere.errors.contains("No such file or directory"))
    let unnamed = try run(["catalogue", "info"])
    #expect(unnamed.status == 2 && unnamed.errors.contains("SWIFTWING_CATALOGUE"))
    let other = try run(["scan", "--photos", list, "--catalogue", list])
    #expect(other.status == 2 && other.errors.contains("it is no SQLite file"))
    #expect(try run(["catalogue", "match", "x", "--isbn", "12", "--catalogue", list]).status == 2)
  }
}
