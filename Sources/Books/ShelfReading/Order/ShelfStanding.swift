/// The spines that are holdings: which stand in order, and which must be moved.
struct ShelfStanding {
  /// The spines that stand right, in the order of the shelf, with the place of their holding.
  let kept: [(spine: Int, holding: Int, place: Int)]
  /// The spine of each holding that stands right, and of each that does not.
  private(set) var standing: [Int: Int] = [:]
  private(set) var astray: [Int: Int] = [:]
  /// All spines that show a holding which stands right.
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
        // What the rule does not place stands nowhere wrong.
        standing[holding] = spine
        spineVerdicts[spine] = .holding(holding)
      }
    }
    // Of two of which either may be moved, the one that was read worse.
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

  /// The holdings that stand right before and behind a place.
  func neighbours(of place: Int?) -> (after: Int?, before: Int?) {
    guard let place else { return (nil, nil) }
    let next = index { $0 > place }
    let before = index { $0 >= place } - 1
    return (before >= 0 ? kept[before].holding : nil, next < kept.count ? kept[next].holding : nil)
  }

  /// Of the first kept spine whose place is as asked; places never fall.
  func index(where holds: (Int) -> Bool) -> Int {
    var (low, high) = (0, kept.count)
    while low < high {
      let middle = (low + high) / 2
      if holds(kept[middle].place) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
