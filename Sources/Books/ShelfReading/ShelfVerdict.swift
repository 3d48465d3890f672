package import Bibliography

/// The verdict on one holding. A closed enumeration.
package enum HoldingVerdict: Sendable, Equatable {
  /// The holding is in its place, on this spine.
  case present(spine: Int)
  /// The holding is on this spine, in the wrong place. It belongs between the holdings `after` and `before`,
  /// which are in their places; nil at an end of the photographed shelf.
  case misplaced(spine: Int, after: Int?, before: Int?)
  /// The neighbours of the holding were read side by side, without it between them.
  case missing(after: Int, before: Int)
  /// At least `count` of a group of `of` holdings are missing. Unread spines between their neighbours may be the others.
  case someMissing(count: Int, of: Int, after: Int, before: Int)
  /// An unread spine at the place of the holding may be the holding.
  case notRead(after: Int, before: Int)
  /// The place of the holding is in no photograph, or at the edge of one.
  case unseen
}

/// The verdict on one spine. A closed enumeration.
package enum SpineVerdict: Sendable, Equatable {
  /// The spine is this holding, in its place.
  case holding(Int)
  /// The spine is this holding, which belongs elsewhere.
  case misplaced(Int)
  /// A spine in another row shows this holding too, so both are taken for the same book in two overlapping photographs.
  case again(Int)
  /// Another spine in the same row shows this holding, so this spine is one more copy than the list has.
  case surplus(Int)
  /// The spine was read, but the book is not in the list.
  case notInList
  /// The spine was not read well enough for a verdict.
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
