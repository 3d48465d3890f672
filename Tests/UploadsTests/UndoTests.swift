import Foundation
import GRDB
import Testing

@testable import Library
@testable import Uploads

/// Undoing a change: completely, or not at all.
@Suite struct UndoTests {
  let folder = try! TemporaryFolder()
  let now = Date(timeIntervalSince1970: 1_800_000_000)

  /// Returns all rows of the library except the log of changes.
  private func image(_ store: Store) async throws -> [String] {
    try await store.database.read { database in
      try ["book", "sighting", "spine", "picture", "dismissal"].flatMap { table in
        try Row.fetchAll(database, sql: "SELECT * FROM \(table) ORDER BY 1, 2").map { "\(table): \($0)" }
      }
    }
  }

  @discardableResult
  private func deliver(_ findings: [Finding], into store: Store) async throws -> [Book] {
    let submission = Submission.photo()
    try await store.queue.accept(submission)
    let scan = try #require(try await store.queue.scans().first { $0.key == submission.key })
    return try #require(try await store.queue.deliver(scan, findings: findings, at: now))
  }

  private func finding(
    _ title: String, author: String = "", spine id: UUID = UUID(), photo: Int = 1,
    _ certainty: BookFinding.Certainty = .doubtful
  ) -> Finding {
    let spine = Spine(id: id, title: title, confidence: 0.1 + 0.2, view: photo, photo: photo)
    return Finding(
      BookFinding(title: title, author: author, confidence: 0.1 + 0.2, certainty: certainty), spine: spine,
      followsSpine: true, picture: CurationTests.jpeg)
  }

  private func shelf(_ store: Store) async throws -> [Book] {
    try await store.library.add(
      BookFinding(isbn: "9780441172719", title: "Dune", coverURL: "https://x.org/c", confidence: 0.1 + 0.2))
    return try await deliver(
      [finding("Dracola"), finding("Émile", author: "Rousseau"), finding("Sale", .unlikely)], into: store)
  }

  @Test func everyChangeIsTakenBackToTheLastBit() async throws {
    let store = try folder.store()
    let books = try await shelf(store)
    let library = store.library
    let list = "\(folder.path)/list.csv"
    let identity = try await store.database.read(Library.identity)
    try Data(
      "id,library,title,isbn\n\(books[0].id),\(identity),Dracula,9780441172719\n1,\(identity),Dune Messiah,\n,,Emma,\n"
        .utf8
    ).write(to: URL(filePath: list))
    let changes: [(LibraryChange.Kind, () async throws -> Void)] = [
      (.edit, { _ = try await library.edit(books[0].id, BookEdit(title: "Dracula", author: "Stoker")) }),
      (.delete, { _ = try await library.delete(books.map(\.id)) }),
      (.merge, { _ = try await library.merge([books[2].id, 1, books[0].id]) }),
      (.review, { _ = try await library.review(books[2].id, .noBook) }),
      (.review, { _ = try await library.review(books[0].id, .right(BookEdit(isbn: "9780141439587"))) }),
      (.import, { _ = try await library.importBooks(from: list) }),
    ]
    let before = try await image(store)
    for (kind, change) in changes {
      try await change()
      #expect(try await image(store) != before, "\(kind)")
      #expect(try await library.undo().map(\.kind) == [kind])
      #expect(try await image(store) == before, "\(kind)")
    }
    // Undoes one change after another.
    try await changes[0].1()
    try await changes[2].1()
    #expect(try await library.changes().map(\.kind) == [.merge, .edit])
    #expect(try await library.undo(5).count == 2)
    #expect(try await image(store) == before)
    #expect(try await library.undo().isEmpty)
    #expect(try await library.search("emile").count == 1)
  }

  @Test func aBookComesBackUnderItsOwnId() async throws {
    let library = try folder.store().library
    let book = try #require(try await library.add(BookFinding(title: "Dune", confidence: 0.1 + 0.2)))
    try await library.delete([book.id])
    try await library.add(BookFinding(title: "Emma"))
    try await library.undo()
    #expect(try await library.book(book.id) == book)
    #expect(try await library.search("dune") == [book])
  }

  /// Sightings that came after a change stay, and belong to their spine.
  @Test func scansSinceStay() async throws {
    let store = try folder.store()
    let id = UUID()
    let books = try await deliver([finding("Dracola", spine: id), finding("Emma", .sure)], into: store)
    try await store.library.merge([books[1].id, books[0].id])
    try await deliver([finding("Dracola", spine: id, photo: 2)], into: store)
    #expect(try await store.library.sightings(of: books[1]) == 3)
    try await store.library.undo()
    #expect(try await store.library.sightings(of: books[0]) == 2)
    #expect(try await store.library.sightings(of: books[1]) == 1)
    try await store.library.edit(books[1].id, BookEdit(title: "EMMA"))
    try await store.library.add(BookFinding(isbn: "9780141439587", title: "Emma", confidence: 1))
    try await store.library.undo()
    let emma = try #require(try await store.library.book(books[1].id))
    #expect(emma.title == "Emma" && emma.isbn == "9780141439587", "the ISBN came later")
  }

