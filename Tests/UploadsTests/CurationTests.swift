import Foundation
import GRDB
import Testing

@testable import Library
@testable import Uploads

/// A person's decisions about books, which later scans must not undo.
@Suite struct CurationTests {
  let folder = try! TemporaryFolder()
  let now = Date(timeIntervalSince1970: 1_800_000_000)
  static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9]

  @discardableResult
  private func deliver(_ findings: [Finding], into store: Store) async throws -> [Book] {
    let submission = Submission.photo()
    try await store.queue.accept(submission)
    let scan = try #require(try await store.queue.scans().first { $0.key == submission.key })
    return try #require(try await store.queue.deliver(scan, findings: findings, at: now))
  }

  private func spine(
    _ title: String, id: UUID = UUID(), confidence: Double = 0.5, photo: Int = 1, x: Double = 0, view: Int = 1
  ) -> Spine {
    Spine(
      id: id, title: title, confidence: confidence,
      place: .init(x: x, y: 0, width: 50, height: 400, angle: 90), view: view, photo: photo)
  }

  private func finding(
    _ spine: Spine, author: String = "", _ certainty: BookFinding.Certainty? = nil, picture: [UInt8]? = nil
  ) -> Finding {
    Finding(
      BookFinding(
        isbn: spine.isbn, title: spine.title, author: author, confidence: spine.confidence,
        certainty: certainty), spine: spine, followsSpine: true, picture: picture)
  }

  @Test func idsNeverComeBack() async throws {
    let library = try folder.store().library
    let first = try #require(try await library.add(BookFinding(title: "Dune")))
    try await library.delete([first.id])
    let second = try #require(try await library.add(BookFinding(title: "Emma")))
    #expect(second.id == first.id + 1)
    try await library.remove(second.id)
    #expect(try await library.add(BookFinding(title: "Ulysses"))?.id == second.id + 1)
  }

  @Test func unlikelyBooksAreKeptApart() async throws {
    let store = try folder.store()
    try await deliver(
      [
        finding(spine("Dune"), .sure), finding(spine("Dume Messiah"), .doubtful),
        finding(spine("Dune Sale 50"), .unlikely),
      ], into: store)
    let library = store.library
    #expect(try await library.count() == 2)
    #expect(try await library.count(.all) == 3)
    #expect(try await library.count(.unlikely) == 1)
    #expect(try await library.books().map(\.title) == ["Dume Messiah", "Dune"])
    #expect(try await library.books(limit: 9, .all).count == 3)
    #expect(try await library.books(limit: 9, .doubtful).map(\.title) == ["Dume Messiah"])
    #expect(try await library.search("sale").isEmpty)
    #expect(try await library.search("dune").count == 1)
    #expect(try await library.search("sale", limit: 9, .all).count == 1)
    let file = "\(folder.path)/a.csv"
    #expect(try await library.export(to: file, as: .csv) == 2)
    #expect(try await library.export(.all, to: file, as: .csv) == 3)
  }

  @Test func theBetterCertaintyCounts() async throws {
    let store = try folder.store()
    let id = UUID()
    try await deliver(
      [finding(spine("Dune", id: id), .unlikely, picture: Self.jpeg)], into: store)
    let book = try #require(try await store.library.books(limit: 1, .all).first)
    #expect(try await store.library.picture(of: book.id) == Self.jpeg)
    try await deliver([finding(spine("Dune", id: id, photo: 2), .doubtful)], into: store)
    #expect(try await store.library.book(book.id)?.certainty == .doubtful)
    try await deliver([finding(spine("Dune", id: id, photo: 3), .sure)], into: store)
    #expect(try await store.library.book(book.id)?.certainty == .sure)
    #expect(try await store.library.picture(of: book.id) == nil, "nothing is to be looked at any more")
    try await deliver([finding(spine("Dune", id: id, photo: 4), .unlikely)], into: store)
    #expect(try await store.library.book(book.id)?.certainty == .sure)
  }

  @Test(arguments: [([UInt8](repeating: 0xFF, count: 4), false), (jpeg, true)])
  func onlySmallJPEGsAreKept(picture: [UInt8], isKept: Bool) async throws {
    let store = try folder.store()
    let large = Self.jpeg + [UInt8](repeating: 0, count: Finding.pictureLimit)
    let books = try await deliver(
      [
        finding(spine("Dune"), .doubtful, picture: picture),
        finding(spine("Emma"), .doubtful, picture: large),
      ],
      into: store)
    #expect((try await store.library.picture(of: books[0].id) != nil) == isKept)
    #expect(try await store.library.picture(of: books[1].id) == nil)
  }

  @Test func aConfirmedBookIsNeverRenamedAndItsSpineComesToIt() async throws {
    let store = try folder.store()
    let id = UUID()
    let book = try #require(
      try await deliver([finding(spine("Dracola", id: id), .doubtful, picture: Self.jpeg)], into: store).first
    )
    let edited = try await store.library.edit(book.id, BookEdit(title: "Dracula", author: "Bram Stoker"))
    #expect(edited.certainty == .sure && edited.confirmedAt != nil)
    #expect(try await store.library.picture(of: book.id) == nil)
    var again = spine("Mina", id: id, confidence: 1, photo: 2)
    try await deliver([finding(again, author: "Nobody", .unlikely)], into: store)
    // A person's title stays, even if the spine is read with the ISBN of another book.
    try await store.library.add(BookFinding(isbn: "9780441172719", title: "Dune"))
    (again.isbn, again.photo) = ("9780441172719", 3)
    try await deliver([finding(again, .sure)], into: store)
    let now = try #require(try await store.library.book(book.id))
    #expect(
      now.title == "Dracula" && now.author == "Bram Stoker" && now.isbn == nil && now.certainty == .sure)
    #expect(try await store.library.count(.all) == 2)
    #expect(try await store.library.sightings(of: book) == 3)
    #expect(try await store.library.correct(book.id, by: BookFinding(title: "X", confidence: 1)) == now)
  }

  @Test func aConfirmedBookIsNoPartOfAnother() async throws {
    let store = try folder.store()
    try await store.library.add(BookFinding(isbn: "9780441172719", title: "Dune Chronicles"))
    let mine = try #require(try await store.library.add(BookFinding(title: "Dune")))
    try await store.library.edit(mine.id, BookEdit(author: "My copy"))
    try await store.library.add(BookFinding(isbn: "9780441172719", title: "Dune", author: "My copy"))
    #expect(try await store.library.book(mine.id)?.author == "My copy")
    // A spine cannot become a part of another one either, if its book is confirmed.
    let (whole, part) = (spine("The Moonstone"), spine("Wilkie Collins"))
    let books = try await deliver([finding(whole), finding(part)], into: store)
    try await store.library.edit(books[1].id, BookEdit())
    var again = finding(spine("The Moonstone", id: whole.id, photo: 2))
    again.parts = [part.id]
    try await deliver([again], into: store)
    #expect(try await store.library.book(books[1].id)?.title == "Wilkie Collins")
  }

  @Test func aDeletedBookDoesNotComeBackByItsSpineOrItsFinding() async throws {
    let store = try folder.store()
    let (spine, bare) = (spine("Sale 50 %"), Finding(BookFinding(title: "A shelf")))
    let books = try await deliver([finding(spine, .unlikely), bare], into: store)
    try await store.library.delete(books.map(\.id))
    var again = spine
    (again.photo, again.title) = (2, "Sale")
    #expect(try await deliver([finding(again, .sure)], into: store).isEmpty)
    #expect(try await store.library.count(.all) == 0)
    #expect(try await store.library.spines(limit: 9) == [again], "it is still known which spine it is")
    let scan = try #require(
      try await store.database.read {
        try String.fetchOne(
          $0, sql: "SELECT scanKey FROM dismissal WHERE findingID = ?",
          arguments: [bare.id.uuidString.lowercased()])
      })
    let shelved = try await store.database.write {
      try Shelving.shelve(bare, of: scan, at: now, in: $0)
    }
    #expect(shelved == nil)
    // After the deletion is undone, the spine's next reading belongs to its former book again.
    try await store.library.undo()
    again.photo = 3
    #expect(try await deliver([finding(again)], into: store).map(\.id) == [books[0].id])
  }

  @Test func editsAreChecked() async throws {
    let library = try folder.store().library
    let dune = try #require(try await library.add(BookFinding(isbn: "9780441172719", title: "Dune")))
    let emma = try #require(try await library.add(BookFinding(title: "Emma")))
    for (id, edit, reason) in [
      (99, BookEdit(), "no book of this id"), (emma.id, BookEdit(isbn: "123"), "not an ISBN"),
      (emma.id, BookEdit(isbn: "0-441-17271-7"), "that of book \(dune.id), Dune"),
      (emma.id, BookEdit(title: " "), "neither a title nor an ISBN"),
      (emma.id, BookEdit(copies: 1001), "not a possible number of copies"),
    ] as [(Int64, BookEdit, String)] {
      let error = await #expect(throws: DeliveryError.self) { try await library.edit(id, edit) }
      #expect(
        error?.kind == .badInput && error?.reason.contains(reason) == true, "\(String(describing: error))")
    }
    #expect(try await library.changes().isEmpty)
    let book = try await library.edit(
      emma.id, BookEdit(title: "a\u{0}b", isbn: "0141439580", format: "paperback", copies: 2))
    #expect(book.title == "a b" && book.isbn == "9780141439587" && book.format == "paperback")
    #expect(try await library.copies(of: [book]) == [book.id: 2])
    #expect(try await library.edit(emma.id, BookEdit(isbn: "", format: "", copies: 0)).isbn == nil)
    #expect(try await library.search("emma").isEmpty)
    #expect(try await library.search("a b").count == 1)
  }

  @Test func mergingBringsEverythingAlong() async throws {
    let store = try folder.store()
    let (one, other) = (spine("Der Prozess"), spine("Der Prozess 1", x: 100))
    let books = try await deliver([finding(one, author: "Prans Kafka"), finding(other)], into: store)
    let third = try #require(
      try await store.library.add(BookFinding(isbn: "9783596521111", title: "Kafka", format: "paperback")))
    let book = try await store.library.merge([books[0].id, books[1].id, third.id, third.id])
    #expect(book.id == books[0].id && book.isbn == third.isbn && book.format == "paperback")
    #expect(book.title == "Der Prozess" && book.confirmedAt == nil, "nobody confirmed the name")
    let details = try #require(try await store.library.details(of: [book.id]).first)
    #expect(details.seen == 2 && details.copies == 2 && details.sightings.count == 2)
    #expect(
      Set(details.sightings.compactMap(\.reading?.title)) == ["Der Prozess", "Der Prozess 1"])
    #expect(try await store.library.count() == 1)
    await #expect(throws: DeliveryError.self) { try await store.library.merge([book.id, book.id]) }
    await #expect(throws: DeliveryError.self) { try await store.library.merge([book.id, 99]) }
    // Later readings of the second book's spine belong to the merged book.
    try await deliver([finding(spine("Der Prozess 1", id: other.id, photo: 2))], into: store)
    #expect(try await store.library.count() == 1)
  }

  @Test func aMergedRecordIsStillToBeLookedAt() async throws {
    let store = try folder.store()
    let books = try await deliver(
      [
        finding(spine("Dracola"), .doubtful, picture: Self.jpeg),
        finding(spine("Dracula!", x: 100), .unlikely, picture: Self.jpeg),
      ], into: store)
    let book = try await store.library.merge(books.map(\.id))
    #expect(book.certainty == .doubtful && book.confirmedAt == nil)
    #expect(try await store.library.booksToReview() == [book.id])
    #expect(try await store.library.picture(of: book.id) == Self.jpeg)
    let subject = try #require(try await store.library.changes().first).subject
    #expect(subject == "book \(books[1].id), Dracula! into book \(book.id), Dracola")
    // A book stays confirmed after a merge.
    try await store.library.edit(book.id, BookEdit(title: "Dracula"))
    let third = try #require(try await store.library.add(BookFinding(title: "DRACULA B")))
    #expect(try await store.library.merge([book.id, third.id]).confirmedAt != nil)
  }

  /// A book shows its spine and its cover in one photo: the same words in two directions.
  @Test func aSpineAndACoverAreOneBook() async throws {
    let store = try folder.store()
    var cover = spine("Emma", x: 300)
    cover.place = Spine.Place(x: 300, y: 0, width: 300, height: 120, angle: 2)
    let books = try await deliver([finding(spine("Emma")), finding(cover)], into: store)
    #expect(try await store.library.copies(of: books) == [books[0].id: 1])
    // Two records of one book in two directions are duplicates, not copies.
    var other = spine("Der Prozess", x: 600, view: 5)
    other.place = Spine.Place(x: 600, y: 0, width: 300, height: 120, angle: 178)
    try await deliver(
      [
        finding(spine("Der Prozess", x: 500, view: 5), author: "Franz Kafka"),
        finding(other, author: "Prans Kafka"),
      ], into: store)
    let groups = try await store.library.duplicates()
    #expect(groups.map(\.areCopies) == [false])
  }

  @Test func copiesAreSpinesThatWereSeenAtOnceOrApart() async throws {
    let store = try folder.store()
    let (one, other) = (spine("Emma"), spine("Emma", x: 300))
    let seen = try await deliver([finding(one)], into: store)
    #expect(try await store.library.copies(of: seen) == [seen[0].id: 1])
    // A spine elsewhere in another photo of the same view is another copy.
    try await deliver([finding(other)], into: store)
    #expect(try await store.library.copies(of: seen) == [seen[0].id: 2])
    // A spine at a known place with a new id is no other copy.
    try await deliver([finding(spine("Emma", x: 305))], into: store)
    #expect(try await store.library.copies(of: seen) == [seen[0].id: 2])
    // A photo of another view may show the same copies, so only a view with more copies than known adds to them.
    try await deliver([finding(spine("Emma", x: 900, view: 2))], into: store)
    #expect(try await store.library.copies(of: seen) == [seen[0].id: 2])
    try await deliver([0, 1, 2].map { finding(spine("Emma", x: $0, view: 3)) }, into: store)
    #expect(try await store.library.copies(of: seen) == [seen[0].id: 3])
  }

  /// A list has the counted copies. Imported unchanged it states nothing; changed, it states the number.
  @Test(arguments: BookListFormat.allCases)
  func countedCopiesAreInAListAndComeBack(format: BookListFormat) async throws {
    let (store, other) = (try folder.store(), try TemporaryFolder())
    try await deliver([finding(spine("Emma")), finding(spine("Emma", x: 300))], into: store)
    try await store.library.add(BookFinding(title: "Dune"))
    let (library, file) = (store.library, "\(folder.path)/a.\(format)")
    try await library.export(to: file, as: format)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(
      text.contains(format == .json ? "\"copies\":2" : format == .csv ? ",,2,1," : "\t\t2\t1\t"), "\(text)")
    #expect(try await library.importBooks(from: file).changed == 0)
    #expect(try await library.books().allSatisfy { $0.statedCopies == nil })
    let restored = try other.store().library
    #expect(try await restored.importBooks(from: file).added == 2)
    let books = try await restored.books()
    #expect(Set(books.map { "\($0.title) \($0.statedCopies ?? 0)" }) == ["Emma 2", "Dune 0"])
    #expect(try await Set(restored.copies(of: books).values) == [1, 2])
    let three =
      text.replacing("\"copies\":2", with: "\"copies\":3").replacing(",,2,1,", with: ",,3,1,").replacing(
        "\t\t2\t1\t", with: "\t\t3\t1\t")
    try Data(three.utf8).write(to: URL(filePath: file))
    #expect(try await library.importBooks(from: file).changed == 1)
    #expect(try await library.books().map(\.statedCopies) == [nil, 3])
  }

  @Test func mergedCopiesAreInAListForAnotherProgram() async throws {
    let store = try folder.store()
    let books = try await deliver(
      [
        finding(spine("Der Prozess"), author: "Kafka"), finding(spine("Der Prozess", x: 300), author: "Brod"),
      ],
      into: store)
    try await store.library.merge(books.map(\.id))
    let file = "\(folder.path)/a"
    try await store.library.export(to: file, by: ProgramListFormat.goodreads)
    #expect(try String(contentsOfFile: file, encoding: .utf8).hasSuffix(",2\r\n"))
    try await store.library.export(to: file, by: ProgramListFormat.librarything)
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains(",,,2,,"))
    try await store.library.export(to: file, by: ProgramListFormat.marcxml)
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains(#"<subfield code="t">2<"#))
  }

  @Test func readingsAreKeptAsTheyWereRead() async throws {
    let store = try folder.store()
    let reading = BookFinding.Reading(title: "DER PROZES", author: "PRANS KAFKA")
    let named = BookFinding(title: "Der Prozess", author: "Franz Kafka", certainty: .sure, reading: reading)
    let books = try await deliver([Finding(named)], into: store)
    #expect(books[0].title == "Der Prozess")
    #expect(try await store.library.readings(of: books)[books[0].id] == [reading])
  }
}
