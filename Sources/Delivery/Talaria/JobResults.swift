/// The books of one job as its events tell of them: in any order, some perhaps twice, over any number of connections.
struct JobResults {
  private var byIndex: [Int: BookFinding] = [:]
  private var withoutIndex: [BookFinding] = []
  private var seenIDs: Set<String> = []
  private var expected: Int?
  private var isComplete = false

  /// Most books of one job.
  static let limit = 1000

  var count: Int { byIndex.count + withoutIndex.count }
  /// Whether the job has said that it is done and all its books are here.
  var isWhole: Bool { isComplete && count >= (expected ?? 0) }
  /// Whether the job has said that it is done, but books it has counted have not come.
  var hasGap: Bool { isComplete && !isWhole }
  /// In the backend's order.
  var books: [BookFinding] { byIndex.sorted { $0.key < $1.key }.map(\.value) + withoutIndex }

  /// Whether it was news.
  mutating func add(_ finding: BookFinding, index: Int?, eventID: String) -> Bool {
    if let index { return byIndex.updateValue(finding, forKey: index) == nil }
    guard eventID.isEmpty || seenIDs.insert(eventID).inserted else { return false }
    withoutIndex.append(finding)
    return true
  }

  mutating func complete(expecting books: Int?) {
    isComplete = true
    expected = books
  }
}
