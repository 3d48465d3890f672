import BookScan
import FoundationEssentials
import Imagery
public import Library
import System
import Uploads

/// What is known of a session's books and scans, and where it is told.
public final class ScanJournal: Sendable {
  private struct State {
    var register = SpineRegister()
    var pressed: [UUID: MonotonicTime] = [:]
    var ways: [UUID: RecognitionWay] = [:]
    var isReached = true
    /// What was found in scans on their way to the library.
    var found: [UUID: Found] = [:]
    /// How often spines were seen in scans that are read once more.
    var earlier: [UUID: [Spine.ID: Int]] = [:]
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
  private let made: SpineFindings
  /// For one watcher; the latest 10,000 are kept for it.
  public let events: AsyncStream<ScanEvent>
  private let tell: AsyncStream<ScanEvent>.Continuation

  /// A journal that knows nothing yet. One station and its ``Recognition`` share it.
  /// - Parameters:
  ///   - keepsCut: whether a spine that the photo's edge cuts counts as a book. Default is false, for photos that overlap; true for single ones.
  ///   - naming: the name that a catalogue has for a book that was read here; nil where it knows none. What was read is kept beside it.
  ///     Default is none.
  public init(
    keepsCut: Bool = false, naming: @escaping @Sendable (BookFinding) -> BookFinding? = { _ in nil }
  ) {
    self.keepsCut = keepsCut
    made = SpineFindings(naming: naming)
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
      state.earlier[key] = nil
      return (state.pressed.removeValue(forKey: key), state.ways.removeValue(forKey: key))
    }
  }

  /// Goes on from what the library knows of spines; before the first photo only.
  func restore(_ spines: [Spine]) {
    state.withLock { if $0.register.copies.isEmpty { $0.register = SpineRegister(spines) } }
  }

  /// The scan has been delivered before and is read once more: what it is found to show takes the place of what it showed then.
  func expectAgain(_ receipt: Receipt) { state.withLock { $0.earlier[receipt.key] = receipt.spines } }

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
    let others = FindingNames.named(reading.unlikely, in: scan, among: "unlikely")
    let places = PhotoPlaces.all(sightings.map(\.spine), others.map(\.spine))
    let unlikely = zip(others, places.dropFirst(sightings.count)).compactMap(made.unlikely)
    let (shown, found) = state.withLock { state in
      if let earlier = state.earlier.removeValue(forKey: scan) { state.register.unsee(earlier) }
      let standings = state.register.note(sightings, size: reading.size, keepsCut: keepsCut)
      let shown = zip(zip(sightings, places), standings).compactMap { seen, standing in
        standing.copy.map { copy in
          SpineFindings.Shown(
            sighting: seen.0, copy: copy, spine: state.register.spine(copy.id),
            parts: state.register.unions.filter { $0.whole == copy.id }.map(\.fragment), place: seen.1)
        }
      }
      return (shown, zip(sightings, standings).compactMap { FoundSpine($0, $1) })
    }
    // A catalogue takes its time: nobody waits for it.
    let findings = shown.compactMap(made.book) + unlikely
    state.withLock { $0.found[scan] = Found(findings: findings) }
    tell.yield(.found(scan, found))
    return findings
  }

  /// Takes note of what a backend has found.
  /// - Returns: what goes into the library: the same under the names of the backend, and which spines they are.
  func register(_ named: [Finding], of scan: UUID) -> [Finding] {
    let (findings, found) = state.withLock { state -> ([Finding], [FoundSpine]?) in
      // A job may be followed twice, when the library could not be written.
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

/// Ids of what was read in a photo: made of the scan and of what was read where, so that the same photo read again gives the same.
enum FindingNames {
  /// - Parameter kind: keeps those apart that are something else; empty for books.
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
  /// A backend's ids are its own affair: another scan may have the same.
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

  /// - Parameter certainty: nil where a backend has judged it.
  init?(id: Finding.ID, _ standing: SpineStanding, certainty: Certainty? = nil) {
    guard let copy = standing.copy else { return nil }
    var isNew = false
    if case .new = standing { isNew = true }
    self.init(
      id: id, title: copy.title, author: copy.author ?? "", isbn: copy.isbn, confidence: copy.confidence,
      certainty: certainty, spine: copy.id, copy: copy.number, isNew: isNew)
  }
}
