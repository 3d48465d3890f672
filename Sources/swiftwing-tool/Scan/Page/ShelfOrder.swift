import BookScan

/// The order in which a person numbers the books of a photo: row after row from the top, each from the left.
enum ShelfOrder {
  /// Two books are of one row when the lower begins above the middle of the upper.
  static func sorted(_ spines: [SpineFinding]) -> [SpineFinding] {
    var rows: [[SpineFinding]] = []
    for spine in spines.sorted(by: { ($0.box.y, $0.box.x) < ($1.box.y, $1.box.x) }) {
      let row = rows.lastIndex { row in row.contains { isOfOneRow($0.box, spine.box) } }
      if let row { rows[row].append(spine) } else { rows.append([spine]) }
    }
    return rows.flatMap { row in row.sorted { left($0.box) < left($1.box) } }
  }

  private static func isOfOneRow(_ upper: Box, _ lower: Box) -> Bool {
    let overlap = min(upper.y + upper.height, lower.y + lower.height) - max(upper.y, lower.y)
    return overlap > 0.5 * min(upper.height, lower.height)
  }

  /// Then by its upper edge: books of a pile have one left edge.
  private static func left(_ box: Box) -> (Double, Double) { (box.x, box.y) }
}
