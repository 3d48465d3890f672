import Foundation
import GRDB
import System
import Testing

@testable import Library
@testable import Uploads

/// The photograph that shows a book, the book's place in it, and the order that results.
@Suite struct PlaceTests {
  let folder = try! TemporaryFolder()
  let now = Date(timeIntervalSince1970: 1_800_000_000)

  /// Delivers the findings of a photograph.
  /// - Parameter titles: each title with its row and its position in the row.
  @discardableResult
  private func deliver(
    _ path: String?, _ titles: [(String, Int, Double)], key: UUID = UUID(), again: Bool = false,
    into store: Store
  ) async throws -> [Book] {
    var submission = Submission.photo()
    (submission.key, submission.path) = (key, path)
    try await store.queue.accept(submission, again: again)
    let scan = try #require(try await store.queue.scans().first { $0.key == submission.key })
    let findings = titles.map { title, row, position in
      Finding(
        id: .named("\(key)\(title)"), BookFinding(title: title, confidence: 0.5, certainty: .doubtful),
        place: Finding.Place(row: row, position: position, x: 1, y: 2, width: 3, height: 4))
    }
    return try #require(try await store.queue.deliver(scan, findings: findings, at: now))
  }

  @Test func aLocationTravelsWithItsPhotograph() async throws {
    let store = try folder.store()
    let key = UUID()
    try await deliver("/a/1.jpg", [("A", 1, 1), ("B", 1, 2)], key: key, into: store)
    let library = store.library
    let books = try await library.books(in: .shelf, limit: 9)
    #expect(try await library.places(of: books)[books[0].id]?.location == nil)
    try await library.name(photograph: key, "/a/1.jpg", location: " living\nroom, 3 ")
    #expect(try await library.places(of: books)[books[0].id]?.location == "living room, 3")
    // If the photograph is submitted again without a path, it keeps its name.
    try await library.name(photograph: key, "/b/1.jpg")
    try await deliver("/b/1.jpg", [("A", 1, 1), ("B", 1, 2)], key: key, again: true, into: store)
    let place = try #require(try await library.places(of: books)[books[0].id])
    #expect(place.location == "living room, 3" && place.path == "/b/1.jpg")
    let csv = Gathered()
    try await library.export(as: .csv) { csv.add($0) }
    let rows = csv.text.split(separator: "\r\n")
    #expect(rows[0].hasSuffix("photo,location") && rows[1].hasSuffix("/b/1.jpg,\"living room, 3\""))
  }

  @Test func anExportFollowsTheShelfOrAnOrder() async throws {
    let store = try folder.store()
    try await store.library.add(BookFinding(title: "Z", author: "Anna Adams"))
    try await deliver("/a/1.jpg", [("D", 1, 2), ("B", 1, 1)], into: store)
    let latest = try await store.library.books(in: .added, limit: 9).map(\.title)
    let orders: [(Library.Order, [String])] = [
      (.shelf, ["B", "D", "Z"]), (.title, ["B", "D", "Z"]), (.author, ["Z", "B", "D"]), (.added, latest),
    ]
    for (order, titles) in orders {
      let csv = Gathered()
      #expect(try await store.library.export(in: order, as: .csv) { csv.add($0) } == 3)
      let rows = csv.text.split(separator: "\r\n").dropFirst()
      #expect(rows.compactMap { $0.split(separator: ",").first.map(String.init) } == titles)
    }
  }

