/// Assigns spines to holdings.
struct Assignment {
  /// The minimum likeness of a spine to a holding. `near`: if the holding belongs near the spine, but is out of order. `elsewhere`: if the holding
  /// belongs elsewhere, and author or mark agree too. `byTitle`: if the holding belongs elsewhere, and neither agrees.
  private static let (near, elsewhere, byTitle) = (0.55, 0.62, 0.75)
  /// The minimum number of read letters for reporting a book as misplaced or repeated.
  static let evidence = 6
  /// The maximum distance, in places, between a spine that is out of order and a holding that is tried for it.
  private static let reach = 8
  /// `spineLimit`: more spines than this between two sure ones are not compared. `spare`: n spines are compared with at most 3n + `spare` holdings.
  private static let (spineLimit, spare) = (200, 30)

  /// The holding of each spine. Nil if the spine has none.
  private(set) var holdings: [Int?]
  /// The holding that a spine repeats because another spine has it already. Nil if the spine repeats none.
  private(set) var repeated: [Int?]
  /// The likeness of each spine to its holding.
  private(set) var likeness: [Double]
  /// For each spine, whether too little is known to say that its book is not in the list.
  private(set) var isOpen: [Bool]
  let pairs: SpinePairs

  private struct Pair {
    var spine: Int
    var holding: Int
    var likeness: Double
  }

  init(_ pairs: SpinePairs, places: [Int?]) {
    self.pairs = pairs
    let count = pairs.spines.count
    holdings = [Int?](repeating: nil, count: count)
    repeated = holdings
    likeness = [Double](repeating: 0, count: count)
    isOpen = pairs.spines.map { $0.letterCount < 3 }
    let kept = Self.backbone(pairs, places)
    for (spine, holding, _) in kept { (holdings[spine], likeness[spine]) = (holding, pairs.best(spine)) }
    var isTaken = [Bool](repeating: false, count: pairs.holdings.count)
    for one in kept { isTaken[one.holding] = true }
    let sorted = places.indices.filter { places[$0] != nil && !isTaken[$0] }.sorted {
      (places[$0] ?? 0, $0) < (places[$1] ?? 0, $1)
    }
    for segment in Self.segments(kept, sorted, places, count) { fill(segment, &isTaken) }
    assignNear(sorted, places, &isTaken)
    assignRest(&isTaken)
  }

  /// The sure pairs that are in order.
  private static func backbone(_ pairs: SpinePairs, _ places: [Int?]) -> [(
    spine: Int, holding: Int, place: Int
  )] {
    var isTaken: Set<Int> = []
    let anchors = pairs.anchors.enumerated().compactMap {
      spine, holding -> (spine: Int, holding: Int, place: Int)? in
      guard let holding, let place = places[holding], isTaken.insert(holding).inserted else { return nil }
      return (spine, holding, place)
    }
    return LongestOrder.kept(anchors.map(\.place), weights: anchors.map { _ in 1 }).map { anchors[$0] }
  }

  private typealias Segment = (spines: [Int], holdings: [Int])

  /// The spines between each two consecutive sure spines, with the holdings that belong between those two.
  private static func segments(
    _ kept: [(spine: Int, holding: Int, place: Int)], _ sorted: [Int], _ places: [Int?], _ count: Int
  ) -> [Segment] {
    var segments: [Segment] = []
    var low = 0
    for index in 0...kept.count {
      let first = index > 0 ? kept[index - 1] : (spine: -1, holding: -1, place: Int.min)
      let last = index < kept.count ? kept[index] : (spine: count, holding: -1, place: Int.max)
      while low < sorted.count, (places[sorted[low]] ?? 0) < first.place { low += 1 }
      let spines = Array(first.spine + 1..<last.spine)
      guard !spines.isEmpty, spines.count <= spineLimit else { continue }
      let most = 3 * spines.count + spare
      let all = sorted[low...]
      // The photographs may show only a part of the list: take the holdings nearest to the sure ones.
      let between = all.prefix { (places[$0] ?? 0) <= last.place }
      let head = index == 0 ? 0 : index == kept.count ? most : most / 2
      let holdings =
        between.count <= most ? Array(between) : between.prefix(head) + between.suffix(most - head)
      if !holdings.isEmpty { segments.append((spines, holdings)) }
    }
    return segments
  }

