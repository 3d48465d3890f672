import BookScan
public import FoundationEssentials
public import Imagery
public import Library
import Uploads

/// The physical books seen so far, each listed once, however many photos show it (DUP-1).
///
/// Overlapping photos are aligned by the spines whose text is the same in both (`ViewAlignment`). Then spines are recognised by their places
/// (`PlaceMatching`). In a photo that overlaps no other, they are recognised by text and look (`TextMatching`). `SpineMemory` stores the data of each
/// spine. The register is a value type.
///
/// ```swift
/// var register = SpineRegister()
/// for photo in photos {
///   let sightings = photo.spines.map { SpineSighting(spine: $0) }
///   for case .new(let copy) in register.note(sightings, size: photo.size) { print(copy.number, copy.title) }
/// }
/// ```
public struct SpineRegister: Sendable {
  /// The maximum number of books, so that memory and time are bounded. Beyond it, the oldest are forgotten.
  public static let limit = SpineMemory.limit

  /// Two books of the register that turned out to be the same.
  struct Union: Sendable, Hashable {
    var fragment: ShelfCopy.ID
    var whole: ShelfCopy.ID
  }

  private var memory = SpineMemory()
  /// The books that the latest photo showed to be the same.
  private(set) var unions: [Union] = []

  /// Creates a register without books.
  public init() {}

  /// Continues with the spines of an earlier session.
  /// - Parameter spines: the spines in the order of their first sighting, as `Library.spines` returns them.
  public init(_ spines: [Spine]) { memory = SpineMemory(spines) }

  /// The books, in the order of their first sighting.
  public var copies: [ShelfCopy] { memory.spines.map(\.copy) }

  /// The spine in the form that the library stores for the next session. Nil if the register never had the spine or has forgotten it.
  public func spine(_ id: ShelfCopy.ID) -> Spine? {
    memory.spines.first { $0.copy.id == id }?.record
  }

  /// Adds the spines of a photo.
  /// - Parameters:
  ///   - sightings: the spines, with boxes in the photo's pixels.
  ///   - size: the size of the photo.
  ///   - keepsCut: whether a spine cut by the photo's edge counts as a book. True for a photo that no other follows.
  /// - Returns: the standing of each sighting, in their order.
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

  /// Subtracts the sightings of a photo that is added again.
  /// - Parameter sightings: the number of sightings of each spine in that photo.
  mutating func unsee(_ sightings: [ShelfCopy.ID: Int]) { memory.unsee(sightings) }

  /// Adds the books that a backend found in one photo, without places.
  /// - Returns: the standing of each book, in their order.
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
