/// The order in which a person numbers the books of a photo: row after row from the top, each from the left.
package enum ShelfOrder {
  /// Returns the rows, as indices of `boxes`. Two books are in one row if they overlap by more than half the height of the
  /// smaller one.
  package static func rows(_ boxes: [Box]) -> [[Int]] {
    var rows: [[Int]] = []
    for place in boxes.indices.sorted(by: { (boxes[$0].y, boxes[$0].x, $0) < (boxes[$1].y, boxes[$1].x, $1) })
    {
      let row = rows.lastIndex { row in row.contains { areOfOneRow(boxes[$0], boxes[place]) } }
      if let row { rows[row].append(place) } else { rows.append([place]) }
    }
    // Sort boxes with equal left edges, as in a pile, by their upper edges.
    return rows.map { row in
      row.sorted { (boxes[$0].x, boxes[$0].y, $0) < (boxes[$1].x, boxes[$1].y, $1) }
    }
  }

  /// Returns the rows in the order in which a person numbers them: the rows with a book, then those without one, such as the labels
  /// on a board between two shelves.
  /// - Parameter isBook: whether the record of a box, by its index, is a book.
  package static func rows(_ boxes: [Box], isBook: (Int) -> Bool) -> [[Int]] {
    let rows = rows(boxes)
    return rows.filter { $0.contains(where: isBook) } + rows.filter { !$0.contains(where: isBook) }
  }

  /// Returns the spines in the order in which a person numbers them. Spines that are probably no books come last, so that they
  /// take no number between books.
  package static func sorted(_ spines: [SpineFinding]) -> [SpineFinding] { places(spines).map { spines[$0] } }

  /// Returns the indices of `spines` in the order of `sorted(_:)`.
  package static func places(_ spines: [SpineFinding]) -> [Int] {
    let ordered = rows(spines.map(\.box)).joined()
    return ordered.filter { spines[$0].certainty != .unlikely }
      + ordered.filter { spines[$0].certainty == .unlikely }
  }

  private static func areOfOneRow(_ upper: Box, _ lower: Box) -> Bool {
    let overlap = min(upper.y + upper.height, lower.y + lower.height) - max(upper.y, lower.y)
    return overlap > 0.5 * min(upper.height, lower.height)
  }
}
