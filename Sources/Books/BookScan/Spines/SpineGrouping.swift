import Glibc

/// Groups the lines of a photo into spines, one for each physical book.
///
/// Two lines are of one book when they follow each other along one spine, or lie side by side on it with no long edge
/// between them.
struct SpineGrouping {
  let shelf: Shelf
  /// The least contrast of a book's edge between two lines that fill the spine. Weaker edges are taken for shading. See
  /// `EdgeMeasure.isStraightEdge`.
  var edgeStep = 14
  /// The least contrast of a book's edge between two lines that leave much of the spine free.
  var longStep = 22
  /// The least colour step of an edge that divides two horizontal lines into different books, 0…255.
  var lyingStep = 25
  /// The least colour step of a board between two shelves, 0…255.
  var boardStep = 17
  /// The least contrast of an edge that makes two long lines rivals. A third line beside both does not join rivals into one book.
  var rivalStep = 10
  /// The least length of a line that can be a rival, as a share of the length of a long text.
  var rivalShare = 0.25
  /// The influence of the ground colours of two lines side by side.
  var grounds = GroundEvidence()
  /// The greatest gap between texts on one spine, as a share of the length of a long text, if no board lies between.
  var reach = 0.7

  /// Groups the lines.
  /// - Returns: the groups, each of one book.
  func groups() -> [SpineGroup] {
    let lines = shelf.lines
    let marks = shelfMarks()
    var sets = DisjointSets(
      lines.count, apart: twins() + neighbours(marks) + neighbouringLabels(), rivals: rivals())
    for mark in marks {
      if let line = line(of: mark, marks) { sets.join(mark, line) }
    }
    for (first, second) in pairs() { sets.join(first, second) }
    for lying in lines.indices where !lines[lying].isStanding {
      if let standing = crossed(by: lying) { sets.join(lying, standing) }
    }
    return sets.groups().flatMap(parted).map { group in
      SpineGroup(
        lines: ReadingOrder.sorted(group.map { lines[$0].line }),
        row: group.compactMap { shelf.rows.rows[$0] }.first)
    }
  }

  /// Returns the pairs of lines that belong together, nearest first, so that among copies side by side each line joins its own
  /// copy.
  private func pairs() -> [(Int, Int)] {
    let lines = shelf.lines
    var pairs: [(first: Int, second: Int, distance: Double)] = []
    for first in lines.indices {
      for second in lines.indices where second > first && areTogether(first, second) {
        pairs.append((first, second, distance(first, second)))
      }
    }
    pairs.sort { ($0.distance, $0.first, $0.second) < ($1.distance, $1.first, $1.second) }
    return pairs.map { ($0.first, $0.second) }
  }

  /// Returns the distance between the two lines, pixels: across them between their middles, plus the gap along them.
  private func distance(_ first: Int, _ second: Int) -> Double {
    let (a, b) = extents(first, second)
    return abs(a.across.middle - b.across.middle) + max(0, -a.along.overlap(b.along))
  }

  /// Returns pairs of lines side by side with nearly the same text: copies of one book.
  private func twins() -> [(Int, Int)] {
    let lines = shelf.lines.indices
    let letters = lines.map { Array(TitleScore.words(shelf.lines[$0].line.text).joined()) }
    var twins: [(Int, Int)] = []
    for first in lines where letters[first].count >= 6 {
      for second in lines.dropFirst(first + 1) where letters[second].count >= 6 {
        let allowance = max(letters[first].count, letters[second].count) / 5
        guard shelf.lines[first].isStanding == shelf.lines[second].isStanding,
          abs(letters[first].count - letters[second].count) <= allowance, areSideBySide(first, second),
          ReadText.distance(letters[first], letters[second], isWithin: false) <= allowance
        else { continue }
        twins.append((first, second))
      }
    }
    return twins
  }

  func areSideBySide(_ first: Int, _ second: Int) -> Bool {
    let (a, b) = extents(first, second)
    return a.along.share(b.along) > 0.6 && a.across.share(b.across) < 0.3
  }

  func areTogether(_ first: Int, _ second: Int) -> Bool {
    let (a, b) = (shelf.lines[first], shelf.lines[second])
    let isNear = { (gap: Double) in areOnOneShelf(first, second, gap: gap) }
    guard a.isStanding == b.isStanding else { return false }
    let (longer, shorter) = a.line.region.length >= b.line.region.length ? (first, second) : (second, first)
    let (main, other) = (shelf.lines[longer], shelf.lines[shorter])
    guard TextRegion.difference(main.frame.angle, other.frame.angle) < 20 else { return false }
    if areBeside(longer, shorter) { return true }
    if main.isStanding { return follow(main, other, isNear) }
    // On a stack, horizontal lines may follow each other. Among standing books they are words on different spines.
    let isInRow = !shelf.isStack && (shelf.rows.rows[first] != nil || shelf.rows.rows[second] != nil)
    let reach = isInRow ? 0 : 2 * main.line.region.length
    return follow(main, other) { $0 < reach }
  }

  /// Returns ΔE*ab of the two lines' grounds.
  private func groundDifference(_ first: Int, _ second: Int) -> Double {
    shelf.grounds[first].difference(shelf.grounds[second])
  }

