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
    /// Of scans on their way to the library: which book each of their findings is.
    var findings: [UUID: [Finding]] = [:]
    /// Books of the library by the copies they stand for.
    var books: [ShelfCopy.ID: Book.ID] = [:]
    var unions: [SpineRegister.Union] = []
  }

  /// What a scan has to say of one book of the library.
  struct Finding: Sendable {
    var copy: ShelfCopy
    /// The reading is surer than the one the library has.
    var corrects: Bool
  }

  private let state = Locked(State())
  /// Whether a spine that the photo's edge cuts counts: not while other photos follow.
  private let keepsCut: Bool
  /// For one watcher; the latest 10,000 are kept for it.
  public let events: AsyncStream<ScanEvent>
  private let tell: AsyncStream<ScanEvent>.Continuation

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
  func close(_ key: UUID) -> (pressed: MonotonicTime?, way: RecognitionWay?, findings: [Finding]) {
    state.withLock { state in
      (
        state.pressed.removeValue(forKey: key), state.ways.removeValue(forKey: key),
        state.findings.removeValue(forKey: key) ?? []
      )
    }
  }

  /// The library has these findings as these books.
  /// - Returns: pairs of its books that turned out to be one.
  func note(_ books: [Book], as findings: [Finding]) -> [(fragment: Book.ID, whole: Book.ID)] {
    state.withLock { state in
      for (finding, book) in zip(findings, books) { state.books[finding.copy.id] = book.id }
      let ready = state.unions.filter { state.books[$0.whole] != nil }
      state.unions.removeAll { ready.contains($0) }
      return ready.compactMap { union in
        guard let fragment = state.books.removeValue(forKey: union.fragment),
          let whole = state.books[union.whole], fragment != whole
        else { return nil }
        return (fragment, whole)
      }
    }
  }

  /// The library has the book under the name of its surest reading.
  func shelved(_ copy: ShelfCopy) {
    state.withLock { $0.register.shelve(copy.id, as: ShelfName(title: copy.title, author: copy.author)) }
  }

  /// Every book of the session.
  public var copies: [ShelfCopy] { state.withLock { $0.register.copies } }

  /// - Returns: what goes into the library: every spine under the name it has there, so that one misread once is no second
  ///   book.
  func register(_ reading: PhotoReader.Reading, of scan: UUID) -> [BookFinding] {
    let standings = state.withLock { state in
      let standings = state.register.note(
        reading.sightings, size: reading.size, keepsCut: keepsCut)
      state.unions += state.register.takeUnions()
      state.findings[scan] = standings.compactMap { Finding($0) }
      return standings
    }
    tell.yield(.found(scan, standings.compactMap { FoundSpine($0) }))
    return zip(standings, reading.sightings).compactMap { standing, sighting in
      standing.copy.map { copy in
        BookFinding(
          isbn: copy.isbn, title: copy.shelved.title, author: copy.shelved.author ?? "",
          confidence: sighting.spine.confidence)
      }
    }
  }

  /// What the backend has found.
  func note(_ books: [BookFinding], of scan: UUID) {
    let found = books.map {
      SpineRegister.NamedBook(
        title: $0.title, author: $0.author.isEmpty ? nil : $0.author, isbn: $0.isbn,
        confidence: $0.confidence ?? 0)
    }
    let standings = state.withLock { $0.register.note(found) }
    tell.yield(.found(scan, standings.compactMap { FoundSpine($0) }))
  }
}

extension ScanJournal.Finding {
  init?(_ standing: SpineStanding) {
    guard let copy = standing.copy else { return nil }
    self.copy = copy
    if case .again(_, let isSurer) = standing { corrects = isSurer } else { corrects = false }
  }
}

extension FoundSpine {
  init?(_ standing: SpineStanding) {
    guard let copy = standing.copy else { return nil }
    var isNew = false
    if case .new = standing { isNew = true }
    self.init(
      title: copy.title, author: copy.author ?? "", isbn: copy.isbn, confidence: copy.confidence,
      copy: copy.id, isNew: isNew)
  }
}
