/// The books of one job as its events tell of them: in any order, some perhaps twice, over any number of connections.
struct JobResults {
  private var byIndex: [Int: BookFinding] = [:]
  private var withoutIndex: [BookFinding] = []
  private var seenIDs: Set<String> = []
  private var expected: Int?
  private var isComplete = false

  /// Most books of one job, and most bytes of their texts.
  static let (limit, byteLimit) = (1000, 8 << 20)
  private var bytes = 0

  var count: Int { byIndex.count + withoutIndex.count }
  /// Whether the job has said that it is done and all its books are here.
  var isWhole: Bool { isComplete && count >= (expected ?? 0) }
  /// Whether the job has said that it is done, but books it has counted have not come.
  var hasGap: Bool { isComplete && !isWhole }
  /// In the backend's order.
  var books: [BookFinding] { byIndex.sorted { $0.key < $1.key }.map(\.value) + withoutIndex }

  /// What a result was: a new one, one that was there before, or more than there may be.
  enum Addition { case news, known, tooMuch }

  mutating func add(_ finding: BookFinding, index: Int?, eventID: String) -> Addition {
    let known = index.flatMap { byIndex[$0] }
    if index == nil, !eventID.isEmpty, seenIDs.contains(eventID) { return .known }
    let after = bytes + finding.bytes - (known?.bytes ?? 0)
    guard known != nil || count < Self.limit, after <= Self.byteLimit else { return .tooMuch }
    bytes = after
    if let index {
      byIndex[index] = finding
    } else {
      if !eventID.isEmpty { seenIDs.insert(eventID) }
      withoutIndex.append(finding)
    }
    return known == nil ? .news : .known
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