  /// Whether one line follows the other along the same spine.
  private func follow(_ longer: ShelfLine, _ shorter: ShelfLine, _ isNear: (Double) -> Bool) -> Bool {
    let frame = longer.frame
    let (a, b) = (frame.extent(longer.line.region), frame.extent(shorter.line.region))
    guard a.across.share(b.across) > 0.5, a.along.share(b.along) < 0.3 else { return false }
    let gap = -a.along.overlap(b.along)
    return gap < min(a.across.length, b.across.length) || isNear(gap)
  }

  /// Whether two lines are side by side on one spine: close, similar in size, and without a long edge between them.
  private func areBeside(_ longer: Int, _ shorter: Int) -> Bool {
    let frame = shelf.lines[longer].frame
    let (a, b) = extents(longer, shorter)
    let thin = min(a.across.length, b.across.length)
    let gap = -a.across.overlap(b.across)
    guard a.along.share(b.along) > 0.3, gap < thin, areAlikeInSize(longer, shorter) else {
      return false
    }
    let (low, high) = a.across.middle < b.across.middle ? (a.across, b.across) : (b.across, a.across)
    let middle = (low.upperBound + high.lowerBound) / 2
    let half = max((high.lowerBound - low.upperBound) / 2, 0) + 0.12 * thin
    guard let share = grounds.share(ofDifference: groundDifference(longer, shorter)) else { return false }
    let between = EdgeMeasure.Strip(
      frame: frame, along: a.along.union(b.along), across: (middle - half)...(middle + half),
      reach: 0.06 * thin)
    guard shelf.lines[longer].isStanding else {
      return !shelf.edges.isEdge(between, step: Int(share * Double(lyingStep)))
    }
    return !isBookEdge(between, band: shelf.band(longer, shorter, frame), share)
  }

  /// Whether the heights of two lines are similar. Compares the height of each line in its own direction: in the direction of a
  /// line that leans the other way, a small line would seem thicker than it is.
  private func areAlikeInSize(_ first: Int, _ second: Int) -> Bool {
    let heights = [first, second].map { shelf.lines[$0].line.region.height }
    return max(heights[0], heights[1]) < 3 * min(heights[0], heights[1])
  }

  /// Whether the edge of a book runs along the strip. Strokes of large letters form steps as long as the text, but a book's edge
  /// runs on past the text.
  /// - Parameter share: the least step that counts as an edge here, as a share of `edgeStep` or `longStep`.
  private func isBookEdge(
    _ strip: EdgeMeasure.Strip, band: ClosedRange<Double>, _ share: Double
  ) -> Bool {
    var whole = strip
    whole.along = band
    let step = band.length < 1.3 * strip.along.length ? edgeStep : longStep
    return shelf.edges.isStraightEdge(whole, text: strip.along, step: Int(share * Double(step)))
  }

  /// Returns the standing line to whose spine a horizontal word above or below that line belongs. Returns only the best
  /// aligned line, because a sticker that reaches over two books does not join them.
  func crossed(by lying: Int) -> Int? {
    let candidates = shelf.lines.indices.filter { shelf.lines[$0].isStanding && crosses($0, lying) }
    return candidates.min { offset($0, lying) < offset($1, lying) }
  }

  func offset(_ standing: Int, _ lying: Int) -> Double {
    let (a, b) = extents(standing, lying)
    return abs(a.across.middle - b.across.middle)
  }

  private func crosses(_ standing: Int, _ lying: Int) -> Bool {
    let (a, b) = extents(standing, lying)
    let inside = a.across.overlap(b.across) / max(1, min(a.across.length, b.across.length))
    guard inside > 0.6, b.across.length < 3 * a.across.length, a.along.share(b.along) < 0.5 else {
      return false
    }
    let gap = -a.along.overlap(b.along)
    return gap < a.across.length || areOnOneShelf(standing, lying, gap: gap)
  }

  /// Returns the extents of two lines in the frame of the first.
  func extents(_ first: Int, _ second: Int) -> (SpineFrame.Extent, SpineFrame.Extent) {
    let frame = shelf.lines[first].frame
    return (frame.extent(shelf.lines[first].line.region), frame.extent(shelf.lines[second].line.region))
  }

  /// Whether two lines, `gap` pixels apart along a spine, stand on one shelf: they are in one row, or they are close and no board
  /// as wide as a long text runs between them.
  private func areOnOneShelf(_ first: Int, _ second: Int, gap: Double) -> Bool {
    if shelf.rows.areOnOne(first, second, gap: gap) { return true }
    guard !shelf.isStack, gap < reach * shelf.longText else { return false }
    return !isBoardBetween(first, second)
  }

  private func isBoardBetween(_ first: Int, _ second: Int) -> Bool {
    let (a, b) = (shelf.lines[first], shelf.lines[second])
    let main = [a, b].filter(\.isStanding).max { $0.line.region.length < $1.line.region.length } ?? a
    let extents = [a, b].map { main.frame.extent($0.line.region).along }.sorted { $0.middle < $1.middle }
    guard extents[0].upperBound < extents[1].lowerBound else { return false }
    let center = main.frame.extent(main.line.region).across.middle
    let half = 0.5 * shelf.longText
    let strip = EdgeMeasure.Strip(
      frame: SpineFrame(along: main.frame.across), along: (center - half)...(center + half),
      across: -extents[1].lowerBound ... -extents[0].upperBound, reach: 0.004 * shelf.longText)
    return shelf.edges.isLongEdge(strip, step: boardStep)
  }
}

extension SpineFrame {
  /// The clockwise angle from rightwards, degrees.
  var angle: Double { atan2(along.y, along.x) * 180 / .pi }
}
