import Foundation
import GRDB
import Testing

@testable import Library
@testable import Uploads

/// Libraries of schema 6 and older, in which a confidence is a mean over letters instead of a probability.
@Suite struct ConfidenceMigrationTests {
  private let folder = try! TemporaryFolder()
  private static let spine = UUID()
  private static let other = UUID().fileName
  private static let scan = "00000000-0000-4000-8000-000000000001"

  /// Makes a library with one book and its spine as an older SwiftWing read it, and one book with a probability.
  private func makeLibrary(upTo migration: String = "6 curation") throws {
    try FileManager.default.createDirectory(atPath: "\(folder.path)/store", withIntermediateDirectories: true)
    let pool = try DatabasePool(path: "\(folder.path)/store/library.sqlite")
    try Schema.migrator.migrate(pool, upTo: migration)
    let spine = Self.spine.fileName
    try pool.write {
      try $0.execute(
        sql: """
          INSERT INTO book (id, title, author, addedAt, spineConfidence, matchKey, certainty) VALUES
            (1, 'Dracola', '', 5, 0.98, 'dracola', NULL), (2, 'Emma', '', 5, 0.8, 'emma', 'doubtful');
          INSERT INTO sighting (scanKey, id, bookID, spineID, confidence, title) VALUES
            ('\(Self.scan)', 'a', 1, '\(spine)', 0.98, NULL), ('\(Self.scan)', 'b', 2, '\(Self.other)', 0.8, 'Emma');
          INSERT INTO spine (id, title, confidence, sightings, view, photo, bookID) VALUES
            ('\(spine)', 'Dracola', 0.98, 1, 1, 1, 1), ('\(Self.other)', 'Emma', 0.99, 1, 1, 1, 2);
          """)
    }
  }

  @Test func whatNoProbabilityIsIsForgotten() async throws {
    try makeLibrary()
    let store = try folder.store()
    let books = try await store.library.books()
    #expect(books.map(\.spineConfidence) == [0.8, nil] && books.map(\.title) == ["Emma", "Dracola"])
    let spines = try await store.library.spines(limit: 9)
    #expect(spines.first?.confidence == 0)
    let sightings = try await store.library.details(of: [1, 2]).map { $0.sightings.map(\.confidence) }
    #expect(sightings == [[nil], [0.8]])
  }

  @Test func aBetterReadingOfToDayNamesTheBook() async throws {
    try makeLibrary()
    let store = try folder.store()
    try await store.queue.accept(Submission.photo())
    let scan = try #require(try await store.queue.scans().last)
    let spine = Spine(
      id: Self.spine, title: "Dracula", confidence: 0.9, place: nil, view: 1, photo: 2)
    let finding = Finding(
      BookFinding(title: "Dracula", confidence: 0.9, certainty: .sure), spine: spine, followsSpine: true)
    try await store.queue.deliver(scan, findings: [finding], at: Date())
    let book = try #require(try await store.library.book(1))
    #expect(book.title == "Dracula" && book.spineConfidence == 0.9 && book.certainty == .sure)
  }

  /// Undoing a deletion must not restore a confidence of the old kind.
  @Test func anUndoBringsNoOldConfidenceBack() async throws {
    try makeLibrary()
    let pool = try DatabasePool(path: "\(folder.path)/store/library.sqlite")
    try await pool.write { try $0.execute(sql: Self.deletion) }
    try pool.close()
    let store = try folder.store()
    #expect(try await store.library.book(1) == nil)
    try await store.library.undo()
    let book = try #require(try await store.library.book(1))
    #expect(book.title == "Dracola" && book.spineConfidence == nil)
    #expect(try await store.library.details(of: [1]).first?.sightings.map(\.confidence) == [nil])
  }

  /// The log of changes as `library delete 1` of schema 6 wrote it.
  private static let deletion = """
    INSERT INTO change (id, madeAt, kind, subject, books) VALUES (1, 5, 'delete', 'Dracola', 1);
    UPDATE shelf SET recording = 1;
    DELETE FROM sighting WHERE bookID = 1;
    DELETE FROM book WHERE id = 1;
    UPDATE shelf SET recording = NULL;
    """
}
