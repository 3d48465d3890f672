public import BookScan
public import Imagery

/// A spine in a photo, and how it looks there.
public struct SpineSighting: Sendable, Hashable {
  public var spine: SpineFinding
  /// Nil where the picture is not at hand.
  public var look: PerceptualHash?

  public init(spine: SpineFinding, look: PerceptualHash? = nil) {
    self.spine = spine
    self.look = look
  }
}

/// One physical book, however many photos show it.
public struct ShelfCopy: Sendable, Hashable, Identifiable {
  public let id: Int
  /// The surest reading so far.
  public internal(set) var title: String
  public internal(set) var author: String?
  public internal(set) var isbn: String?
  /// 0…1, of that reading.
  public internal(set) var confidence: Double
  /// Photos that show it.
  public internal(set) var sightings: Int
  /// Under which it was put into the library.
  var shelved: ShelfName
}

/// What a library knows a book by.
struct ShelfName: Sendable, Hashable {
  var title: String
  var author: String?
}

/// What a sighting turned out to be.
public enum SpineStanding: Sendable, Hashable {
  case new(ShelfCopy)
  /// Seen before. `isSurer`: this reading took the place of the one before.
  case again(ShelfCopy, isSurer: Bool)
  /// Not to be counted: the edge of the photo cuts its text, and the next photo of the pan has it whole; or two spines known by
  /// themselves were read as one.
  case unclear

  public var copy: ShelfCopy? {
    switch self {
    case .new(let copy), .again(let copy, _): copy
    case .unclear: nil
    }
  }
}

/// The books of a session of scanning, each once, however often it is photographed (DUP-1).
///
/// Photos that overlap are laid over each other by the spines that read the same in both; then place decides, and text and
/// look only confirm: copies of one title side by side stay apart, and a spine that was misread once is known again. A
/// photo that overlaps nothing is compared by text and look. A pure value.
public struct SpineRegister: Sendable {
  struct Entry: Sendable {
    var copy: ShelfCopy
    var text: SpineText
    var look: PerceptualHash?
    var place: Box
    var angle: Double
    var view: Int

    /// Of the text, across the direction it runs in.
    var thickness: Double { place.thickness(angle) }
  }

  /// Two books of the register that turned out to be one.
  struct Union: Sendable, Hashable {
    var fragment: ShelfCopy.ID
    var whole: ShelfCopy.ID
  }

  /// The latest books are kept, so that memory and time are bounded.
  public static let limit = 2000
  /// Of the looks of one spine in two photos, bits: 8 at most in the bundled pan, where those of different spines are above
  /// 18 in 99 of 100.
  static let nearLook = 12
  /// Views that a photo is tried on, latest first.
  private static let viewLimit = 16

  private(set) var entries: [Entry] = []
  private var unions: [Union] = []
  private var nextID = 1
  private var views = 0

  public init() {}

  /// Every book noted, in the order it was first seen.
  public var copies: [ShelfCopy] { entries.map(\.copy) }

  /// Takes note of a photo.
  /// - Parameters:
  ///   - sightings: of one photo, boxes in its pixels.
  ///   - size: of the photo.
  ///   - keepsCut: whether a spine that the edge cuts counts as a book, as in a photo that no other one follows.
  /// - Returns: what each is, in their order.
  public mutating func note(
    _ sightings: [SpineSighting], size: PixelSize, keepsCut: Bool = false
  ) -> [SpineStanding] {
    let texts = sightings.map { SpineText(title: $0.spine.title, author: $0.spine.author) }
    let alignment = bestAlignment(sightings, texts, size)
    if alignment == nil { views += 1 }
    let view = alignment?.view ?? views
    let placed = sightings.map { alignment?.fit.applied(to: $0.spine.box) ?? $0.spine.box }
    var owners = [Int?](repeating: nil, count: sightings.count)
    var mixed: Set<Int> = []
    if let alignment { mixed = matchByPlace(sightings, texts, placed, alignment, &owners) }
    matchByText(sightings, texts, except: alignment?.view, &owners)
    let standings = sightings.indices.map { index -> SpineStanding in
      if let owner = owners[index] {
        return see(sightings[index], texts[index], placed[index], in: view, as: owner, size)
      }
      if mixed.contains(index) || (!keepsCut && sightings[index].spine.isCut(by: size)) { return .unclear }
      return add(sightings[index], texts[index], at: placed[index], in: view)
    }
    unite()
    if entries.count > Self.limit { entries.removeFirst(entries.count - Self.limit) }
    return standings
  }

