import BookScan
import Foundation
import Imagery
import Library
import Testing
import Uploads

@testable import ScanStation

/// The findings that the library gets for the spines of a photo.
@Suite struct SpineFindingsTests {
  private func sighting(_ title: String, _ certainty: Certainty, x: Double) -> SpineSighting {
    SpineSighting(
      spine: SpineFinding(
        title: title, author: "Somebody", confidence: 0.8, certainty: certainty,
        box: Box(x: x, y: 50, width: 30, height: 500), angle: 90), picture: [0xFF, 0xD8, 0xFF, 1])
  }

  private var reading: PhotoReader.Reading {
    PhotoReader.Reading(
      size: PixelSize(width: 1000, height: 800),
      sightings: [sighting("Dune", .sure, x: 100), sighting("Emna", .doubtful, x: 200)],
      unlikely: [sighting("Dune", .unlikely, x: 400), sighting("\u{200B}", .unlikely, x: 500)])
  }

  @Test func whatAPersonIsToLookAtHasAPicture() throws {
    let findings = ScanJournal(keepsCut: true).register(reading, of: UUID())
    #expect(findings.map(\.book.certainty) == [.sure, .doubtful, .unlikely])
    #expect(findings.map { $0.picture == nil } == [true, false, false])
    // A finding that is probably no book has no spine, but an id.
    #expect(findings.map { $0.spine == nil } == [false, false, true])
    #expect(Set(findings.map(\.id)).count == 3)
    #expect(findings.allSatisfy { $0.book.reading == nil && $0.book.confidence == 0.8 })
  }

  @Test func aCatalogueNamesBooksAndTheReadingStays() throws {
    let journal = ScanJournal(keepsCut: true) { book in
      guard book.title == "Emna" else { return book }
      return BookFinding(isbn: "9780141439587", title: "Emma", author: "Jane Austen")
    }
    let books = journal.register(reading, of: UUID()).map(\.book)
    #expect(books.map(\.title) == ["Dune", "Emma", "Dune"])
    let emma = try #require(books.dropFirst().first)
    #expect(emma.author == "Jane Austen" && emma.isbn == "9780141439587")
    #expect(emma.reading == BookFinding.Reading(title: "Emna", author: "Somebody"))
    #expect(emma.certainty == .doubtful && emma.confidence == 0.8)
    // If the catalogue does not change a title, the book has no separate reading.
    #expect(books.first?.reading == nil)
  }

  @Test func eachHasItsPlaceInThePhotograph() {
    func at(_ title: String, _ certainty: Certainty, x: Double, y: Double) -> SpineSighting {
      var sighting = sighting(title, certainty, x: x)
      sighting.spine.box.y = y
      return sighting
    }
    // On the board between the two rows.
    var board = at("board", .unlikely, x: 100, y: 620)
    board.spine.box.height = 30
    let reading = PhotoReader.Reading(
      size: PixelSize(width: 1000, height: 2000),
      sightings: [
        at("c", .sure, x: 10, y: 900), at("b", .doubtful, x: 300, y: 20), at("a", .sure, x: 100, y: 50),
      ],
      unlikely: [at("label", .unlikely, x: 200, y: 40), board])
    let places = ScanJournal(keepsCut: true).register(reading, of: UUID()).map(\.place)
    #expect(places.map { $0?.row } == [2, 1, 1, 1, 3], "a row without a book is not counted")
    #expect(
      places.map { $0?.position } == [1, 2, 1, 1.001, 0.001], "a text that is no book is not counted")
    #expect(places[0]?.x == 10 && places[0]?.width == 30)
  }

  @Test func theSamePhotoTellsTheSameAgain() {
    let scan = UUID()
    let (one, other) = (ScanJournal(keepsCut: true), ScanJournal(keepsCut: true))
    #expect(one.register(reading, of: scan) == other.register(reading, of: scan))
  }
}
