import BookScan
import Library
import Uploads

/// Recognises known spines that no place identifies: by equal text, and by equal look if the look is known. Each book occurs at most once in a photo.
enum TextMatching {
  /// Matches sightings with known spines. If fewer than 40 % of the sightings that were not recognised by place match a spine, the photo is taken to
  /// show another shelf with other copies, and no match counts.
  /// - Parameters:
  ///   - placed: the sightings that were recognised by place.
  ///   - view: the view of the photo. Its spines are excluded, since places have decided about them.
  /// - Returns: indices into the memory by indices into the photo.
  static func owners(
    in photo: SightedPhoto, besides placed: [Int: Int], except view: Int?, among spines: [KnownSpine]
  ) -> [Int: Int] {
    var taken = Set(placed.values)
    let open = photo.sightings.indices.filter { placed[$0] == nil }
    var found: [Int: Int] = [:]
    for index in open {
      let owner = spines.indices.reversed().first { owner in
        spines[owner].view != view && !taken.contains(owner)
          && isSame(
            photo.sightings[index], photo.texts[index], known: spines[owner],
            isNear: photo.sightings.count <= nearLimit)
      }
      guard let owner else { continue }
      found[index] = owner
      taken.insert(owner)
    }
    return found.count * 10 >= open.count * 4 ? found : [:]
  }

  /// The book whose spine and cover are both in the photo: the same words, in another direction and in a block.
  /// - Parameter known: the recognised sightings of the photo, with their spines.
  static func otherSide(of index: Int, in photo: SightedPhoto, among known: [Int: Int]) -> Int? {
    let place = Spine.Place(photo.sightings[index].spine.box, angle: photo.sightings[index].spine.angle)
    let other = known.keys.sorted().first { other in
      let spine = photo.sightings[other].spine
      return Spine.Place(spine.box, angle: spine.angle).isOtherSide(of: place)
        && photo.texts[other].isSame(as: photo.texts[index])
    }
    return other.flatMap { known[$0] }
  }

  /// The latest known spine that may be a backend's book.
  /// - Parameter taken: the spines that are other books of the photo.
  static func owner(of book: NamedBook, except taken: Set<Int>, among spines: [KnownSpine]) -> Int? {
    let text = SpineText(title: book.title, author: book.author)
    return spines.indices.reversed().first { owner in
      guard !taken.contains(owner) else { return false }
      if let isbn = book.isbn, let known = spines[owner].copy.isbn { return isbn == known }
      return text.isSame(as: spines[owner].text)
    }
  }

  /// The maximum number of sightings in a photo that may show covers. With more of them, a spine with a known text but a different look is another
  /// copy.
  private static let nearLimit = 5

  private static func isSame(
    _ sighting: SpineSighting, _ text: SpineText, known: KnownSpine, isNear: Bool
  ) -> Bool {
    if let isbn = sighting.spine.isbn, isbn == known.copy.isbn { return true }
    guard text.isSame(as: known.text) else { return false }
    if sighting.look == nil || known.look == nil || KnownSpine.isNear(sighting.look, known.look) {
      return true
    }
    guard isNear, let there = known.place else { return false }
    return Spine.Place(sighting.spine.box, angle: sighting.spine.angle)
      .isOtherSide(of: Spine.Place(there, angle: known.angle))
  }
}

extension Spine.Place {
  init(_ box: Box, angle: Double) {
    self.init(x: box.x, y: box.y, width: box.width, height: box.height, angle: angle)
  }
}
