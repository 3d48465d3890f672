/// The rows that lines stand on, judged by their neighbours: long texts that run up or down side by side form a row.
struct ShelfRows {
  /// For each line its row; nil for none.
  private(set) var rows: [Int?]
  /// The length of the longest standing text of each row, pixels.
  private let lengths: [Int: Double]

  init(_ shelf: [ShelfLine]) {
    let boxes = shelf.map(\.line.region.box)
    let standing = shelf.indices.filter { shelf[$0].isStanding }
    let ordered = standing.map { boxes[$0].height }.sorted()
    let long = ordered.isEmpty ? 0 : ordered[ordered.count * 9 / 10]
    let members = standing.filter { boxes[$0].height >= 0.35 * long }
    var sets = DisjointSets(members.count)
    for (a, first) in members.enumerated() {
      for (b, second) in members.enumerated() where b > a && Self.areNeighbours(boxes[first], boxes[second]) {
        sets.join(a, b)
      }
    }
    var rows = [Int?](repeating: nil, count: shelf.count)
    var lengths: [Int: Double] = [:]
    // If there is a row of three or more long texts, fewer texts form no row: they may be authors' names as long as titles.
    let groups = sets.groups()
    let isCrowded = groups.contains { $0.count >= 3 }
    for (row, group) in groups.enumerated() where !isCrowded || group.count >= 3 {
      for member in group { rows[members[member]] = row }
      lengths[row] = group.map { boxes[members[$0]].height }.max() ?? 0
    }
    let placed = members.compactMap { member in rows[member].map { (boxes[member], $0) } }
    for index in shelf.indices where rows[index] == nil { rows[index] = Self.nearest(boxes[index], placed) }
    (self.rows, self.lengths) = (rows, lengths)
  }

  /// Whether two lines are in one row, and the gap between them along the spine is less than the length of the row's longest
  /// text.
  func areOnOne(_ first: Int, _ second: Int, gap: Double) -> Bool {
    guard let row = rows[first], row == rows[second] else { return false }
    return gap < 1.0 * (lengths[row] ?? 0)
  }

  /// Returns the length of the longest standing text of a row, pixels.
  func length(row: Int) -> Double { lengths[row] ?? 0 }

  private static func areNeighbours(_ a: Box, _ b: Box) -> Bool {
    let gap = -(a.x...a.maxX).overlap(b.x...b.maxX)
    return (a.y...a.maxY).share(b.y...b.maxY) > 0.5 && gap < max(a.height, b.height)
  }

  /// Returns the row nearest to `box` among the members beside it. Nil if the box is off the row's level by a third of the row's
  /// height or more.
  private static func nearest(_ box: Box, _ members: [(box: Box, row: Int)]) -> Int? {
    var ranges: [Int: ClosedRange<Double>] = [:]
    for (other, row) in members where -(box.x...box.maxX).overlap(other.x...other.maxX) < other.height {
      let range = ranges[row] ?? other.y...other.maxY
      ranges[row] = min(range.lowerBound, other.y)...max(range.upperBound, other.maxY)
    }
    let distances = ranges.map { row, range in (row, -range.overlap(box.y...box.maxY) / range.length) }
    guard let best = distances.min(by: { ($0.1, $0.0) < ($1.1, $1.0) }), best.1 < 0.35 else { return nil }
    return best.0
  }
}
