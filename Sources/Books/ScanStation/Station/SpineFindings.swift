import BookScan
import FoundationEssentials
import Library
import Uploads

/// Converts the spines of a photo to findings for the library, both for a camera's photos and for photographs in files.
struct SpineFindings: Sendable {
  /// Returns a catalogue's name for a book. Nil if it has none. Certainty, confidence and reading of the result are ignored.
  typealias Naming = @Sendable (BookFinding) -> BookFinding?

  let naming: Naming

  /// A spine in a photo, and the book it turned out to be.
  struct Shown: Sendable {
    var sighting: SpineSighting
    var copy: ShelfCopy
    var spine: Spine?
    /// Spines that turned out to be parts of this one.
    var parts: [Spine.ID]
    var place: Finding.Place
  }

  /// The finding of a book, named by its surest reading or by the catalogue, so that a misread spine does not become a second book.
  /// - Returns: nil if nothing is left of its text: a spine that has only invisible characters is not a book.
  func book(_ shown: Shown) -> Finding? {
    var book = BookFinding(shown.copy)
    book.certainty = BookFinding.Certainty(shown.sighting.spine.certainty)
    return finding(shown.sighting, named(book), spine: shown.spine, parts: shown.parts, place: shown.place)
  }

  /// The finding of a probable non-book. It gets no spine: otherwise fragments and labels would occupy the places of books.
  func unlikely(_ sighting: SpineSighting, at place: Finding.Place) -> Finding? {
    let spine = sighting.spine
    let book = BookFinding(
      isbn: spine.isbn, title: spine.title, author: spine.author ?? "", confidence: spine.confidence,
      certainty: .unlikely)
    return finding(sighting, book, spine: nil, parts: [], place: place)
  }

  private func finding(
    _ sighting: SpineSighting, _ book: BookFinding, spine: Spine?, parts: [Spine.ID],
    place: Finding.Place
  ) -> Finding? {
    guard book.normalized() != nil else { return nil }
    return Finding(
      id: sighting.id, book, spine: spine, followsSpine: sighting.spine.certainty != .unlikely, parts: parts,
      picture: sighting.spine.certainty == .sure ? nil : sighting.picture, place: place)
  }

  private func named(_ book: BookFinding) -> BookFinding {
    guard let name = naming(book), name.title != book.title || name.author != book.author else { return book }
    var named = name
    named.certainty = book.certainty
    named.confidence = book.confidence
    named.isbn = book.isbn ?? name.isbn
    named.reading = BookFinding.Reading(title: book.title, author: book.author)
    return named
  }
}

extension BookFinding {
  fileprivate init(_ copy: ShelfCopy) {
    self.init(isbn: copy.isbn, title: copy.title, author: copy.author ?? "", confidence: copy.confidence)
  }
}

extension BookFinding.Certainty {
  init(_ certainty: Certainty) {
    switch certainty {
    case .sure: self = .sure
    case .doubtful: self = .doubtful
    case .unlikely: self = .unlikely
    }
  }
}
