import BookScan
import FoundationEssentials
import Library
import Uploads

/// What the library is told of the spines of a photo: the one place where what was read becomes what is kept, for a camera's photos and
/// for photographs in files.
struct SpineFindings: Sendable {
  /// The name that a catalogue has for a book; nil where it knows none. Certainty, confidence and reading of the answer do not matter.
  typealias Naming = @Sendable (BookFinding) -> BookFinding?

  let naming: Naming

  /// A spine in a photo, and which book it turned out to be.
  struct Shown: Sendable {
    var sighting: SpineSighting
    var copy: ShelfCopy
    var spine: Spine?
    /// Spines that turned out to be parts of it.
    var parts: [Spine.ID]
    var place: Finding.Place
  }

  /// A spine of a book, under the name of its surest reading or the one that a catalogue has for it, so that one misread once is no second
  /// book.
  /// - Returns: nil where nothing is left of its text: a spine of signs that nobody sees is no book.
  func book(_ shown: Shown) -> Finding? {
    var book = BookFinding(shown.copy)
    book.certainty = BookFinding.Certainty(shown.sighting.spine.certainty)
    return finding(shown.sighting, named(book), spine: shown.spine, parts: shown.parts, place: shown.place)
  }

  /// What is probably no book. It is no spine either: fragments and labels would stand where books do.
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
