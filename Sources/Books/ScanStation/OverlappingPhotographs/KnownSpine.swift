import BookScan
import Library
import Uploads

/// A spine from earlier photos, prepared for comparison with the spines of the next photo.
struct KnownSpine: Sendable {
  var copy: ShelfCopy
  var text: SpineText
  var look: PerceptualHash?
  /// The box of the spine, in pixels of the first photo of its view. Nil if only a backend has reported the spine.
  var place: Box?
  /// The clockwise turn of the spine's text from upright, in degrees.
  var angle: Double
  /// The number of the spine's view. Photos that overlap are one view.
  var view: Int
  /// The number of the last photo that shows the spine.
  var photo: Int

  /// The height of the spine's text, across the reading direction, in pixels.
  var thickness: Double { place?.thickness(angle) ?? 0 }

  /// The maximum distance in bits of two looks of one spine. In the bundled pan, looks of one spine are at most 8 bits apart, and those of
  /// different spines above 18 in 99 of 100 cases.
  static let nearLook = 12

  /// Whether two looks belong to one spine. False if one is unknown.
  static func isNear(_ one: PerceptualHash?, _ other: PerceptualHash?) -> Bool {
    guard let one, let other else { return false }
    return one.distance(to: other) <= nearLook
  }
}

extension KnownSpine {
  /// - Parameter number: the number of the copy in this session.
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

  /// The spine as the library stores it.
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