  @Test func nothingNewerIsLost() async throws {
    let store = try folder.store()
    let library = store.library
    func refused(_ reason: String, _ body: () async throws -> Void) async throws {
      let before = try await image(store)
      let error = await #expect(throws: DeliveryError.self) { try await body() }
      #expect(
        error?.kind == .badInput && error?.reason.contains(reason) == true, "\(String(describing: error))")
      #expect(try await image(store) == before)
    }
    let book = try #require(try await library.add(BookFinding(title: "Dune")))
    try await library.edit(book.id, BookEdit(title: "Dune 1"))
    let first = try #require(try await library.changes().first?.id)
    try await library.edit(book.id, BookEdit(title: "Dune 2"))
    try await refused("the title of book \(book.id) has been changed since") {
      _ = try await library.undo(change: first)
    }
    try await library.delete([book.id])
    try await refused("book \(book.id) has been deleted since") { _ = try await library.undo(change: first) }
    // Another book has received the deleted book's ISBN since.
    let known = try #require(try await library.add(BookFinding(isbn: "9780441172719", title: "Known")))
    try await library.delete([known.id])
    let other = try #require(try await library.add(BookFinding(isbn: "9780441172719", title: "Known")))
    try await refused("book \(other.id) has been given the ISBN") { _ = try await library.undo() }
    // An imported book has been sighted since.
    let list = "\(folder.path)/list.csv"
    try Data("title\nEmma\n".utf8).write(to: URL(filePath: list))
    #expect(try await library.importBooks(from: list).added == 1)
    try await deliver([finding("Emma")], into: store)
    try await refused("which the change added, has been") { _ = try await library.undo() }
    try await refused("not in the log") { _ = try await library.undo(change: 999) }
    try await refused("which the change added, has been") { _ = try await library.undo(3) }
  }

  /// The book that a merge kept has received the ISBN of a merged book since.
  @Test func anISBNIsOfOneBook() async throws {
    let library = try folder.store().library
    let kept = try #require(try await library.add(BookFinding(isbn: "9780441172719", title: "Dune")))
    let other = try #require(
      try await library.add(BookFinding(isbn: "9780141439587", title: "Emma", format: "paperback")))
    try await library.merge([kept.id, other.id])
    let merge = try #require(try await library.changes().first?.id)
    try await library.edit(kept.id, BookEdit(isbn: "9780141439587"))
    let error = await #expect(throws: DeliveryError.self) { try await library.undo(change: merge) }
    #expect(
      error?.kind == .badInput && error?.reason.contains("book \(kept.id) has been given the ISBN") == true)
    try await library.undo(2)
    #expect(try await library.books().map(\.isbn) == ["9780141439587", "9780441172719"])
  }

  @Test func theLogIsBounded() async throws {
    let store = try folder.store()
    let book = try #require(try await store.library.add(BookFinding(title: "Dune")))
    try await store.database.write { database in
      for number in 0..<1010 {
        _ = try Curation.edit(
          book.id, BookEdit(title: "Dune \(number)"), as: .edit, at: now, in: database)
      }
    }
    let changes = try await store.library.changes(limit: 5000)
    #expect(changes.count == 1000 && changes.first?.subject == "book 1, Dune 1009")
    #expect(changes.first?.books == 1)
    #expect(try await store.library.undo(1000).count == 1000)
    #expect(try await store.library.book(book.id)?.title == "Dune 9")
    let left = try await store.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM change_row") }
    #expect(left == 0)
  }

  @Test func whatChangesNothingIsNoChange() async throws {
    let library = try folder.store().library
    let list = "\(folder.path)/list.csv"
    try await library.add(BookFinding(title: "Dune"))
    try await library.export(to: list, as: .csv)
    #expect(try await library.importBooks(from: list).changed == 0)
    #expect(try await library.mergeDuplicates().isEmpty)
    #expect(try await library.changes().isEmpty)
  }

  /// A visiting process edits while the owning process scans.
  @Test func aVisitorMayChangeWhatAnOwnerHasOpen() async throws {
    let (owner, visitor) = (try folder.store(), try folder.store(.visitor))
    let id = UUID()
    let book = try #require(try await deliver([finding("Dracola", spine: id)], into: owner).first)
    try await visitor.library.edit(book.id, BookEdit(title: "Dracula"))
    try await deliver([finding("DRAC", spine: id, photo: 2, .sure)], into: owner)
    #expect(try await visitor.library.book(book.id)?.title == "Dracula")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask { _ = try await visitor.library.edit(book.id, BookEdit(format: "f\(number)")) }
        group.addTask { _ = try await deliver([finding("Emma \(number)")], into: owner) }
      }
      try await group.waitForAll()
    }
    #expect(try await owner.library.count() == 21)
    #expect(try await visitor.library.changes().count == 21)
  }
}
