import Foundation
import Testing

@testable import Library
@testable import Uploads

/// Receipts of delivered scans, and scans that are read again.
@Suite struct ReceiptTests {
  let folder = try! TemporaryFolder()
  let now = Date(timeIntervalSince1970: 1_800_000_000)

  private func spine(_ title: String, _ id: UUID, sightings: Int = 1) -> Spine {
    Spine(id: id, title: title, confidence: 0.9, sightings: sightings, view: 1, photo: 1)
  }

  private func deliver(_ submission: Submission, _ findings: [Finding], again: Bool, in store: Store)
    async throws
  {
    #expect(try await store.queue.accept(submission, again: again) == .accepted)
    let scan = try #require(try await store.queue.scans().first)
    try await store.queue.deliver(scan, findings: findings, at: now)
  }

  @Test func aReceiptTellsWhenAndWhatWasSeen() async throws {
    let store = try folder.store()
    let (submission, dune, emma) = (Submission.photo(), UUID(), UUID())
    #expect(try await store.queue.receipt(of: submission.key) == nil)
    let findings = [("Dune", dune), ("Dune", dune), ("Emma", emma)].map { title, id in
      Finding(BookFinding(title: title), spine: spine(title, id), followsSpine: true)
    }
    try await deliver(submission, findings, again: false, in: store)
    let receipt = try #require(try await store.queue.receipt(of: submission.key))
    #expect(receipt == Receipt(key: submission.key, deliveredAt: now, books: 3, spines: [dune: 2, emma: 1]))
  }

  @Test func aScanThatIsReadOnceMoreTellsInPlaceOfWhatItTold() async throws {
    let store = try folder.store()
    let (submission, other, dune, emma) = (Submission.photo(), Submission.photo(), UUID(), UUID())
    let first = [("Dune", dune), ("Emma", emma)].map { title, id in
      Finding(BookFinding(title: title, confidence: 0.5), spine: spine(title, id), followsSpine: true)
    }
    try await deliver(submission, first, again: false, in: store)
    try await deliver(
      other,
      [Finding(BookFinding(title: "Emma"), spine: spine("Emma", emma, sightings: 2), followsSpine: true)],
      again: false, in: store)
    #expect(try await store.queue.accept(submission) == .alreadyDelivered)
    let second = [
      Finding(BookFinding(title: "Dune", confidence: 0.9), spine: spine("Dune", dune), followsSpine: true)
    ]
    try await deliver(submission, second, again: true, in: store)
    #expect(try await store.queue.counts().delivered == 2)
    let books = try await store.library.books()
    var sightings: [String: Int] = [:]
    for book in books { sightings[book.title] = try await store.library.sightings(of: book) }
    #expect(sightings == ["Dune": 1, "Emma": 1])
    let spines = try await store.library.spines(limit: 10)
    #expect(spines.map(\.title) == ["Dune", "Emma"] && spines.map(\.sightings) == [1, 1])
    #expect(try await store.queue.receipt(of: submission.key)?.books == 1)
  }

  @Test func theSameContentHasTheSameName() {
    #expect(UUID.digest(of: [1, 2, 3]) == .digest(of: [1, 2, 3]))
    #expect(UUID.digest(of: [1, 2, 3]) != .digest(of: [1, 2, 4]))
    #expect(UUID.named("x") == .digest(of: Array("x".utf8)))
  }
}
