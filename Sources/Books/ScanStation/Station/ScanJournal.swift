import BookScan
import FoundationEssentials
import Imagery
public import Library
import System
import Uploads

/// Stores the state of a session's books and scans, and sends its events.
public final class ScanJournal: Sendable {
  private struct State {
    var register = SpineRegister()
    var pressed: [UUID: MonotonicTime] = [:]
    var ways: [UUID: RecognitionWay] = [:]
    var isReached = true
    /// The findings of scans that are not in the library yet.
    var found: [UUID: Found] = [:]
    /// The earlier sightings of spines in scans that are read again.
    var earlier: [UUID: [Spine.ID: Int]] = [:]
  }

  /// The findings of one scan, as the library gets them.
  private struct Found {
    /// The backend's original findings. Nil if the scan was read on this machine.
    var named: [Finding]?
    var findings: [Finding]
  }

  private let state = Locked(State())
  /// Whether a spine cut by the photo's edge counts as a book. False if overlapping photos follow.
  private let keepsCut: Bool
  private let naming: @Sendable (BookFinding) -> BookFinding?
  /// The events. Only one task may watch them; the latest 10,000 are buffered.
  public let events: AsyncStream<ScanEvent>
  private let tell: AsyncStream<ScanEvent>.Continuation

  /// Creates an empty journal. A station and its ``Recognition`` share one.
  /// - Parameters:
  ///   - keepsCut: whether a spine cut by the photo's edge counts as a book. The default is false, for photos that overlap; use true for single
  ///     photos.
  ///   - naming: returns a catalogue's name for a book that was read on this machine; nil if the catalogue has none. The reading is stored beside
  ///     the name. The default returns nil.
  public init(
    keepsCut: Bool = false, naming: @escaping @Sendable (BookFinding) -> BookFinding? = { _ in nil }
  ) {
    self.keepsCut = keepsCut
    self.naming = naming
    (events, tell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(10_000))
  }

  deinit { tell.finish() }

  func note(_ event: ScanEvent) {
    if case .began(let key, let way) = event { state.withLock { $0.ways[key] = way } }
    tell.yield(event)
  }

  func finish() { tell.finish() }

  /// Sends an event if the reachability of the backend has changed.
  func note(isReached: Bool, reason: String = "") {
    let isNews = state.withLock { state in
      defer { state.isReached = isReached }
      return state.isReached != isReached
    }
    if isNews { tell.yield(isReached ? .reached : .unreachable(reason: reason)) }
  }

  func pressed(_ key: UUID, at time: MonotonicTime) { state.withLock { $0.pressed[key] = time } }

  /// Removes and returns the data of a scan that has left the queue.
  func close(_ key: UUID) -> (pressed: MonotonicTime?, way: RecognitionWay?) {
    state.withLock { state in
      state.found[key] = nil
      state.earlier[key] = nil
      return (state.pressed.removeValue(forKey: key), state.ways.removeValue(forKey: key))
    }
  }

  /// Continues with the spines of the library. Has an effect only before the first photo.
  func restore(_ spines: [Spine]) {
    state.withLock { if $0.register.copies.isEmpty { $0.register = SpineRegister(spines) } }
  }

  /// Notes that a delivered scan is read again: its new sightings replace the earlier ones.
  func expectAgain(_ receipt: Receipt) { state.withLock { $0.earlier[receipt.key] = receipt.spines } }

  /// All physical books of the session.
  public var copies: [ShelfCopy] { state.withLock { $0.register.copies } }

  /// The findings of a scan that was read on this machine and is not in the library yet. Nil if it has not been read.
  func findings(of scan: UUID) -> [Finding]? {
    state.withLock { $0.found[scan].flatMap { $0.named == nil ? $0.findings : nil } }
  }

  /// Registers the reading of a photo.
  /// - Returns: the findings for the library. A photo that is read again after a restart gives the same findings.
  func register(_ reading: PhotoReader.Reading, of scan: UUID) -> [Finding] {
    let sightings = FindingNames.named(reading.sightings, in: scan)
    let others = FindingNames.named(reading.unlikely, in: scan, among: "unlikely")
    let places = PhotoPlaces.all(sightings.map(\.spine), others.map(\.spine))
    let unlikely = zip(others, places.dropFirst(sightings.count)).compactMap(Self.unlikely)
    let (shown, found) = state.withLock { state in
      if let earlier = state.earlier.removeValue(forKey: scan) { state.register.unsee(earlier) }
      let standings = state.register.note(sightings, size: reading.size, keepsCut: keepsCut)
      let shown = zip(zip(sightings, places), standings).compactMap { seen, standing in
        standing.copy.map { copy in
          Shown(
            sighting: seen.0, copy: copy, spine: state.register.spine(copy.id),
            parts: state.register.unions.filter { $0.whole == copy.id }.map(\.fragment), place: seen.1)
        }
      }
      return (shown, zip(sightings, standings).compactMap { FoundSpine($0, $1) })
    }
    // The catalogue is slow, so it is queried outside the lock.
    let findings = shown.compactMap(book) + unlikely
    state.withLock { $0.found[scan] = Found(findings: findings) }
    tell.yield(.found(scan, found))
    return findings
  }

