/// Determines which of the identified spines are in order, and which must be moved.
struct ShelfStanding {
  /// The spines that are in order, in the order of the shelf, with the places of their holdings.
  let kept: [(spine: Int, holding: Int, place: Int)]
  /// For each holding in its place, its spine.
  private(set) var standing: [Int: Int] = [:]
  /// For each holding out of its place, its spine.
  private(set) var astray: [Int: Int] = [:]
  /// For each holding in its place, all spines that show it.
  private(set) var showing: [Int: [Int]] = [:]
  private(set) var spineVerdicts: [SpineVerdict]

  init(_ spines: [ShelfSpine], _ found: Assignment, _ places: [Int?]) {
    var placed: [(spine: Int, holding: Int, place: Int)] = []
    spineVerdicts = [SpineVerdict](repeating: .notInList, count: spines.count)
    for spine in spines.indices {
      guard let holding = found.holdings[spine] else { continue }
      if let place = places[holding] {
        placed.append((spine, holding, place))
      } else {
        // A holding that the rule does not place is never out of place.
        standing[holding] = spine
        spineVerdicts[spine] = .holding(holding)
      }
    }
    // If either of two spines could be moved, choose the one with the lower likeness.
    let weights = placed.map { 1_000_000 + Int(found.likeness[$0.spine] * 100) }
    kept = LongestOrder.kept(placed.map(\.place), weights: weights).map { placed[$0] }
    for one in kept {
      standing[one.holding] = one.spine
      showing[one.holding] = [one.spine]
      spineVerdicts[one.spine] = .holding(one.holding)
    }
    for one in placed where standing[one.holding] == nil {
      astray[one.holding] = one.spine
      spineVerdicts[one.spine] = .misplaced(one.holding)
    }
    noteRepeats(spines, found)
  }

  private mutating func noteRepeats(_ spines: [ShelfSpine], _ found: Assignment) {
    for (spine, holding) in found.repeated.enumerated() {
      guard let holding else { continue }
      let rows = (standing[holding] ?? astray[holding]).map { spines[$0].row }
      spineVerdicts[spine] = rows == spines[spine].row ? .surplus(holding) : .again(holding)
      if rows != spines[spine].row { showing[holding]?.append(spine) }
    }
  }

  /// The nearest holdings before and after a place, among the holdings that are in order.
  func neighbours(of place: Int?) -> (after: Int?, before: Int?) {
    guard let place else { return (nil, nil) }
    let next = index { $0 > place }
    let before = index { $0 >= place } - 1
    return (before >= 0 ? kept[before].holding : nil, next < kept.count ? kept[next].holding : nil)
  }

  /// The index of the first kept spine whose place satisfies `holds`. The places of kept spines never decrease.
  func index(where holds: (Int) -> Bool) -> Int {
    var (low, high) = (0, kept.count)
    while low < high {
      let middle = (low + high) / 2
      if holds(kept[middle].place) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
