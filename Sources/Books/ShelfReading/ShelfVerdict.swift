package import Bibliography

/// What was found of one holding. A closed enumeration.
package enum HoldingVerdict: Sendable, Equatable {
  /// It stands where it belongs: the spine that shows it.
  case present(spine: Int)
  /// It stands in the wrong place. It belongs behind `after` and before `before`, holdings that stand right; nil at an end of what was seen.
  case misplaced(spine: Int, after: Int?, before: Int?)
  /// Its neighbours were read side by side, and it does not stand between them.
  case missing(after: Int, before: Int)
  /// Of a group of `of` holdings at least `count` are missing; spines between their neighbours that were not read may be the others.
  case someMissing(count: Int, of: Int, after: Int, before: Int)
  /// A spine where it belongs was not read, and may be it.
  case notRead(after: Int, before: Int)
  /// The place where it belongs is in no photograph, or at the edge of one.
  case unseen
}

/// What was found of one spine. A closed enumeration.
package enum SpineVerdict: Sendable, Equatable {
  /// The holding, which stands right here.
  case holding(Int)
  /// The holding, which belongs elsewhere.
  case misplaced(Int)
  /// Another photograph shows the same spine.
  case again(Int)
  /// One more copy than the list has, on the same photograph.
  case surplus(Int)
  /// It was read, and is not in the list.
  case notInList
  /// It was not read well enough to say.
  case notRead
}

/// A shelf against the list of what should stand on it.
package struct ShelfReport: Sendable, Equatable {
  /// By which order the shelf was judged.
  package let rule: ShelfRule
  /// Of each holding, in the order of the list.
  package let holdings: [HoldingVerdict]
  /// Of each spine, in the order in which they were given.
  package let spines: [SpineVerdict]
  /// How well each spine agrees with its holding, 0…1.
  package let likeness: [Double]

  /// - Parameters:
  ///   - spines: row after row, each from the left. Rows may come in any order.
  ///   - rule: nil for the one that the list seems to follow.
  package init(_ spines: [ShelfSpine], against holdings: [Holding], by rule: ShelfRule? = nil) {
    let rule = rule ?? ShelfRule(of: holdings)
    let comparison = ShelfComparison(spines, holdings, rule.places(holdings))
    self.rule = rule
    self.holdings = comparison.holdings
    self.spines = comparison.spines
    likeness = comparison.likeness
  }
}
