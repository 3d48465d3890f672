/// Long lines that belong to two books because an edge runs between them.
extension SpineGrouping {
  /// Returns the pairs of long lines that lie side by side with an edge between them, where the edge runs on
  /// beyond both lines. The lines of such a pair belong to two books, even if a sticker or a publisher's name
  /// lies near both.
  func rivals() -> [(Int, Int)] {
    let standing = shelf.lines.indices.filter { shelf.lines[$0].isStanding && !shelf.isStack }
    let lengths = standing.map { shelf.lines[$0].line.region.length }.sorted()
    guard !lengths.isEmpty else { return [] }
    let least = rivalShare * lengths[lengths.count * 9 / 10]
    let long = standing.filter { shelf.lines[$0].line.region.length >= least }
    return long.flatMap { first in
      long.filter { $0 > first && areDivided(first, $0) }.map { (first, $0) }
    }
  }

  private func areDivided(_ first: Int, _ second: Int) -> Bool {
    let regions = [first, second].map { shelf.lines[$0].line.region }
    let (longer, shorter) = regions[0].length >= regions[1].length ? (first, second) : (second, first)
    let frame = shelf.lines[longer].frame
    guard TextRegion.difference(frame.angle, shelf.lines[shorter].frame.angle) < 20 else { return false }
    let (a, b) = extents(longer, shorter)
    guard a.along.share(b.along) > 0.3, let place = Self.between(a.across, b.across) else { return false }
    let text = a.along.union(b.along)
    let more = 0.25 * text.length
    return shelf.edges.isStraightEdge(
      .init(
        frame: frame, along: (text.lowerBound - more)...(text.upperBound + more), across: place,
        reach: 0.06 * min(a.across.length, b.across.length)), text: text, step: rivalStep)
  }

  /// Returns the range, across two lines, in which an edge between them may run: the gap between their letters, and a little of
  /// both lines. Nil if the lines overlap or are far apart.
  private static func between(_ a: ClosedRange<Double>, _ b: ClosedRange<Double>) -> ClosedRange<Double>? {
    let (thin, thick) = (min(a.length, b.length), max(a.length, b.length))
    let gap = -a.overlap(b)
    guard gap > -0.25 * thin, gap < 3 * thick else { return nil }
    let (low, high) = a.middle < b.middle ? (a, b) : (b, a)
    let middle = (low.upperBound + high.lowerBound) / 2
    let half = max(gap / 2, 0) + 0.12 * thin
    return (middle - half)...(middle + half)
  }
}