  /// Registers the findings of a backend.
  /// - Returns: the findings for the library: under the backend's names, with their spines.
  func register(_ named: [Finding], of scan: UUID) -> [Finding] {
    let (findings, found) = state.withLock { state -> ([Finding], [FoundSpine]?) in
      // A job may be followed twice, if the library could not be written.
      if let known = state.found[scan], known.named == named { return (known.findings, nil) }
      if let earlier = state.earlier.removeValue(forKey: scan) { state.register.unsee(earlier) }
      let standings = state.register.note(named.map { NamedBook($0, in: scan) })
      let findings = zip(named, standings).map { finding, standing in
        var finding = finding
        finding.spine = standing.copy.flatMap { state.register.spine($0.id) }
        return finding
      }
      state.found[scan] = Found(named: named, findings: findings)
      return (findings, zip(named, standings).compactMap { FoundSpine(id: $0.id, $1) })
    }
    if let found { tell.yield(.found(scan, found)) }
    return findings
  }
}

// MARK: - Findings for the library, both of a camera's photos and of photographs in files

extension ScanJournal {
  /// A spine in a photo, and the book it turned out to be.
  private struct Shown: Sendable {
    var sighting: SpineSighting
    var copy: ShelfCopy
    var spine: Spine?
    /// Spines that turned out to be parts of this spine.
    var parts: [Spine.ID]
    var place: Finding.Place
  }

  /// The finding of a book, named by its surest reading or by the catalogue, so that a misread spine does not become a second book.
  /// - Returns: nil if nothing is left of its text: a spine that has only invisible characters is not a book.
  private func book(_ shown: Shown) -> Finding? {
    var book = BookFinding(shown.copy)
    book.certainty = BookFinding.Certainty(shown.sighting.spine.certainty)
    return Self.finding(
      shown.sighting, named(book), spine: shown.spine, parts: shown.parts, place: shown.place)
  }

  /// The finding of a probable non-book. It gets no spine: otherwise fragments and labels would occupy the places of books.
  private static func unlikely(_ sighting: SpineSighting, at place: Finding.Place) -> Finding? {
    let spine = sighting.spine
    let book = BookFinding(
      isbn: spine.isbn, title: spine.title, author: spine.author ?? "", confidence: spine.confidence,
      certainty: .unlikely)
    return finding(sighting, book, spine: nil, parts: [], place: place)
  }

  private static func finding(
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

/// Derives the ids of a photo's findings from the scan and from the readings and their places. So the same photo read again gives the same ids.
enum FindingNames {
  /// - Parameter kind: a prefix that separates findings of another kind; empty for books.
  static func named(
    _ sightings: [SpineSighting], in scan: UUID, among kind: String = ""
  ) -> [SpineSighting] {
    var seen: [String: Int] = [:]
    return sightings.map { sighting in
      let spine = sighting.spine
      let corner = [spine.box.x, spine.box.y].map { $0.isFinite ? $0.rounded() : 0 }
      let name = "\(kind)\(scan.uuidString)/\(corner)/\(spine.title)/\(spine.author ?? "")"
      seen[name, default: 0] += 1
      var sighting = sighting
      sighting.id = .named("\(name)/\(seen[name, default: 1])")
      return sighting
    }
  }
}

extension NamedBook {
  /// The backend's id is combined with the scan, since another scan may have an equal id.
  fileprivate init(_ finding: Finding, in scan: UUID) {
    let book = finding.book
    self.init(
      id: .named("\(scan.uuidString)/\(finding.id.uuidString)"), title: book.title,
      author: book.author.isEmpty ? nil : book.author, isbn: book.isbn, confidence: book.confidence ?? 0)
  }
}

extension FoundSpine {
  init?(_ sighting: SpineSighting, _ standing: SpineStanding) {
    self.init(id: sighting.id, standing, certainty: sighting.spine.certainty)
  }

  /// - Parameter certainty: nil if a backend has judged the book.
  init?(id: Finding.ID, _ standing: SpineStanding, certainty: Certainty? = nil) {
    guard let copy = standing.copy else { return nil }
    var isNew = false
    if case .new = standing { isNew = true }
    self.init(
      id: id, title: copy.title, author: copy.author ?? "", isbn: copy.isbn, confidence: copy.confidence,
      certainty: certainty, spine: copy.id, copy: copy.number, isNew: isNew)
  }
}
