import BookScan
public import FoundationEssentials
public import Imagery
public import Library
import Uploads

/// The books that were seen, each once, however often it is photographed (DUP-1).
///
/// Photos that overlap are laid over each other by the spines that read the same in both (`ViewAlignment`). Then place decides
/// (`PlaceMatching`). A photo that overlaps nothing is compared by text and look (`TextMatching`). What is known of each spine is in
/// `SpineMemory`. A pure value.
///
/// ```swift
/// var register = SpineRegister()
/// for photo in photos {
///   let sightings = photo.spines.map { SpineSighting(spine: $0) }
///   for case .new(let copy) in register.note(sightings, size: photo.size) { print(copy.number, copy.title) }
/// }
/// ```
public struct SpineRegister: Sendable {
  /// The latest books are kept, so that memory and time are bounded.
  public static let limit = SpineMemory.limit

  /// Two books of the register that turned out to be one.
  struct Union: Sendable, Hashable {
    var fragment: ShelfCopy.ID
    var whole: ShelfCopy.ID
  }

  private var memory = SpineMemory()
  /// What the latest photo has told to be one.
  private(set) var unions: [Union] = []

  /// A register that knows no book yet.
  public init() {}

  /// Goes on from what an earlier session knew.
  /// - Parameter spines: in the order they were first seen, as `Library.spines` gives them.
  public init(_ spines: [Spine]) { memory = SpineMemory(spines) }

  /// Every book noted, in the order it was first seen.
  public var copies: [ShelfCopy] { memory.spines.map(\.copy) }

  /// As the library keeps it: what the next session needs to know it again. Nil for one that is not, or no longer, noted.
  public func spine(_ id: ShelfCopy.ID) -> Spine? {
    memory.spines.first { $0.copy.id == id }?.record
  }

  /// Takes note of a photo.
  /// - Parameters:
  ///   - sightings: of one photo, boxes in its pixels.
  ///   - size: of the photo.
  ///   - keepsCut: whether a spine that the edge cuts counts as a book, as in a photo that no other one follows.
  /// - Returns: what each is, in their order.
  public mutating func note(
    _ sightings: [SpineSighting], size: PixelSize, keepsCut: Bool = false
  ) -> [SpineStanding] {
    let photo = SightedPhoto(sightings, size: size)
    memory.beginPhoto()
    let alignment = ViewAlignment.best(of: photo, over: memory.spines, latest: memory.view)
    let view = alignment?.view ?? memory.beginView()
    let places = sightings.map { alignment?.fit.applied(to: $0.spine.box) ?? $0.spine.box }
    let byPlace = alignment.map { PlaceMatching(photo, at: places, in: $0.view, among: memory.spines) }
    let placed = byPlace?.owners ?? [:]
    let owners = placed.merging(
      TextMatching.owners(in: photo, besides: placed, except: alignment?.view, among: memory.spines)
    ) { place, _ in place }
    let parts = (byPlace?.parts ?? []).filter { !owners.values.contains($0.part) }
    unions = parts.map {
      Union(fragment: memory.spines[$0.part].copy.id, whole: memory.spines[$0.whole].copy.id)
    }
    var known: [Int: Int] = [:]
    let standings = sightings.indices.map { index -> SpineStanding in
      if let owner = owners[index] {
        known[index] = owner
        let (copy, isSurer) = memory.see(
          owner, as: sightings[index], photo.texts[index], at: places[index], in: view,
          isCut: photo.isCut(index))
        return .again(copy, isSurer: isSurer)
      }
      if byPlace?.mixed.contains(index) == true || (!keepsCut && photo.isCut(index)) { return .unclear }
      if let owner = TextMatching.otherSide(of: index, in: photo, among: known) {
        return .again(memory.hear(owner, isbn: sightings[index].spine.isbn), isSurer: false)
      }
      known[index] = memory.spines.count
      return .new(memory.add(sightings[index], photo.texts[index], at: places[index], in: view))
    }
    memory.forget(Set(unions.map(\.fragment)))
    memory.trim()
    return standings
  }

  /// A photo that was noted before is noted once more: what it showed then does not count as sightings.
  /// - Parameter sightings: how many of each spine it had.
  mutating func unsee(_ sightings: [ShelfCopy.ID: Int]) { memory.unsee(sightings) }

  /// Takes note of books that a backend has found in one photo, and of which no place is known.
  /// - Returns: what each is, in their order.
  public mutating func note(_ books: [NamedBook]) -> [SpineStanding] {
    memory.beginPhoto()
    unions = []
    let view = memory.beginView()
    var taken: Set<Int> = []
    defer { memory.trim() }
    return books.map { book in
      if let owner = TextMatching.owner(of: book, except: taken, among: memory.spines) {
        taken.insert(owner)
        return .again(memory.hear(owner, isbn: book.isbn), isSurer: false)
      }
      taken.insert(memory.spines.count)
      let nowhere = Box(x: 0, y: 0, width: 0, height: 0)
      let spine = SpineFinding(
        title: book.title, author: book.author, isbn: book.isbn, confidence: book.confidence, box: nowhere,
        angle: 0)
      let text = SpineText(title: book.title, author: book.author)
      return .new(memory.add(SpineSighting(id: book.id, spine: spine), text, at: nil, in: view))
    }
  }
}
