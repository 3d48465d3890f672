import Foundation
import GRDB
import Testing

@testable import Library
@testable import Uploads

/// Findings and spines in the library. Each keeps its id, whatever happens to its book.
@Suite struct FindingTests {
  private let folder = try! TemporaryFolder()
  private let now = Date(timeIntervalSince1970: 1_800_000_000)

  /// Queues a scan and delivers it.
  @discardableResult
  private func deliver(_ findings: [Finding], into store: Store) async throws -> [Book] {
    let submission = Submission.photo()
    try await store.queue.accept(submission)
    let scan = try #require(try await store.queue.scans().last)
    return try #require(try await store.queue.deliver(scan, findings: findings, at: now))
  }

  private func spine(
    _ title: String, id: UUID = UUID(), confidence: Double = 0.9, photo: Int = 1, place: Spine.Place? = nil
  ) -> Spine {
    Spine(id: id, title: title, confidence: confidence, place: place, view: 1, photo: photo)
  }

  private func finding(_ spine: Spine, parts: [Spine.ID] = []) -> Finding {
    Finding(
      BookFinding(
        isbn: spine.isbn, title: spine.title, author: spine.author ?? "", confidence: spine.confidence),
      spine: spine, followsSpine: true, parts: parts)
  }

  private func sightings(_ store: Store) async throws -> [String: Int64] {
    try await store.database.read { database in
      Dictionary(
        uniqueKeysWithValues: try Row.fetchAll(database, sql: "SELECT id, bookID FROM sighting").map {
          ($0["id"], $0["bookID"])
        })
    }
  }

  @Test func findingsKeepTheirIdsThroughEditingAndReordering() async throws {
    let findings = ["Duune", "Emma", "Walden"].map { Finding(BookFinding(title: $0)) }
    let ids = Set(findings.map(\.id.fileName))
    do {
      let store = try folder.store()
      let books = try await deliver(findings, into: store)
      #expect(Set(try await sightings(store).keys) == ids)
      try await store.library.correct(books[0].id, by: BookFinding(title: "Dune", confidence: 1))
      try await store.library.add(BookFinding(isbn: "9780141439587", title: "Emma", author: "Jane Austen"))
      #expect(try await store.library.remove(books[2].id))
    }
    let store = try folder.store()
    let left = try await sightings(store)
    #expect(Set(left.keys) == ids.subtracting([findings[2].id.fileName]))
    let dune = try #require(try await store.library.search("dune").first)
    #expect(left[findings[0].id.fileName] == dune.id)
  }

  /// Finding ids are unique only within a scan: a backend may give the books of every scan the same ids.
  @Test func idsAreUniqueInTheirScanOnly() async throws {
    let store = try folder.store()
    let finding = Finding(BookFinding(title: "Dune"))
    try await deliver([finding], into: store)
    let book = try #require(try await deliver([finding], into: store).first)
    #expect(try await store.library.sightings(of: book) == 2)
  }

  @Test func spinesAreTheSameAfterReopening() async throws {
    let place = Spine.Place(x: 1.5, y: 2, width: 30, height: 400, angle: 90)
    var first = spine("Dune", place: place)
    (first.look, first.author, first.sightings) = (UInt64.max - 6, "Frank Herbert", 3)
    let second = spine("Emma", photo: 2)
    do { try await deliver([finding(first), finding(second)], into: folder.store()) }
    let library = try folder.store().library
    #expect(try await library.spines(limit: 10) == [first, second])
    #expect(try await library.spines(limit: 1) == [second])
  }