  /// A book as a backend names it.
  public struct NamedBook: Sendable, Hashable {
    public var title: String
    public var author: String?
    public var isbn: String?
    /// 0…1.
    public var confidence: Double

    public init(title: String, author: String?, isbn: String?, confidence: Double) {
      self.title = title
      self.author = author
      self.isbn = isbn
      self.confidence = confidence
    }
  }

  /// Takes note of books that a backend has found in one photo, and of which no place is known.
  /// - Returns: what each is, in their order.
  public mutating func note(_ books: [NamedBook]) -> [SpineStanding] {
    var taken: Set<Int> = []
    views += 1
    return books.map { book in
      let text = SpineText(title: book.title, author: book.author)
      let nowhere = Box(x: 0, y: 0, width: 0, height: 0)
      let spine = SpineFinding(
        title: book.title, author: book.author, isbn: book.isbn, confidence: book.confidence, box: nowhere,
        angle: 0)
      let owner = entries.indices.reversed().first { owner in
        guard !taken.contains(owner) else { return false }
        if let isbn = book.isbn, let known = entries[owner].copy.isbn { return isbn == known }
        return text.isSame(as: entries[owner].text)
      }
      guard let owner else {
        taken.insert(entries.count)
        return add(SpineSighting(spine: spine), text, at: nowhere, in: views)
      }
      taken.insert(owner)
      entries[owner].copy.sightings += 1
      entries[owner].copy.isbn = entries[owner].copy.isbn ?? book.isbn
      return .again(entries[owner].copy, isSurer: false)
    }
  }

  /// The library has the book under another name now.
  mutating func shelve(_ copy: ShelfCopy.ID, as name: ShelfName) {
    guard let index = entries.firstIndex(where: { $0.copy.id == copy }) else { return }
    entries[index].copy.shelved = name
  }

  private mutating func add(
    _ sighting: SpineSighting, _ text: SpineText, at place: Box, in view: Int
  ) -> SpineStanding {
    let spine = sighting.spine
    let copy = ShelfCopy(
      id: nextID, title: spine.title, author: spine.author, isbn: spine.isbn, confidence: spine.confidence,
      sightings: 1, shelved: ShelfName(title: spine.title, author: spine.author))
    nextID += 1
    entries.append(
      Entry(copy: copy, text: text, look: sighting.look, place: place, angle: spine.angle, view: view))
    return .new(copy)
  }

  private mutating func see(
    _ sighting: SpineSighting, _ text: SpineText, _ place: Box, in view: Int, as owner: Int, _ size: PixelSize
  ) -> SpineStanding {
    let spine = sighting.spine
    let isSurer = spine.confidence > entries[owner].copy.confidence && !spine.isCut(by: size)
    entries[owner].copy.sightings += 1
    entries[owner].copy.isbn = entries[owner].copy.isbn ?? spine.isbn
    if isSurer {
      entries[owner].text = text
      entries[owner].copy.title = spine.title
      entries[owner].copy.author = spine.author ?? entries[owner].copy.author
      entries[owner].copy.confidence = spine.confidence
    }
    (entries[owner].place, entries[owner].angle, entries[owner].view) = (place, spine.angle, view)
    if let look = sighting.look { entries[owner].look = look }
    return .again(entries[owner].copy, isSurer: isSurer)
  }
}

// MARK: - Overlapping photos

extension SpineRegister {
  struct Alignment {
    var view: Int
    var fit: ViewFit
  }

  /// The view that most spines of the photo are in, and how the photo lies over it.
  private func bestAlignment(_ sightings: [SpineSighting], _ texts: [SpineText], _ size: PixelSize)
    -> Alignment?
  {
    var anchors: [Int: [ViewFit.Anchor]] = [:]
    for (index, sighting) in sightings.enumerated() where !sighting.spine.isCut(by: size) {
      for (owner, entry) in entries.enumerated()
      where entry.view > views - Self.viewLimit && texts[index].isSame(as: entry.text) {
        anchors[entry.view, default: []].append(
          ViewFit.Anchor(
            sighting: index, entry: owner, from: sighting.spine.box, to: entry.place,
            looksAlike: Self.isNear(sighting.look, entry.look)))
      }
    }
    let fits = anchors.compactMap { view, anchors in
      ViewFit.best(of: anchors, size: size).map { (fit: $0, view: view) }
    }.filter { isCredible($0.fit, sightings, in: $0.view) }
    return fits.max { ($0.fit.support, $0.view) < ($1.fit.support, $1.view) }
      .map { Alignment(view: $0.view, fit: $0.fit) }
  }