  @Test func booksAreListedAsTheyStand() async throws {
    let store = try folder.store()
    try await store.library.add(BookFinding(title: "By hand"))
    try await deliver("/a/2.jpg", [("D", 2, 1), ("B", 1, 2), ("A", 1, 1), ("C", 1, 3)], into: store)
    // The photographs overlap. A book keeps the place in which it was seen first.
    try await deliver("/a/10.jpg", [("C", 1, 1), ("E", 1, 2)], into: store)
    let library = store.library
    #expect(
      try await library.books(in: .shelf, limit: 9).map(\.title) == ["A", "B", "C", "D", "E", "By hand"])
    #expect(try await library.books(in: .shelf, limit: 2).map(\.title) == ["A", "B"])
    #expect(try await library.booksToReview().count == 5)
    #expect(try await library.countToReview() == 5)
    #expect(try await library.books(in: .shelf, limit: 3, .doubtful).map(\.title) == ["A", "B", "C"])
    let books = try await library.books(in: .shelf, limit: 9)
    let places = try await library.places(of: books)
    #expect(places[books[2].id] == PhotographPlace(number: 1, path: "/a/2.jpg", row: 1, position: 3))
    #expect(places[books[5].id] == nil)
    let details = try #require(try await library.details(of: [books[2].id]).first)
    #expect(details.sightings.compactMap(\.place?.path).sorted() == ["/a/10.jpg", "/a/2.jpg"])
    #expect(details.behind?.title == "B" && details.before == nil)
    let second = try #require(try await library.details(of: [books[1].id]).first)
    #expect(second.behind?.title == "A" && second.before?.title == "C")
    #expect(try await library.details(of: [books[5].id]).first?.behind == nil)
  }

  @Test func booksAreSorted() async throws {
    let library = try folder.store().library
    for (title, author) in [
      ("Good Omens", "Terry Pratchett; Neil Gaiman"), ("C", "Brian Kernighan & Dennis Ritchie"),
      ("émile", "Jean-Jacques Rousseau"), ("Dune", "Frank Herbert"), ("Zen", ""), ("Amerika", "Kafka, Franz"),
      ("Der Prozess", "Franz Kafka"),
    ] { try await library.add(BookFinding(title: title, author: author)) }
    #expect(
      try await library.books(in: .title, limit: 9).map(\.title) == [
        "Amerika", "C", "Der Prozess", "Dune", "émile", "Good Omens", "Zen",
      ])
    #expect(
      try await library.books(in: .author, limit: 9).map(\.title) == [
        "Dune", "Amerika", "Der Prozess", "C", "Good Omens", "émile", "Zen",
      ])
    #expect(try await library.books(in: .added, limit: 2).map(\.title) == ["Der Prozess", "Amerika"])
  }

  @Test func aPlaceComesBackWithItsBook() async throws {
    let store = try folder.store()
    let books = try await deliver("/1.jpg", [("A", 1, 1), ("B", 1, 2)], into: store)
    try await store.library.delete([books[0].id])
    #expect(try await store.library.books(in: .shelf, limit: 9).map(\.title) == ["B"])
    try await store.library.undo()
    #expect(try await store.library.books(in: .shelf, limit: 9).map(\.title) == ["A", "B"])
  }

  @Test func aPhotographHasTheNameOfItsFile() async throws {
    let store = try folder.store()
    let key = UUID()
    let books = try await deliver(nil, [("A", 1, 1)], key: key, into: store)
    #expect(try await store.library.places(of: books)[books[0].id]?.path == nil)
    try await store.library.name(photograph: key, "/new.jpg")
    #expect(try await store.library.places(of: books)[books[0].id]?.path == "/new.jpg")
    // A scan that is dropped before its delivery leaves no path behind.
    var submission = Submission.photo()
    submission.path = "/secret.jpg"
    try await store.queue.accept(submission)
    try await store.queue.drop(submission.key)
    #expect(
      try await store.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM photograph") } == 1)
  }

  @Test func aBookByHandStandsBehindItsNeighbourForGood() async throws {
    let store = try folder.store()
    let (library, key) = (store.library, UUID())
    let books = try await deliver("/1.jpg", [("A", 1, 1), ("B", 1, 2)], key: key, into: store)
    let added = try await library.add(byHand: BookEdit(title: "New", author: "X"), after: books[0].id).book
    #expect(added.confirmedAt != nil && added.certainty == .sure)
    #expect(try await library.books(in: .shelf, limit: 9).map(\.title) == ["A", "New", "B"])
    #expect(try await library.places(of: [added])[added.id]?.position == 1.5)
    try await library.add(byHand: BookEdit(title: "Newer"), after: books[0].id)
    #expect(try await library.books(in: .shelf, limit: 9).map(\.title) == ["A", "Newer", "New", "B"])
    // Reading the photograph again does not move the books that were added by hand.
    try await deliver("/1.jpg", [("A", 1, 1), ("B", 1, 2)], key: key, again: true, into: store)
    #expect(try await library.books(in: .shelf, limit: 9).map(\.title) == ["A", "Newer", "New", "B"])
    try await library.undo(2)
    #expect(try await library.books(in: .shelf, limit: 9).map(\.title) == ["A", "B"])
    #expect(try await library.changes().isEmpty)
    let places = try await store.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM place") }
    #expect(places == 2, "nothing is left of the undone change")
  }

  @Test func whatCannotBeAddedIsRefused() async throws {
    let library = try folder.store().library
    try await library.add(BookFinding(isbn: "9780441172719", title: "Dune", author: "Frank Herbert"))
    for (edit, reason) in [
      (BookEdit(), "neither a title nor an ISBN"),
      (BookEdit(title: "DUNE", author: "frank herbert"), "as book 1"),
      (BookEdit(title: "X", isbn: "9780441172719"), "is that of book 1"),
      (BookEdit(title: "X", isbn: "12"), "is not an ISBN"),
    ] {
      let error = await #expect(throws: DeliveryError.self) { try await library.add(byHand: edit) }
      #expect(
        error?.kind == .badInput && error?.reason.contains(reason) == true, "\(String(describing: error))")
    }
    await #expect(throws: DeliveryError.self) {
      try await library.add(byHand: BookEdit(title: "Y"), after: 9)
    }
    #expect(try await library.changes().isEmpty)
    #expect(try await library.count() == 1)
  }

  @Test func aRecordBecomesTheBooksThatItIs() async throws {
    let store = try folder.store()
    let library = store.library
    let books = try await deliver("/1.jpg", [("DUNE EMMA", 1, 1), ("B", 1, 2)], into: store)
    let split = try await library.split(
      books[0].id,
      into: [BookEdit(title: "Dune", author: "Herbert"), BookEdit(title: "Emma", author: "Austen")])
    #expect(split.map(\.name) == ["Dune / Herbert", "Emma / Austen"] && split[0].id == books[0].id)
    #expect(split.allSatisfy { $0.confirmedAt != nil })
    #expect(try await library.books(in: .shelf, limit: 9).map(\.title) == ["Dune", "Emma", "B"])
    let details = try #require(try await library.details(of: [split[1].id]).first)
    #expect(details.sightings.map(\.reading?.title) == ["DUNE EMMA"], "the reading has both titles")
    #expect(details.sightings.first?.place?.path == "/1.jpg")
    #expect(try await library.duplicates().isEmpty)
    let changes = try await library.undo()
    #expect(changes.map(\.kind) == [.split])
    #expect(try await library.books(in: .shelf, limit: 9).map(\.title) == ["DUNE EMMA", "B"])
    #expect(try await library.book(books[0].id) == books[0])
  }

  @Test func aSplitThatCannotBeIsNone() async throws {
    let store = try folder.store()
    let books = try await deliver("/1.jpg", [("DUNE EMMA", 1, 1), ("Emma", 1, 2)], into: store)
    for names in [[], [BookEdit(title: "Dune")], [BookEdit(title: "Dune"), BookEdit(title: "emma")]] {
      await #expect(throws: DeliveryError.self) { try await store.library.split(books[0].id, into: names) }
    }
    #expect(try await store.library.book(books[0].id)?.title == "DUNE EMMA")
  }
}

/// Collects the pieces of an export.
private final class Gathered: Sendable {
  private let bytes = Locked([UInt8]())

  func add(_ piece: [UInt8]) { bytes.withLock { $0 += piece } }

  var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }
}
