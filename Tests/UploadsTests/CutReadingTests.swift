import Foundation
import Testing

@testable import Bibliography
@testable import Library
@testable import Uploads

/// Readings in which part of a word is cut off.
@Suite struct CutReadingTests {
  @Test(arguments: [
    ("Christoffer Carlsson NTER DEM STURM", "Christoffer Carlsson UNTER DEM STURM eg"),
    ("UNTER DEM STUR", "unter dem Sturm"),
    ("IE FRAUEN", "DIE FRAUEN"), ("DE LA RENAISSANC", "De la Renaissance"),
  ])
  func aWordThatWasCutIsSeen(reading: String, other: String) {
    #expect(CutReading.isCut(reading, of: other))
    #expect(!CutReading.isCut(other, of: reading))
  }

  @Test(arguments: [
    // A reading that lacks whole words, or has other words, is not cut.
    ("DUNE", "DUNE EMMA"), ("DUNE", "DUNE"), ("Dracola", "Dracula"), ("", "DUNE"), ("I", "II"),
    ("man", "superhumanity"),
    // The edge of the book was read as a letter.
    ("DUNE", "IDUNE"),
    // Each reading has a letter that the other lacks.
    ("NTER DEM STURM", "UNTER DEM STUR"),
  ])
  func nothingElseIsACut(reading: String, other: String) {
    #expect(!CutReading.isCut(reading, of: other))
  }

  @Test func aCutReadingNamesNoBookHoweverSureItIs() {
    let book = Book(id: 1, title: "UNTER DEM STURM", author: "", addedAt: .distantPast, spineConfidence: 0.8)
    let cut = BookFinding(title: "NTER DEM STURM", author: "Carlsson", confidence: 0.95)
    #expect(book.merged(with: cut).title == "UNTER DEM STURM")
    var withISBN = cut
    withISBN.isbn = "9780441172719"
    #expect(book.merged(with: withISBN).title == "UNTER DEM STURM" && book.merged(with: withISBN).isbn != nil)
    // Conversely, the complete reading replaces the cut one, even if it is less confident.
    let short = Book(id: 1, title: "NTER DEM STURM", author: "", addedAt: .distantPast, spineConfidence: 0.95)
    #expect(
      short.merged(with: BookFinding(title: "UNTER DEM STURM", confidence: 0.8)).title == "UNTER DEM STURM")
    let surer = BookFinding(title: "Unter dem Sturm", confidence: 0.9)
    #expect(book.merged(with: surer).title == "Unter dem Sturm")
  }

  @Test(arguments: [
    ("/ Foo", "Foo"), ("Foo /", "Foo"), ("| Foo / Bar |", "Foo / Bar"), ("/", ""), ("either/or", "either/or"),
    ("/Foo", "/Foo"),
  ])
  func strayDividersAreNoPartOfAName(text: String, name: String) {
    #expect(CleanText.name(text) == name)
    #expect(BookFinding(title: text).normalized()?.title ?? "" == name)
  }
}
