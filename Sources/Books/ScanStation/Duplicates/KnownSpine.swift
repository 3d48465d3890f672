import BookScan
import Library
import Uploads

/// A spine that photos have shown, made ready for comparison with what the next one shows.
struct KnownSpine: Sendable {
  var copy: ShelfCopy
  var text: SpineText
  var look: PerceptualHash?
  /// In the pixels of its view's first photo; nil when only a backend has named it.
  var place: Box?
  /// Clockwise turn of its text, degrees.
  var angle: Double
  /// Photos that overlap are one view.
  var view: Int
  /// The one that showed it last.
  var photo: Int

  /// Of the text, across the direction it runs in.
  var thickness: Double { place?.thickness(angle) ?? 0 }

  /// What is 8 bits apart at most in the bundled pan, where the looks of different spines are above 18 in 99 of 100.
  static let nearLook = 12

  /// Whether two looks, both known, are of one spine.
  static func isNear(_ one: PerceptualHash?, _ other: PerceptualHash?) -> Bool {
    guard let one, let other else { return false }
    return one.distance(to: other) <= nearLook
  }
}

extension KnownSpine {
  /// - Parameter number: of the copy, in this session.
  init(_ spine: Spine, number: Int) {
    self.init(
      copy: ShelfCopy(
        id: spine.id, number: number, title: spine.title, author: spine.author, isbn: spine.isbn,
        confidence: spine.confidence, sightings: spine.sightings),
      text: SpineText(title: spine.title, author: spine.author),
      look: spine.look.map(PerceptualHash.init(bits:)),
      place: spine.place.map { Box(x: $0.x, y: $0.y, width: $0.width, height: $0.height) },
      angle: spine.place?.angle ?? 0, view: spine.view, photo: spine.photo)
  }

  /// As the library keeps it.
  var record: Spine {
    Spine(
      id: copy.id, title: copy.title, author: copy.author, isbn: copy.isbn, confidence: copy.confidence,
      sightings: copy.sightings,
      place: place.map {
        Spine.Place(x: $0.x, y: $0.y, width: $0.width, height: $0.height, angle: angle)
      },
      view: view, look: look?.bits, photo: photo)
  }
}
