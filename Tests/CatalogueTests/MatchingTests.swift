import Bibliography
import Foundation
import System
import Testing

@testable import Catalogue

/// A temporary folder that is deleted with the object.
final class ScratchFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "catalogue-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    try Data(bytes).write(to: URL(filePath: "\(path)/\(name)"))
    return "\(path)/\(name)"
  }

  /// Returns a catalogue that is imported from lists with these names and bytes.
  func catalogue(_ lists: [(name: String, bytes: [UInt8])]) async throws -> Catalogue {
    let paths = try lists.map { try write($0.name, $0.bytes) }
    _ = try await CatalogueImport(paths).write(to: "\(path)/out.sqlite", made: "2026-11-25T00:00:00Z")
    return try Catalogue(path: "\(path)/out.sqlite")
  }
}

/// The path of the documentation's list of classics.
let classics = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/classics.csv")
  .standardized.path

@Suite struct MatchingTests {
  private let folder: ScratchFolder
  private let catalogue: Catalogue

  init() async throws {
    folder = try ScratchFolder()
    let more = """
      title,author,isbn,volume,edition,publisher
      It,Stephen King,9780340951453,,,Hodder
      Introduction to Algorithms,Thomas H. Cormen,9780262033848,,3rd edition,MIT Press
      Introduction to Algorithms,Thomas H. Cormen,9780262046305,,4th edition,MIT Press
      Introduction to Psychology,James Kalat,,,,
      Introduction to Psychology,Rod Plotnik,,,,
      Franz Kafka,Max Brod,,,,
      Data Structures and Algorithms in Java,Robert Lafore,,,,
      Il nome della rosa : romanzo,Umberto Eco,9788845278655,,,Bompiani
      """
    let list = try [UInt8](Data(contentsOf: URL(filePath: classics)))
    catalogue = try await folder.catalogue([("classics.csv", list), ("more.csv", Array(more.utf8))])
  }

  private func match(_ title: String, _ author: String? = nil, _ isbn: String? = nil) throws -> String? {
    try catalogue.match(title: title, author: author, isbn: isbn).map { "\($0.title) / \($0.author ?? "")" }
  }

  @Test(arguments: [
    ("DER PROZES", "Prans Kafka", "Der Prozess / Franz Kafka"),
    ("DERPROZESS FRANZKAFKA", nil, "Der Prozess / Franz Kafka"),
    ("KAFKA DER PROZESS FISCHER TASCHENBUCH", nil, "Der Prozess / Franz Kafka"),
    ("CRIME AND PUN1SHMENT", "DOSTOEVSKY", "Crime and Punishment / Fyodor Dostoevsky"),
    ("Преступление и наказаиие", "Достоевский", "Преступление и наказание / Фёдор Достоевский"),
    ("LES MISERABLES", "VICTOR HUGO", "Les Misérables / Victor Hugo"),
    ("Vingt mille lieues sous les mers", nil, "Vingt mille lieues sous les mers / Jules Verne"),
    ("EMMA", "Jane Austen", "Emma / Jane Austen"), ("It", "STEPHEN KING", "It / Stephen King"),
    ("IL NOME DELLA ROSA", "Eco", "Il nome della rosa : romanzo / Umberto Eco"),
    ("Das Kapital Band 2", "Karl Marx", "Das Kapital, Band 2 / Karl Marx"),
  ]) func readingsAreFound(title: String, author: String?, book: String) throws {
    #expect(try match(title, author) == book)
  }

  @Test(
    arguments: [
      ("EMMA", nil), ("Les Fleurs du mal", nil), ("It", nil), ("Emma", "Flaubert"), ("FRANZ KAFKA", nil),
      ("Das Kapital", "Karl Marx"),
      ("Das Kapital Band 4", "Karl Marx"),
      ("Introduction to Psychology", nil), ("Introduction to Algebra", nil),
      ("Data Structures and Algorithms in Python", nil),
      ("The history of Rome", "Mommsen"), ("Jane Austen", nil), ("", nil), ("…", "—"), ("The", nil),
      ("Great Expectations of Modern Physics", nil),
    ] as [(String, String?)]) func whatIsInDoubtIsNone(title: String, author: String?) throws
  {
    #expect(try match(title, author) == nil)
  }

  @Test func editionsAreToldApartByTheirNumber() throws {
    func isbn(_ title: String) throws -> String? { try catalogue.match(title: title, author: "Cormen")?.isbn }
    #expect(try isbn("Introduction to Algorithms third edition") == "9780262033848")
    #expect(try isbn("Introduction to Algorithms 4th edition") == "9780262046305")
    #expect(
      try match("Introduction to Algorithms", "Cormen") == "Introduction to Algorithms / Thomas H. Cormen")
    #expect(try isbn("Introduction to Algorithms") == nil, "either edition would be a guess")
    #expect(try match("Introduction to Algorithms 2nd edition", "Cormen") == nil)
  }

  @Test func anISBNDecidesUnlessAnotherTitleWasRead() throws {
    #expect(try match("", nil, "0340951451") == "It / Stephen King")
    #expect(try match("IL N0ME DELLA R0SA", nil, "978-88-452-7865-5")?.hasPrefix("Il nome") == true)
    #expect(
      try match("Crime and Punishment", "Dostoevsky", "9780340951453")
        == "Crime and Punishment / Fyodor Dostoevsky")
    #expect(try match("", nil, "9780340951450") == nil, "a check digit that does not hold")
  }

  @Test func everyAuthorHasALastName() {
    let names = Agreement.surnames("Brian Kernighan & Dennis Ritchie; Kafka, Franz; Homer")
    #expect(names.map(\.text) == ["kernighan", "ritchie", "kafka", "homer"])
  }

  @Test func aLongReadingIsBounded() throws {
    let reading = Reading(
      title: String(repeating: "Der Prozess ", count: 20_000), author: String(repeating: "Kafka", count: 99))
    #expect(reading.title.letterCount == 300 && reading.author.letterCount == 0)
  }

  @Test func wordsAreSearched() throws {
    let found = try catalogue.search("KAFKA proz", limit: 10)
    #expect(found.map(\.title) == ["Der Prozess"])
    #expect(try catalogue.search("rosa bompiani", limit: 10).first?.isbns == ["9788845278655"])
    #expect(try catalogue.search("978-0-340-95145-3", limit: 10).first?.title == "It")
    #expect(try catalogue.search("\" OR * NEAR(", limit: 10).isEmpty)
    #expect(try catalogue.search("", limit: 10).isEmpty)
  }

  /// The index divides the words of some scripts further.
  @Test(arguments: ["हिन्दी", "தமிழ்", "မြန်မာ", "साहित्य हिन"])
  func wordsOfEveryScriptAreSearched(text: String) async throws {
    let list = "title,author\nहिन्दी साहित्य,प्रेमचंद\nதமிழ் நாடு,\nမြန်မာ,\n"
    let catalogue = try await folder.catalogue([("scripts.csv", Array(list.utf8))])
    #expect(try catalogue.search(text, limit: 10).count == 1)
  }

  @Test func manyThreadsMayAsk() throws {
    let answers = (0..<40).map { $0 % 2 == 0 ? "Der Prozess Kafka" : "Heart of Darkness Conrad" }
    DispatchQueue.concurrentPerform(iterations: answers.count) { [catalogue] index in
      #expect((try? catalogue.match(title: answers[index])) != nil)
    }
  }
}
