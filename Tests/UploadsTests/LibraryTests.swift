import Foundation
import GRDB
import Testing

@testable import Bibliography
@testable import Library
@testable import Uploads

@Suite struct LibraryTests {
  let folder = try! TemporaryFolder()
  let now = Date(timeIntervalSince1970: 1_800_000_000)

  @Test(
    arguments: [
      ("978-0-441-17271-9", "9780441172719"), ("0-441-17271-7", "9780441172719"),
      ("080442957X", "9780804429573"),
      ("080442957x", "9780804429573"), ("9780441172710", nil), ("0441172718", nil), ("97804411727", nil),
      ("9990441172719", nil), ("", nil), ("٩٧٨٠٤٤١١٧٢٧١٩", "9780441172719"),
    ] as [(String, String?)])
  func isbnCheckDigitDecides(text: String, isbn: String?) {
    #expect(ISBN.normalize(text) == isbn)
  }

  /// The vowel signs of Thai and Hindi and the marks of kana are letters, the points of Hebrew and the accents of Latin are not.
  @Test(
    arguments: [
      ("กิน", "กัน", 2), ("कल", "कुल", 2), ("かき", "かぎ", 2), ("שָׁלוֹם", "שלום", 1), ("Émile", "EMILE", 1),
    ])
  func vowelSignsTellTitlesApart(one: String, other: String, count: Int) async throws {
    let library = try folder.store().library
    for title in [one, other] {
      try await library.add(BookFinding(title: title, author: "A. Author"), at: now)
    }
    #expect(try await library.count() == count)
    #expect(try await library.duplicates().isEmpty)
  }

  @Test func isbnIsUnique() async throws {
    let library = try folder.store().library
    try await library.add(BookFinding(isbn: "0441172717", title: "Dune", confidence: 0.5), at: now)
    let book = try await library.add(
      BookFinding(isbn: "978-0441172719", title: "DUNE", author: "Frank Herbert", confidence: 0.4), at: now)
    #expect(try await library.count() == 1)
    #expect(book?.title == "Dune" && book?.author == "Frank Herbert" && book?.spineConfidence == 0.5)
  }

  @Test func partialScanBecomesTheBookWhenItsISBNArrives() async throws {
    let library = try folder.store().library
    let partial = try await library.add(
      BookFinding(title: "The Left Hand of Darkness", author: "LE GUIN"), at: now)
    let book = try await library.add(
      BookFinding(isbn: "9780441478125", title: "The left hand of darkness!", author: "Ursula K. Le Guin"),
      at: now)
    #expect(book?.id == partial?.id && book?.isbn == "9780441478125" && book?.author == "Ursula K. Le Guin")
    #expect(try await library.count() == 1)
  }

  @Test func partialScanJoinsTheBookThatIsThere() async throws {
    let library = try folder.store().library
    let book = try await library.add(
      BookFinding(isbn: "9780441478125", title: "Émile", author: "Rousseau"), at: now)
    #expect(try await library.add(BookFinding(title: "EMILE"), at: now)?.id == book?.id)
    #expect(try await library.count() == 1)
  }

  @Test func sightingsFollowAMergedPartial() async throws {
    let store = try folder.store()
    for _ in 0..<2 { try await store.queue.accept(.photo()) }
    let scans = try await store.queue.scans()
    let known = try await store.library.add(
      BookFinding(isbn: "9780441478125", title: "Known", author: "A. Writer"), at: now)
    try await store.queue.deliver(
      scans[0], findings: [Finding(BookFinding(title: "Its Other Name", author: "Writer"))], at: now)
    #expect(try await store.library.count() == 2)
    let finding = BookFinding(
      isbn: "9780441478125", title: "Its other name", author: "A. Writer", confidence: 1)
    try await store.queue.deliver(scans[1], findings: [Finding(finding)], at: now)
    #expect(try await store.library.count() == 1)
    let book = try #require(try await store.library.books().first)
    #expect(book.id == known?.id)
    #expect(try await store.library.sightings(of: book) == 2)
  }

