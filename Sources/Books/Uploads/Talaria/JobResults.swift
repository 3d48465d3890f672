import FoundationEssentials
import Library

/// The books of one job, collected from its events: in any order, possibly repeated, over any number of connections.
struct JobResults {
  /// A text unique to the job, from which the ids of its findings are derived.
  let job: String
  private var byIndex: [Int: Finding] = [:]
  private var withoutIndex: [Finding] = []
  private var seenIDs: Set<String> = []
  private var expected: Int?
  private var isComplete = false

  /// `limit`: the maximum number of books of one job. `byteLimit`: the maximum number of bytes in the texts of all these books.
  static let (limit, byteLimit) = (1000, 8 << 20)
  private var bytes = 0

  init(job: String) { self.job = job }

  var count: Int { byIndex.count + withoutIndex.count }
  /// Whether the job has reported its completion and all its books have arrived.
  var isWhole: Bool { isComplete && count >= (expected ?? 0) }
  /// Whether the job has reported its completion but some of the books it counted have not arrived.
  var hasGap: Bool { isComplete && !isWhole }
  /// The findings: those with an index in the order of the indices, then the others in the order of their arrival.
  var findings: [Finding] { byIndex.sorted { $0.key < $1.key }.map(\.value) + withoutIndex }

  /// The outcome of adding a result: new, known already, or beyond the limits.
  enum Addition: Equatable {
    case news(Finding)
    case known, tooMuch
  }

  mutating func add(_ book: BookFinding, index: Int?, eventID: String) -> Addition {
    let known = index.flatMap { byIndex[$0] }
    if index == nil, !eventID.isEmpty, seenIDs.contains(eventID) { return .known }
    let after = bytes + book.bytes - (known?.book.bytes ?? 0)
    guard known != nil || count < Self.limit, after <= Self.byteLimit else { return .tooMuch }
    bytes = after
    let finding = Finding(id: id(index, eventID), book)
    if let index {
      byIndex[index] = finding
    } else {
      if !eventID.isEmpty { seenIDs.insert(eventID) }
      withoutIndex.append(finding)
    }
    return known == nil ? .news(finding) : .known
  }

  /// Derives a finding's id from the backend's index of the result. Without an index, from the id of its event, or else from the number of results
  /// so far.
  private func id(_ index: Int?, _ eventID: String) -> UUID {
    if let index { return .named("\(job)/\(index)") }
    return .named(eventID.isEmpty ? "\(job)/+\(withoutIndex.count)" : "\(job)/#\(eventID)")
  }

  mutating func complete(expecting books: Int?) {
    isComplete = true
    expected = books
  }
}

extension BookFinding {
  fileprivate var bytes: Int {
    [title, author, isbn ?? "", coverURL ?? "", format ?? ""].reduce(0) { $0 + $1.utf8.count }
  }
}
