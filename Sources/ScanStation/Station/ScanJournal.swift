import BookScan
import Delivery
import FoundationEssentials
import Imagery
import Locking

/// What is known of a session's books and scans, and where it is told.
public final class ScanJournal: Sendable {
  private struct State {
    var register = SpineRegister()
    var pressed: [UUID: MonotonicTime] = [:]
    var ways: [UUID: RecognitionWay] = [:]
    var isReached = true
    /// What was found in scans on their way to the library.
    var found: [UUID: Found] = [:]
  }

  /// What was found in one scan, as it goes into the library.
  private struct Found {
    /// As a backend named it; nil when it was read here.
    var named: [Finding]?
    var findings: [Finding]
  }

  private let state = Locked(State())
  /// Whether a spine that the photo's edge cuts counts: not while other photos follow.
  private let keepsCut: Bool
  /// For one watcher; the latest 10,000 are kept for it.
  public let events: AsyncStream<ScanEvent>
  private let tell: AsyncStream<ScanEvent>.Continuation

  /// A journal that knows nothing yet. One station and its ``Recognition`` share it.
  /// - Parameter keepsCut: whether a spine that the photo's edge cuts counts as a book. Default is false, for photos that overlap; true for single ones.
  public init(keepsCut: Bool = false) {
    self.keepsCut = keepsCut
    (events, tell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(10_000))
  }

  deinit { tell.finish() }

  func note(_ event: ScanEvent) {
    if case .began(let key, let way) = event { state.withLock { $0.ways[key] = way } }
    tell.yield(event)
  }

  func finish() { tell.finish() }

  /// Told when it changes.
  func note(isReached: Bool, reason: String = "") {
    let isNews = state.withLock { state in
      defer { state.isReached = isReached }
      return state.isReached != isReached
    }
    if isNews { tell.yield(isReached ? .reached : .unreachable(reason: reason)) }
  }

  func pressed(_ key: UUID, at time: MonotonicTime) { state.withLock { $0.pressed[key] = time } }

  /// What is known of a scan that has left the queue; nothing is afterwards.
  func close(_ key: UUID) -> (pressed: MonotonicTime?, way: RecognitionWay?) {
    state.withLock { state in
      state.found[key] = nil
      return (state.pressed.removeValue(forKey: key), state.ways.removeValue(forKey: key))
    }
  }

  /// Goes on from what the library knows of spines; before the first photo only.
  func restore(_ spines: [Spine]) {
    state.withLock { if $0.register.copies.isEmpty { $0.register = SpineRegister(spines) } }
  }

  /// Every book of the session.
  public var copies: [ShelfCopy] { state.withLock { $0.register.copies } }

  /// What was read here in a scan that is not in the library yet; nil when it is still to be read.
  func findings(of scan: UUID) -> [Finding]? {
    state.withLock { $0.found[scan].flatMap { $0.named == nil ? $0.findings : nil } }
  }

  /// Takes note of what was read in a photo.
  /// - Returns: what goes into the library. The same for the same photo, if it is read again after a restart.
  func register(_ reading: PhotoReader.Reading, of scan: UUID) -> [Finding] {
    let sightings = FindingNames.named(reading.sightings, in: scan)
    let (findings, found) = state.withLock { state in
      let standings = state.register.note(sightings, size: reading.size, keepsCut: keepsCut)
      let ids = sightings.map(\.id)
      let findings = zip(ids, standings).compactMap { id, standing in
        standing.copy.map { copy in
          Finding(
            id: id, BookFinding(copy), spine: state.register.spine(copy.id), followsSpine: true,
            parts: state.register.unions.filter { $0.whole == copy.id }.map(\.fragment))
        }
      }.filter { $0.book.normalized() != nil }  // A spine of signs that nobody sees is no book.
      state.found[scan] = Found(findings: findings)
      return (findings, zip(ids, standings).compactMap { FoundSpine(id: $0, $1) })
    }
    tell.yield(.found(scan, found))
    return findings
  }

  /// Takes note of what a backend has found.
  /// - Returns: what goes into the library: the same under the names of the backend, and which spines they are.
  func register(_ named: [Finding], of scan: UUID) -> [Finding] {
    let (findings, found) = state.withLock { state -> ([Finding], [FoundSpine]?) in
      // A job may be followed twice, when the library could not be written.
      if let known = state.found[scan], known.named == named { return (known.findings, nil) }
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

/// Ids of what was read in a photo: made of the scan and of what was read where, so that the same photo read again gives the same.
enum FindingNames {
  static func named(_ sightings: [SpineSighting], in scan: UUID) -> [SpineSighting] {
    var seen: [String: Int] = [:]
    return sightings.map { sighting in
      let spine = sighting.spine
      let corner = [spine.box.x, spine.box.y].map { $0.isFinite ? $0.rounded() : 0 }
      let name = "\(scan.uuidString)/\(corner)/\(spine.title)/\(spine.author ?? "")"
      seen[name, default: 0] += 1
      var sighting = sighting
      sighting.id = .named("\(name)/\(seen[name, default: 1])")
      return sighting
    }
  }
}

extension NamedBook {
  /// A backend's ids are its own affair: another scan may have the same.
  fileprivate init(_ finding: Finding, in scan: UUID) {
    let book = finding.book
    self.init(
      id: .named("\(scan.uuidString)/\(finding.id.uuidString)"), title: book.title,
      author: book.author.isEmpty ? nil : book.author, isbn: book.isbn, confidence: book.confidence ?? 0)
  }
}

extension BookFinding {
  /// A spine by its surest reading, so that one misread once is no second book.
  fileprivate init(_ copy: ShelfCopy) {
    self.init(isbn: copy.isbn, title: copy.title, author: copy.author ?? "", confidence: copy.confidence)
  }
}

extension FoundSpine {
  init?(id: Finding.ID, _ standing: SpineStanding) {
    guard let copy = standing.copy else { return nil }
    var isNew = false
    if case .new = standing { isNew = true }
    self.init(
      id: id, title: copy.title, author: copy.author ?? "", isbn: copy.isbn, confidence: copy.confidence,
      spine: copy.id, copy: copy.number, isNew: isNew)
  }
}