  /// Two photos of different shelves have titles in common, and some of them always lie alike by chance; where photos truly
  /// overlap, most spines that come to lie on known ones read the same.
  private func isCredible(_ fit: ViewFit, _ sightings: [SpineSighting], in view: Int) -> Bool {
    let known = entries.filter { $0.view == view }
    let covered = sightings.count { sighting in
      let place = fit.applied(to: sighting.spine.box)
      return known.contains { place.shareOfSmaller($0.place) >= 0.3 }
    }
    return Double(fit.support) >= 0.4 * Double(covered)
  }

  /// - Returns: the sightings that are two known spines read as one.
  private mutating func matchByPlace(
    _ sightings: [SpineSighting], _ texts: [SpineText], _ placed: [Box], _ alignment: Alignment,
    _ owners: inout [Int?]
  ) -> Set<Int> {
    let known = entries.indices.filter { entries[$0].view == alignment.view }
    var mixed: Set<Int> = []
    for index in sightings.indices {
      let thickness = placed[index].thickness(sightings[index].spine.angle)
      let under = known.filter { placed[index].shareOfSmaller(entries[$0].place) >= 0.5 }
      let parts = under.filter { texts[index].holds(entries[$0].text) }
      if parts.count(where: { entries[$0].thickness < thickness * 0.67 }) >= 2 {
        mixed.insert(index)
        continue
      }
      let candidates = under.filter { owner in
        let entry = entries[owner]
        // Half as thick is one of two that were read as one.
        guard thickness >= entry.thickness * 0.5 else { return false }
        return texts[index].isAlike(entry.text) || Self.isNear(sightings[index].look, entry.look)
          || placed[index].intersectionOverUnion(entry.place) >= 0.6
      }
      let owner = candidates.max {
        placed[index].shareOfLarger(entries[$0].place) < placed[index].shareOfLarger(entries[$1].place)
      }
      owners[index] = owner
      guard let owner else { continue }
      for part in parts where part != owner && entries[part].thickness > thickness * 0.67 {
        unions.append(Union(fragment: entries[part].copy.id, whole: entries[owner].copy.id))
      }
    }
    return mixed
  }

  /// Fragments of spines that have been read whole since are no books of their own, unless this photo shows them apart.
  private mutating func unite() {
    for union in unions { entries.removeAll { $0.copy.id == union.fragment } }
  }

  /// The unions since this was asked last.
  mutating func takeUnions() -> [Union] {
    defer { unions = [] }
    return unions
  }

  /// For what no place tells: the same words, the same look where it is known, and each book once a photo. Where most
  /// spines are unknown, the few that read like known ones are other copies of them: it is another shelf.
  private func matchByText(
    _ sightings: [SpineSighting], _ texts: [SpineText], except view: Int?, _ owners: inout [Int?]
  ) {
    var taken = Set(owners.compactMap(\.self))
    let open = sightings.indices.filter { owners[$0] == nil }
    var found: [Int: Int] = [:]
    for index in open {
      let owner = entries.indices.reversed().first { owner in
        entries[owner].view != view && !taken.contains(owner)
          && isSame(sightings[index], texts[index], entries[owner])
      }
      guard let owner else { continue }
      found[index] = owner
      taken.insert(owner)
    }
    guard found.count * 10 >= open.count * 4 else { return }
    for (index, owner) in found { owners[index] = owner }
  }

  private func isSame(_ sighting: SpineSighting, _ text: SpineText, _ entry: Entry) -> Bool {
    if let isbn = sighting.spine.isbn, isbn == entry.copy.isbn { return true }
    guard text.isSame(as: entry.text) else { return false }
    return sighting.look == nil || entry.look == nil || Self.isNear(sighting.look, entry.look)
  }

  private static func isNear(_ one: PerceptualHash?, _ other: PerceptualHash?) -> Bool {
    guard let one, let other else { return false }
    return one.distance(to: other) <= nearLook
  }
}
