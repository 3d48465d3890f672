import Bibliography

/// The candidate holdings of each spine, by their texts alone.
struct SpinePairs {
  struct Pair {
    var holding: Int
    var likeness: Double
  }

  /// `anchor`: the minimum likeness of a sure pair. `margin`: its minimum lead over the spine's second best pair. The places of other spines are
  /// inferred from sure pairs.
  private static let (anchor, margin) = (0.75, 0.1)

  let holdings: [HoldingText]
  let measure: TextLikeness
  /// The spines, in their present order; see `reordered`.
  private(set) var spines: [ReadSpine]
  /// The candidates of each spine, the best first.
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

  /// The pairs with the spines in a new order.
  /// - Parameter order: the present index of each spine.
  func reordered(_ order: [Int]) -> SpinePairs {
    var other = self
    other.spines = order.map { spines[$0] }
    other.pairs = order.map { pairs[$0] }
    return other
  }

  /// The holding of each spine that surely belongs to one particular holding. Nil for other spines.
  var anchors: [Int?] {
    pairs.map { pairs in
      guard let first = pairs.first, first.likeness >= Self.anchor,
        pairs.count < 2 || pairs[1].likeness + Self.margin <= first.likeness
      else { return nil }
      return first.holding
    }
  }

  /// The highest likeness of a spine to any holding.
  func best(_ spine: Int) -> Double { pairs[spine].first?.likeness ?? 0 }
}
