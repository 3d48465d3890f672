import Bibliography

/// Identifies the spines of a shelf, and judges their order.
struct ShelfComparison {
  private(set) var holdings: [HoldingVerdict]
  private(set) var spines: [SpineVerdict]
  let likeness: [Double]

  /// - Parameter places: the places of the holdings. Nil for a holding without a place.
  init(_ given: [ShelfSpine], _ list: [Holding], _ places: [Int?]) {
    let pairs = SpinePairs(given, list)
    let order = RowOrder.sorted(given, pairs.anchors.map { $0.flatMap { places[$0] } })
    let ordered = order.map { given[$0] }
    let found = Assignment(pairs.reordered(order), places: places)
    let line = ShelfStanding(ordered, found, places)
    var verdicts = line.spineVerdicts
    for (spine, verdict) in verdicts.enumerated() where verdict == .notInList {
      if ordered[spine].legibility != .read || found.isOpen[spine] { verdicts[spine] = .notRead }
    }
    let gaps = ShelfGaps(ordered, list, line, verdicts, places, found)
    holdings = list.indices.map { holding in
      if let spine = line.standing[holding] { return .present(spine: order[spine]) }
      if let spine = line.astray[holding] {
        let (after, before) = line.neighbours(of: places[holding])
        return .misplaced(spine: order[spine], after: after, before: before)
      }
      return gaps.verdicts[holding] ?? .unseen
    }
    spines = [SpineVerdict](repeating: .notRead, count: given.count)
    var likeness = [Double](repeating: 0, count: given.count)
    for (spine, number) in order.enumerated() {
      spines[number] = verdicts[spine]
      likeness[number] = found.likeness[spine]
    }
    self.likeness = likeness
  }
}

/// Determines the order of rows that were photographed in any order.
enum RowOrder {
  /// The indices of the spines, row by row. Rows are sorted by the median place of their books, and the order within a row is kept. A row without
  /// known books stays after the row before it.
  static func sorted(_ spines: [ShelfSpine], _ places: [Int?]) -> [Int] {
    var rows: [[Int]] = []
    for index in spines.indices {
      if index > 0, spines[index].row == spines[index - 1].row {
        rows[rows.count - 1].append(index)
      } else {
        rows.append([index])
      }
    }
    var (keys, last) = ([Int](), 0)
    for row in rows {
      let known = row.compactMap { places[$0] }.sorted()
      if !known.isEmpty { last = known[known.count / 2] }
      keys.append(last)
    }
    return rows.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }.flatMap { rows[$0] }
  }
}
