import Bibliography

/// Which holdings each spine may be, by what was read alone.
struct SpinePairs {
  struct Pair {
    var holding: Int
    var likeness: Double
  }

  /// What makes a pair sure enough to expect others by, and how far the second best must be behind.
  private static let (anchor, margin) = (0.75, 0.1)

  let holdings: [HoldingText]
  let measure: TextLikeness
  /// In the order in which the spines were given last.
  private(set) var spines: [ReadSpine]
  /// Of each spine the best first.
  private(set) var pairs: [[Pair]]

  init(_ given: [ShelfSpine], _ list: [Holding]) {
    holdings = list.map(HoldingText.init)
    measure = TextLikeness(rarity: WordRarity(holdings))
    let index = HoldingIndex(holdings)
    spines = given.map(ReadSpine.init)
    pairs = []
    for (spine, text) in zip(given, spines) {
      let found = spine.legibility == .unread ? [] : index.candidates(text)
      pairs.append(
        found.map { Pair(holding: $0, likeness: measure.between(text, holdings[$0])) }.sorted {
          ($0.likeness, $1.holding) > ($1.likeness, $0.holding)
        })
    }
  }

  /// The same in another order of the spines.
  func reordered(_ order: [Int]) -> SpinePairs {
    var other = self
    other.spines = order.map { spines[$0] }
    other.pairs = order.map { pairs[$0] }
    return other
  }

  /// The holding of each spine that is surely one, and only one.
  var anchors: [Int?] {
    pairs.map { pairs in
      guard let first = pairs.first, first.likeness >= Self.anchor,
        pairs.count < 2 || pairs[1].likeness + Self.margin <= first.likeness
      else { return nil }
      return first.holding
    }
  }

  /// The best that any holding has.
  func best(_ spine: Int) -> Double { pairs[spine].first?.likeness ?? 0 }
}
