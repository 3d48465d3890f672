/// The lines of a photo with their rows, the edges and the colours around them.
struct Shelf {
  let lines: [ShelfLine]
  let rows: ShelfRows
  let edges: EdgeMeasure
  /// For each line, the colour beside its letters.
  let grounds: [GroundColor]
  /// Whether nearly all text is horizontal, as in a stack of books rather than a row.
  let isStack: Bool
  /// The 90th percentile of the lengths of texts that read up or down, pixels; 0 without such a text.
  let longText: Double

  init(photo: Raster, lines: [TextLine]) {
    let shelf = lines.map(ShelfLine.init)
    self.lines = shelf
    edges = EdgeMeasure(photo: photo)
    grounds = lines.map { GroundColor(beside: $0.region, in: photo) }
    rows = ShelfRows(shelf)
    let lengths = [true, false].map { isStanding in
      shelf.reduce(0) { $0 + ($1.isStanding == isStanding ? $1.line.region.length : 0) }
    }
    isStack = lengths[0] < 0.4 * lengths[1]
    let heights = shelf.filter(\.isStanding).map(\.line.region.box.height).sorted()
    longText = heights.isEmpty ? 0 : heights[heights.count * 9 / 10]
  }

  func standing(row: Int) -> [ShelfLine] {
    lines.indices.filter { rows.rows[$0] == row && lines[$0].isStanding }.map { lines[$0] }
  }

  /// Estimates the range along the spine of the books around two lines: from the lower quartile of the beginnings of nearby texts
  /// to the upper quartile of their ends, and at least over both lines.
  func band(_ first: Int, _ second: Int, _ frame: SpineFrame) -> ClosedRange<Double> {
    let extents = [first, second].map { frame.extent(lines[$0].line.region) }
    let union = extents[0].along.union(extents[1].along)
    guard let row = rows.rows[first] ?? rows.rows[second] else { return union }
    let around = standing(row: row).map { frame.extent($0.line.region) }.filter {
      abs($0.across.middle - extents[0].across.middle) < 0.6 * rows.length(row: row)
    }.map(\.along)
    guard !around.isEmpty else { return union }
    let beginnings = around.map(\.lowerBound).sorted()
    let ends = around.map(\.upperBound).sorted()
    let (low, high) = (beginnings[beginnings.count / 4], ends[ends.count * 3 / 4])
    return union.union(low...max(low, high))
  }
}

/// Lines that seem to belong to one book.
struct SpineGroup {
  /// The lines, in reading order.
  var lines: [TextLine]
  /// The row that the book stands on; nil for none.
  var row: Int?

  var isLying: Bool { lines.allSatisfy { !ShelfLine($0).isStanding } }
  /// The longest line, along which the others are measured; nil for a group without lines.
  var main: TextLine? { lines.max { $0.region.length < $1.region.length } }

  func extent(_ frame: SpineFrame) -> SpineFrame.Extent {
    let extents = lines.map { frame.extent($0.region) }
    guard let first = extents.first else { return SpineFrame.Extent(along: 0...0, across: 0...0) }
    return extents.dropFirst().reduce(first) {
      SpineFrame.Extent(along: $0.along.union($1.along), across: $0.across.union($1.across))
    }
  }
}
