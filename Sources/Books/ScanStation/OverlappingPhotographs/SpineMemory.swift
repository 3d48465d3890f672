import BookScan
import FoundationEssentials
import Imagery
import Library
import Uploads

extension SpineFinding {
  /// Title and author.
  fileprivate var name: String { [title, author ?? ""].joined(separator: " ") }
}

/// The spines of earlier photos with their data, in the order of their first sighting. A value type that only stores; it compares nothing.
struct SpineMemory: Sendable {
  /// The maximum number of spines, so that memory and time are bounded. Beyond it, the oldest are forgotten.
  static let limit = 2000

  private(set) var spines: [KnownSpine] = []
  private var count = 0
  /// The number of the latest view, from 1; 0 before the first.
  private(set) var view = 0
  /// The number of the latest photo, from 1; 0 before the first.
  private(set) var photo = 0

  init() {}

  /// Creates the memory from the spines of an earlier session.
  init(_ spines: [Spine]) {
    self.spines = spines.suffix(Self.limit).enumerated().map { KnownSpine($1, number: $0 + 1) }
    count = self.spines.count
    view = self.spines.map(\.view).max() ?? 0
    photo = self.spines.map(\.photo).max() ?? 0
  }

  mutating func beginPhoto() { photo += 1 }

  /// Begins a view, for a photo that overlaps no earlier one.
  mutating func beginView() -> Int {
    view += 1
    return view
  }

  /// - Parameter place: nil if unknown.
  mutating func add(_ sighting: SpineSighting, _ text: SpineText, at place: Box?, in view: Int) -> ShelfCopy {
    let spine = sighting.spine
    count += 1
    let isTaken = spines.contains { $0.copy.id == sighting.id }
    let copy = ShelfCopy(
      id: isTaken ? UUID() : sighting.id, number: count, title: spine.title, author: spine.author,
      isbn: spine.isbn, confidence: spine.confidence, sightings: 1)
    spines.append(
      KnownSpine(
        copy: copy, text: text, look: sighting.look, place: place, angle: spine.angle, view: view,
        photo: photo))
    return copy
  }

  /// Notes another sighting of a known spine, at `place`. The new reading replaces the earlier one if it is surer, or if the earlier one lacks a
  /// part of a word that the new one has. It replaces nothing if it lacks such a part itself, or if the photo's edge cuts the text.
  /// - Parameter isCut: whether the photo's edge cuts the text.
  /// - Returns: the spine as it is now, and whether the new reading replaced the earlier one.
  mutating func see(
    _ index: Int, as sighting: SpineSighting, _ text: SpineText, at place: Box, in view: Int, isCut: Bool
  ) -> (copy: ShelfCopy, isSurer: Bool) {
    let spine = sighting.spine
    var known = spines[index]
    let (new, old) = (spine.name, [known.copy.title, known.copy.author ?? ""].joined(separator: " "))
    let isBetter = spine.confidence > known.copy.confidence || CutReading.isCut(old, of: new)
    let isSurer = isBetter && !isCut && !CutReading.isCut(new, of: old)
    known.copy.sightings += 1
    known.copy.isbn = known.copy.isbn ?? spine.isbn
    if isSurer {
      known.text = text
      known.copy.title = spine.title
      known.copy.author = spine.author ?? known.copy.author
      known.copy.confidence = spine.confidence
    }
    known.place = place
    known.angle = spine.angle
    known.view = view
    known.photo = photo
    known.look = sighting.look ?? known.look
    spines[index] = known
    return (known.copy, isSurer)
  }

  /// Notes another sighting of a known spine without its place, because a backend named the spine or only its cover was seen. Keeps the spine's name
  /// and place.
  mutating func hear(_ index: Int, isbn: String?) -> ShelfCopy {
    spines[index].copy.sightings += 1
    spines[index].copy.isbn = spines[index].copy.isbn ?? isbn
    spines[index].photo = photo
    return spines[index].copy
  }

  /// Subtracts the sightings of a photo that is read again.
  /// - Parameter sightings: the number of sightings of each spine in that photo.
  mutating func unsee(_ sightings: [ShelfCopy.ID: Int]) {
    for index in spines.indices {
      guard let count = sightings[spines[index].copy.id] else { continue }
      spines[index].copy.sightings = max(0, spines[index].copy.sightings - count)
    }
  }

  mutating func forget(_ ids: Set<ShelfCopy.ID>) {
    if !ids.isEmpty { spines.removeAll { ids.contains($0.copy.id) } }
  }

  /// Forgets the oldest spines beyond the limit.
  mutating func trim() { if spines.count > Self.limit { spines.removeFirst(spines.count - Self.limit) } }
}
