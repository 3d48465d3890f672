package import Bibliography

/// The verdict on one holding. A closed enumeration.
package enum HoldingVerdict: Sendable, Equatable {
  /// It is in its place. `spine` shows it.
  case present(spine: Int)
  /// It is in the wrong place. It belongs between the holdings `after` and `before`, which are in their places; nil at an end of the photographed
  /// shelf.
  case misplaced(spine: Int, after: Int?, before: Int?)
  /// Its neighbours were read side by side, and it is not between them.
  case missing(after: Int, before: Int)
  /// At least `count` of the `of` holdings in a group are missing; unread spines between their neighbours may be the others.
  case someMissing(count: Int, of: Int, after: Int, before: Int)
  /// An unread spine at its place may be this holding.
  case notRead(after: Int, before: Int)
  /// Its place is in no photograph, or at the edge of one.
  case unseen
}

/// The verdict on one spine. A closed enumeration.
package enum SpineVerdict: Sendable, Equatable {
  /// It is this holding, in its place.
  case holding(Int)
  /// It is this holding, which belongs elsewhere.
  case misplaced(Int)
  /// It is the same spine as in another photograph.
  case again(Int)
  /// It is one more copy of this holding than the list has, in the same photograph.
  case surplus(Int)
  /// It was read, but is not in the list.
  case notInList
  /// It was not read well enough for a verdict.
  case notRead
}

/// The comparison of a shelf with the list of its holdings.
package struct ShelfReport: Sendable, Equatable {
  package let rule: ShelfRule
  /// The verdict on each holding, in the order of the list.
  package let holdings: [HoldingVerdict]
  /// The verdict on each spine, in the given order.
  package let spines: [SpineVerdict]
  /// The likeness of each spine to its holding, 0…1.
  package let likeness: [Double]

  /// - Parameters:
  ///   - spines: the spines row by row, each row from the left. Rows may come in any order.
  ///   - rule: nil for the rule that the list seems to follow.
  package init(_ spines: [ShelfSpine], against holdings: [Holding], by rule: ShelfRule? = nil) {
    let rule = rule ?? ShelfRule(of: holdings)
    let comparison = ShelfComparison(spines, holdings, rule.places(holdings))
    self.rule = rule
    self.holdings = comparison.holdings
    self.spines = comparison.spines
    likeness = comparison.likeness
  }
}
