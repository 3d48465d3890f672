import BookScan
import Library
import Uploads

/// Which spines are known ones, for what no place tells: the same words, the same look where it is known, and each book once a
/// photo.
enum TextMatching {
  /// Where most spines are unknown, the few that read like known ones are other copies of them: it is another shelf.
  /// - Parameters:
  ///   - placed: what place has told already.
  ///   - view: the one that the photo is in; there, place has had its say.
  /// - Returns: known spines by sightings, by their positions in the memory and in the photo.
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

  /// The book of which a photo shows the spine and the cover at once: the same words, in another direction and in a block.
  /// - Parameter known: sightings of the photo whose spine is known, and which it is.
  static func otherSide(of index: Int, in photo: SightedPhoto, among known: [Int: Int]) -> Int? {
    let place = Spine.Place(photo.sightings[index].spine.box, angle: photo.sightings[index].spine.angle)
    let other = known.keys.sorted().first { other in
      let spine = photo.sightings[other].spine
      return Spine.Place(spine.box, angle: spine.angle).isOtherSide(of: place)
        && photo.texts[other].isSame(as: photo.texts[index])
    }
    return other.flatMap { known[$0] }
  }

  /// The latest of the known spines that a backend's book may be.
  /// - Parameter taken: those that are other books of its photo.
  static func owner(of book: NamedBook, except taken: Set<Int>, among spines: [KnownSpine]) -> Int? {
    let text = SpineText(title: book.title, author: book.author)
    return spines.indices.reversed().first { owner in
      guard !taken.contains(owner) else { return false }
      if let isbn = book.isbn, let known = spines[owner].copy.isbn { return isbn == known }
      return text.isSame(as: spines[owner].text)
    }
  }

  /// Most books that somebody photographs to show their covers; on a shelf of more, what looks different is another copy.
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