  @Test func aSpineIsTheBookItWas() async throws {
    let store = try folder.store()
    let id = UUID()
    let book = try #require(
      try await deliver([finding(spine("Dracola", id: id, confidence: 0.7))], into: store).first)
    // A less confident reading of the spine is taken for the same book, and does not change the title.
    try await deliver([finding(spine("Dnacu!a", id: id, confidence: 0.6, photo: 2))], into: store)
    #expect(try await store.library.books().map(\.title) == ["Dracola"])
    try await deliver([finding(spine("Dracula", id: id, confidence: 0.95, photo: 3))], into: store)
    let now = try #require(try await store.library.books().first)
    #expect(now.title == "Dracula" && now.id == book.id && now.spineConfidence == 0.95)
    #expect(try await store.library.count() == 1)
    // A reading with an ISBN determines the title; later readings without one do not change it.
    var named = spine("Dracula", id: id, confidence: 0.95, photo: 4)
    named.isbn = "9780141439846"
    try await deliver([finding(named)], into: store)
    try await deliver([finding(spine("DRAKULA", id: id, confidence: 1, photo: 5))], into: store)
    let last = try #require(try await store.library.books().first)
    #expect(last.id == book.id && last.isbn == "9780141439846" && last.title == "Dracula")
    #expect(try await store.library.count() == 1)
  }

  /// A backend's book is identified by its title rather than by its spine, because the backend may know the book better.
  @Test func aBackendsBookDoesNotFollowItsSpine() async throws {
    let store = try folder.store()
    let id = UUID()
    try await deliver([finding(spine("Dracola", id: id, confidence: 0.7))], into: store)
    try await deliver(
      [Finding(BookFinding(title: "Dracula"), spine: spine("Dracola", id: id, photo: 2))], into: store)
    #expect(try await store.library.books().map(\.title).sorted() == ["Dracola", "Dracula"])
    #expect(try await store.library.spines(limit: 10).count == 1)
  }

  /// Scans may be delivered in another order than they were read. The later photo's reading stays.
  @Test func whatALaterPhotoToldStays() async throws {
    let store = try folder.store()
    let id = UUID()
    let (early, late) = (
      spine("Dracola", id: id, confidence: 0.7), spine("Dracula", id: id, confidence: 0.9, photo: 2)
    )
    try await deliver([finding(late)], into: store)
    try await deliver([finding(early)], into: store)
    #expect(try await store.library.spines(limit: 10) == [late])
    #expect(try await store.library.books().map(\.title) == ["Dracula"])
  }

  @Test func aPartGoesIntoItsWhole() async throws {
    let store = try folder.store()
    let (whole, part) = (spine("The Moonstone"), spine("Wilkie Collins"))
    try await deliver([finding(whole), finding(part)], into: store)
    var again = whole
    again.photo = 2
    try await deliver([finding(again, parts: [part.id, whole.id, UUID()])], into: store)
    let book = try #require(try await store.library.books().first)
    #expect(try await store.library.count() == 1 && book.title == "The Moonstone")
    #expect(try await store.library.sightings(of: book) == 3)
    #expect(try await store.library.spines(limit: 10) == [again])
  }

  /// The book of a spine that turned out to be a part stays if it has an ISBN or another spine too.
  @Test func theBookOfAPartStaysWhenItIsOneByItself() async throws {
    let store = try folder.store()
    let (whole, part, copy) = (spine("The Moonstone"), spine("Wilkie Collins"), spine("Wilkie Collins"))
    var known = spine("Dune")
    known.isbn = "9780441172719"
    try await deliver([whole, part, copy, known].map { finding($0) }, into: store)
    #expect(try await store.library.count() == 3)
    var again = whole
    again.photo = 2
    try await deliver([finding(again, parts: [part.id, known.id])], into: store)
    #expect(try await store.library.count() == 3)
    #expect(Set(try await store.library.spines(limit: 10).map(\.id)) == [whole.id, copy.id])
  }

  @Test func aRemovedBookIsAddedWhenItsSpineIsSeenAgain() async throws {
    let store = try folder.store()
    var spine = spine("Dune")
    let book = try #require(try await deliver([finding(spine)], into: store).first)
    #expect(try await store.library.remove(book.id))
    spine.photo = 2
    try await deliver([finding(spine)], into: store)
    #expect(try await store.library.books().map(\.title) == ["Dune"])
    #expect(try await store.library.spines(limit: 10) == [spine])
  }

  @Test func namesMakeTheSameIds() {
    let id = UUID.named("a/0")
    #expect(id == .named("a/0") && id != .named("a/1"))
    // A UUID by RFC 9562: version 8, variant 10.
    #expect(
      id.uuidString.dropFirst(14).first == "8" && "89AB".contains(id.uuidString.dropFirst(19).first ?? "-"))
  }
}
