import Foundation
import GRDB
import Testing

@testable import Library
@testable import Uploads

/// The records that count as different readings of one book.
@Suite struct DuplicatesTests {
  let folder = try! TemporaryFolder()
  let now = Date(timeIntervalSince1970: 1_800_000_000)

  private func book(_ id: Int64, _ name: (String, String), isbn: String? = nil) -> BookWords {
    BookWords(
      Book(id: id, isbn: isbn, title: name.0, author: name.1, addedAt: now))
  }

  @Test(
    arguments: [
      (("Der Prozess", "Franz Kafka"), ("DER PROZESS", "Prans Kafka"), .authorMisread),
      (("BLACK HOLE", "CHARLES BURNS"), ("Black Hole", ""), .authorMissing),
      (("Charles Burns Black Hole", ""), ("Black Hole", "Charles Burns"), .sameWords),
      (("Blackhole", "Charles Burns"), ("Black Hole", "Charles Burns"), .sameLetters),
      (("Dracola", "Bram Stoker"), ("Dracula", "Bram Stoker"), .similarTitle),
      (("Der Zauberberg", "Mann"), ("Der Zauberherg", "Thomas Mann"), .similarTitle),
      (("The Left Hand of Darkness", ""), ("The Left Hand of Darkncss", "Le Guin"), .similarTitle),
      (("Deep Learning", "Bengio, Aaron"), ("Deep Learning", "Bengio, and Aaron"), .authorMisread),
      (
        ("Deep Learning", "Ian Goodfellow, Yoshua Bengio, Aaron Courville"),
        ("Deep Learning", "Bengio, and Aaron"), .authorMisread
      ),
      (("Émile", "Rousseau"), ("EMILE!", "Rousseau"), .sameName),
      (("Band II", "Goethe"), ("Band 2", "Goethe"), nil),
      (("Werke Band 1", "Goethe"), ("Werke Band 2", "Goethe"), nil),
      (("Werke II", "Goethe"), ("Werke III", "Goethe"), nil),
      (("Jahrbuch 1998", "Verein"), ("Jahrbuch 1999", "Verein"), nil),
      (("Gesammelte Werke VIII", "Mann"), ("Gesammelte Werke XIII", "Mann"), nil),
      (("Compilers", "Aho"), ("Compilers 2nd edition", "Aho"), nil),
      (("Lexikon A", "Knaur"), ("Lexikon B", "Knaur"), nil),
      (("Poems", "Ann Author"), ("Poems", "Bob Writer"), nil),
      (("Emma", ""), ("Emmy", ""), nil), (("Emma", "Austen"), ("Emmy", "Austen"), nil),
      (("South America", "Planet"), ("North America", "Planet"), nil),
      (("Dune", "Herbert"), ("Dune Messiah", "Herbert"), nil), (("", "Kafka"), ("", "Kafka"), nil),
    ] as [((String, String), (String, String), Likeness?)])
  func likenessIsTold(one: (String, String), other: (String, String), likeness: Likeness?) {
    #expect(BookWords.likeness(book(1, one), book(2, other)) == likeness)
    #expect(BookWords.likeness(book(2, other), book(1, one)) == likeness)
  }

  @Test func differentISBNsAreDifferentBooks() {
    let name = ("Dune", "Herbert")
    #expect(
      BookWords.likeness(book(1, name, isbn: "9780441172719"), book(2, name, isbn: "9780441478125")) == nil)
    #expect(BookWords.likeness(book(1, name, isbn: "9780441172719"), book(2, name)) == .sameName)
  }

  /// Adds books as they are, without merging.
  @discardableResult
  private func add(_ names: [(String, String)], to store: Store) async throws -> [Book.ID] {
    try await store.database.write { database in
      try names.map {
        try Book.insert(BookFinding(title: $0.0, author: $0.1, confidence: 0.5), at: now, in: database).id
      }
    }
  }

  @Test func groupsAreFoundAndMade() async throws {
    let store = try folder.store()
    let ids = try await add(
      [
        ("Der Prozess", "Prans Kafka"), ("Der Prozess", "Franz Kafka"), ("Das Schloss", "Franz Kafka"),
        ("Black Hole", ""), ("CHARLES BURNS BLACK HOLE", ""), ("BLACK HOLE", "CHARLES BURNS"),
        ("Poems", ""), ("Poems", "Ann Author"), ("Poems", "Bob Writer"), ("Dracola", "Stoker"),
        ("Dracula", "Stoker"),
      ], to: store)
    try await store.library.edit(ids[1], BookEdit())
    let groups = try await store.library.duplicates()
    #expect(
      groups.map { Set($0.books.map(\.id)) } == [
        [ids[1], ids[0]], [ids[3], ids[4], ids[5]], [ids[9], ids[10]],
      ])
    #expect(groups[0].books.first?.id == ids[1], "a confirmed book stays")
    #expect(groups[1].books.first?.id == ids[5], "a book with an author stays")
    #expect(groups.allSatisfy { $0.reasons.count == $0.books.count - 1 && !$0.areCopies })
    #expect(try await store.library.mergeDuplicates() == groups)
    #expect(try await store.library.count() == 7)
    #expect(try await store.library.duplicates().isEmpty)
    #expect(try await store.library.undo().map(\.kind) == [.duplicates])
    #expect(try await store.library.duplicates() == groups)
  }

  @Test func copiesAreListedAndNotMade() async throws {
    let store = try folder.store()
    try await store.queue.accept(.photo())
    let scan = try #require(try await store.queue.scans().first)
    let findings = [("Der Prozess", "Franz Kafka"), ("Der Prozess", "Prans Kafka")].map { title, author in
      Finding(
        BookFinding(title: title, author: author),
        spine: Spine(id: UUID(), title: title, confidence: 1, view: 1, photo: 1),
        followsSpine: true)
    }
    let books = try await store.queue.deliver(scan, findings: findings, at: now) ?? []
    #expect(try await store.library.mergeDuplicates().map(\.areCopies) == [true])
    #expect(try await store.library.count() == 2)
    let merged = try await store.library.merge(books.map(\.id))
    #expect(try await store.library.copies(of: [merged]) == [merged.id: 2], "a person merged them")
  }

  /// The number of pairs grows in proportion to the number of books, because a common word does not pair books.
  @Test func candidatesStayFew() {
    let words = (0..<200).map { "word\($0)x" }
    let records = (0..<5000).map { number in
      book(
        Int64(number),
        ("The \(words[number % 200]) of \(words[(number / 200) % 200]) \(number)unique", "Same Author"))
    }
    var pairs = 0
    DuplicatePairs(records).forEachPair { _, _ in pairs += 1 }
    #expect(pairs < 40 * records.count, "\(pairs)")
  }
}
