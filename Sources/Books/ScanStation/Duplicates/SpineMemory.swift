import BookScan
import FoundationEssentials
import Imagery
import Library
import Uploads

extension SpineFinding {
  /// All its words.
  fileprivate var name: String { [title, author ?? ""].joined(separator: " ") }
}

/// The spines that photos have shown, in the order they were first seen, and what is remembered of each. A pure value that compares
/// nothing.
struct SpineMemory: Sendable {
  /// The latest spines are kept, so that memory and time are bounded.
  static let limit = 2000

  private(set) var spines: [KnownSpine] = []
  private var count = 0
  /// The latest view, and the latest photo; from 1.
  private(set) var view = 0
  private(set) var photo = 0

  init() {}

  /// As an earlier session left it.
  init(_ spines: [Spine]) {
    self.spines = spines.suffix(Self.limit).enumerated().map { KnownSpine($1, number: $0 + 1) }
    count = self.spines.count
    view = self.spines.map(\.view).max() ?? 0
    photo = self.spines.map(\.photo).max() ?? 0
  }

  mutating func beginPhoto() { photo += 1 }

  /// A photo that overlaps no earlier one.
  mutating func beginView() -> Int {
    view += 1
    return view
  }

  /// - Parameter place: nil when it is not known.
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

  /// A known spine was seen once more, at `place`; a whole reading that is surer takes the place of the one before. One that has lost a part
  /// of a word never does, and one that has what the one before had lost always does.
  /// - Returns: the spine as it is now, and whether this reading is surer.
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

  /// A known spine was told of otherwise: a backend has named it, or its cover was seen. Its name and place stay what they were.
  mutating func hear(_ index: Int, isbn: String?) -> ShelfCopy {
    spines[index].copy.sightings += 1
    spines[index].copy.isbn = spines[index].copy.isbn ?? isbn
    spines[index].photo = photo
    return spines[index].copy
  }

  /// A photo is read anew: what it showed before does not count.
  /// - Parameter sightings: how many of each spine.
  mutating func unsee(_ sightings: [ShelfCopy.ID: Int]) {
    for index in spines.indices {
      guard let count = sightings[spines[index].copy.id] else { continue }
      spines[index].copy.sightings = max(0, spines[index].copy.sightings - count)
    }
  }

  mutating func forget(_ ids: Set<ShelfCopy.ID>) {
    if !ids.isEmpty { spines.removeAll { ids.contains($0.copy.id) } }
  }

  /// Forgets what was first seen longest ago, beyond the limit.
  mutating func trim() { if spines.count > Self.limit { spines.removeFirst(spines.count - Self.limit) } }
}