  private mutating func fill(_ segment: Segment, _ isTaken: inout [Bool]) {
    let (spines, free) = (segment.spines, segment.holdings.filter { !isTaken[$0] })
    let found = InOrder(spines, free, pairs)
    for (spine, match) in zip(spines, found.found) {
      guard let match else { continue }
      (holdings[spine], likeness[spine]) = (match.holding, match.likeness)
      isTaken[match.holding] = true
    }
    let isWhole = free.allSatisfy { isTaken[$0] }
    for (spine, best) in zip(spines, found.best) where holdings[spine] == nil && !isWhole {
      isOpen[spine] =
        isOpen[spine] || !pairs.spines[spine].isEvidence || (best >= 0.3 && best > pairs.best(spine) - 0.2)
    }
  }

  /// Assigns books that are near their place but not in it.
  private mutating func assignNear(_ sorted: [Int], _ places: [Int?], _ isTaken: inout [Bool]) {
    let free = sorted.filter { !isTaken[$0] }
    var (near, last): ([Pair], Int?) = ([], nil)
    for spine in holdings.indices {
      if let holding = holdings[spine] { last = places[holding] ?? last }
      guard holdings[spine] == nil, !pairs.spines[spine].isBlank, let last else { continue }
      var low = free.partition { (places[$0] ?? 0) >= last - Self.reach }
      while low < free.count, (places[free[low]] ?? 0) <= last + Self.reach {
        let value = pairs.measure.inPlace(pairs.spines[spine], pairs.holdings[free[low]])
        if value >= max(Self.near, pairs.best(spine) - 0.1) {
          near.append(Pair(spine: spine, holding: free[low], likeness: value))
        }
        low += 1
      }
    }
    assign(near, &isTaken)
  }

  /// Assigns books that are far from their place; then finds repeated ones.
  private mutating func assignRest(_ isTaken: inout [Bool]) {
    let free = holdings.indices.filter { holdings[$0] == nil && pairs.spines[$0].isEvidence }
    assign(
      free.flatMap { spine in
        pairs.pairs[spine].filter {
          let isAttested = pairs.measure.isAttested(pairs.spines[spine], pairs.holdings[$0.holding])
          return $0.likeness >= (isAttested ? Self.elsewhere : Self.byTitle)
        }.map {
          Pair(spine: spine, holding: $0.holding, likeness: $0.likeness)
        }
      }, &isTaken)
    for spine in holdings.indices where holdings[spine] == nil {
      let likely = pairs.pairs[spine].filter { $0.likeness >= Self.elsewhere }
      if likely.contains(where: { !isTaken[$0.holding] }) {
        isOpen[spine] = true
      } else if let first = likely.first, first.likeness >= Self.byTitle, pairs.spines[spine].isEvidence,
        pairs.measure.isAttested(pairs.spines[spine], pairs.holdings[first.holding])
      {
        repeated[spine] = first.holding
      }
    }
  }

  /// Assigns the best pairs first, and each holding once.
  private mutating func assign(_ pairs: [Pair], _ isTaken: inout [Bool]) {
    let sorted = pairs.sorted { ($0.likeness, $1.spine, $1.holding) > ($1.likeness, $0.spine, $0.holding) }
    for pair in sorted where holdings[pair.spine] == nil && !isTaken[pair.holding] {
      isTaken[pair.holding] = true
      holdings[pair.spine] = pair.holding
      likeness[pair.spine] = pair.likeness
    }
  }
}

extension [Int] {
  /// The first index for which `holds` is true. It must also be true for all later indices.
  fileprivate func partition(_ holds: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension ReadSpine {
  /// Whether enough of the spine was read to tell that its book is not the book that belongs at its place.
  var isEvidence: Bool {
    letterCount >= Assignment.evidence || isbn != nil
      || (letterCount >= 3 && !isWithoutRest && marks.count >= Assignment.evidence)
  }
}