  @Test(arguments: [("Ann Author", "Bob Writer"), ("J. Smith", "J. Jones")])
  func sameTitleByOthersIsAnotherBook(authors: (String, String)) async throws {
    let library = try folder.store().library
    for author in [authors.0, authors.1] {
      try await library.add(BookFinding(title: "Poems", author: author), at: now)
    }
    #expect(try await library.count() == 2)
  }

  @Test func editionsOfOneTitleAreKeptApart() async throws {
    let library = try folder.store().library
    for isbn in ["9780441478125", "9780441172719"] {
      try await library.add(BookFinding(isbn: isbn, title: "Dune", author: "Herbert"), at: now)
    }
    #expect(try await library.count() == 2)
  }

  @Test func uselessFindingsAreNotShelved() async throws {
    let library = try folder.store().library
    #expect(try await library.add(BookFinding(isbn: "123", title: " \u{1}\n"), at: now) == nil)
    let book = try await library.add(
      BookFinding(title: "a\u{0}b\n c", coverURL: "file:///etc/passwd", confidence: .nan), at: now)
    #expect(book?.title == "a b c" && book?.coverURL == nil && book?.spineConfidence == nil)
    #expect(try await library.count() == 1)
  }

  @Test(
    arguments: [
      ("herbert", ["Dune Messiah", "Dune"]), ("dune", ["Dune", "Dune Messiah"]),
      ("DUNE mess", ["Dune Messiah"]),
      ("emile", ["Émile"]), ("Émi", ["Émile"]), ("9780441172719", ["Dune"]), ("\"", []), ("title:dune", []),
      ("mess*", ["Dune Messiah"]), ("dune OR emile", []), ("x", []), ("", []),
      ("children", ["Children of Dune"]), ("толстой", ["Война и мир"]), ("ВОЙНА и мир", ["Война и мир"]),
      ("Лев Толсто\u{438}\u{306}", ["Война и мир"]),
    ] as [(String, [String])])
  func searchFinds(text: String, titles: [String]) async throws {
    let library = try folder.store().library
    try await library.add(BookFinding(isbn: "9780441172719", title: "Dune", author: "Frank Herbert"), at: now)
    try await library.add(BookFinding(title: "Dune Messiah", author: "Frank Herbert"), at: now)
    try await library.add(BookFinding(title: "Émile", author: "Rousseau"), at: now)
    try await library.add(BookFinding(title: "Children of Dune", author: "F. H."), at: now)
    try await library.add(BookFinding(title: "Война и мир", author: "Лев Толстой"), at: now)
    let found = try await library.search(text).map(\.title)
    #expect(found.filter { $0 != "Children of Dune" || text == "children" } == titles)
  }

  /// The search has more words than are looked up at once, and more candidates than are examined for the remaining words.
  @Test(arguments: [10, 600]) func everyOfManyWordsCounts(others: Int) async throws {
    let store = try folder.store()
    try await store.library.add(
      BookFinding(title: "A Short History of the Émigré in Love", author: "Ann Author"), at: now)
    try await store.database.write { database in
      for number in 0..<others {
        let finding = BookFinding(title: "History Émigré Author \(number)", author: "Nobody")
        _ = try Book.insert(finding, at: Date(timeIntervalSince1970: 0), in: database)
      }
    }
    for text in [
      "history emigre author the in", "the in a emigre history aut", "EMIGRE, history, author, ann a",
    ] {
      #expect(try await store.library.search(text).map(\.author) == ["Ann Author"], "\(text)")
    }
    #expect(try await store.library.search("history emigre author the out").isEmpty)
    let last = try await store.library.search("history emigre author nobody \(others - 1)")
    #expect(last.map(\.title) == ["History Émigré Author \(others - 1)"])
  }

  @Test func searchFollowsChangeAndRemoval() async throws {
    let library = try folder.store().library
    let book = try #require(try await library.add(BookFinding(title: "Duune", confidence: 0.2), at: now))
    try await library.add(BookFinding(isbn: "9780441172719", title: "Duune", author: "Herbert"), at: now)
    #expect(try await library.search("herbert").count == 1)
    #expect(try await library.remove(book.id))
    #expect(try await library.search("duune").isEmpty)
  }
}
