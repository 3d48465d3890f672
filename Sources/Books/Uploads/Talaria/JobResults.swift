import FoundationEssentials
import Library

/// The books of one job as its events tell of them: in any order, some perhaps twice, over any number of connections.
struct JobResults {
  /// What no other job has, of which the ids of the findings are made.
  let job: String
  private var byIndex: [Int: Finding] = [:]
  private var withoutIndex: [Finding] = []
  private var seenIDs: Set<String> = []
  private var expected: Int?
  private var isComplete = false

  /// Most books of one job, and most bytes of their texts.
  static let (limit, byteLimit) = (1000, 8 << 20)
  private var bytes = 0

  init(job: String) { self.job = job }

  var count: Int { byIndex.count + withoutIndex.count }
  /// Whether the job has said that it is done and all its books are here.
  var isWhole: Bool { isComplete && count >= (expected ?? 0) }
  /// Whether the job has said that it is done, but books it has counted have not come.
  var hasGap: Bool { isComplete && !isWhole }
  /// In the backend's order.
  var findings: [Finding] { byIndex.sorted { $0.key < $1.key }.map(\.value) + withoutIndex }

  /// What a result was: a new one, one that was there before, or more than there may be.
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

  /// By the backend's own number of the result; without one by its event's, or else by how many have come.
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
