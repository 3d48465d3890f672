import Glibc

/// Lines of a photo → spines, one a physical book.
///
/// Two lines are of one book when they follow each other along one spine, or lie side by side on it with no long edge
/// between them.
struct SpineGrouping {
  let edges: EdgeMeasure
  /// A step of colour that is the edge of a book rather than shading, 0…255.
  var edgeStep = 24.0

  init(photo: Raster) { edges = EdgeMeasure(photo: photo) }

  /// - Returns: groups of the lines given, each of one book, the lines in reading order.
  func groups(_ lines: [TextLine]) -> [[TextLine]] {
    let shelf = lines.map(ShelfLine.init)
    let rows = ShelfRows(shelf)
    let isStack = Self.isStack(shelf)
    var sets = DisjointSets(shelf.count)
    for first in shelf.indices {
      for second in shelf.indices where second > first {
        let isNear = { (gap: Double) in rows.areOnOne(first, second, gap: gap) }
        let isInRow = !isStack && (rows.rows[first] != nil || rows.rows[second] != nil)
        if areTogether(shelf[first], shelf[second], isInRow: isInRow, isNear) {
          sets.join(first, second)
        }
      }
    }
    return sets.groups().map { group in ReadingOrder.sorted(group.map { shelf[$0].line }) }
  }

  /// Nearly all text lies: a stack, not a row.
  private static func isStack(_ shelf: [ShelfLine]) -> Bool {
    let lengths = [true, false].map { isStanding in
      shelf.reduce(0) { $0 + ($1.isStanding == isStanding ? $1.line.region.length : 0) }
    }
    return lengths[0] < 0.4 * lengths[1]
  }

  /// - Parameter isNear: whether that far apart along a spine they still stand on one shelf.
  private func areTogether(
    _ first: ShelfLine, _ second: ShelfLine, isInRow: Bool, _ isNear: (Double) -> Bool
  ) -> Bool {
    if first.isStanding == second.isStanding {
      let isFirstLonger = first.line.region.length >= second.line.region.length
      let (longer, shorter) = isFirstLonger ? (first, second) : (second, first)
      guard TextRegion.difference(longer.frame.angle, shorter.frame.angle) < 20 else { return false }
      if areBeside(longer, shorter) { return true }
      // Lying lines follow each other freely on a stack, but among standing books they are words on different spines.
      if longer.isStanding { return follow(longer, shorter, isNear) }
      let reach = isInRow ? 0 : 2 * longer.line.region.length
      return follow(longer, shorter) { $0 < reach }
    }
    return crosses(
      standing: first.isStanding ? first : second, lying: first.isStanding ? second : first, isNear)
  }

  /// One after the other along one spine.
  private func follow(_ longer: ShelfLine, _ shorter: ShelfLine, _ isNear: (Double) -> Bool) -> Bool {
    let frame = longer.frame
    let (a, b) = (frame.extent(longer.line.region), frame.extent(shorter.line.region))
    guard a.across.share(b.across) > 0.5, a.along.share(b.along) < 0.3 else { return false }
    let gap = -a.along.overlap(b.along)
    return gap < min(a.across.length, b.across.length) || isNear(gap)
  }

  /// Side by side on one spine: close, alike in size, and no long edge between them.
  private func areBeside(_ longer: ShelfLine, _ shorter: ShelfLine) -> Bool {
    let frame = longer.frame
    let (a, b) = (frame.extent(longer.line.region), frame.extent(shorter.line.region))
    let (thin, thick) = (min(a.across.length, b.across.length), max(a.across.length, b.across.length))
    let gap = -a.across.overlap(b.across)
    guard a.along.share(b.along) > 0.3, gap < 0.75 * thin, thick < 3 * thin else {
      return false
    }
    return !isEdge(frame, a, b)
  }

  /// The strongest long edges on either side of a group within three times its thickness, 0…255.
  func flanks(_ lines: [TextLine]) -> (Double, Double) {
    guard let main = lines.max(by: { $0.region.length < $1.region.length }) else { return (0, 0) }
    let frame = ShelfLine(main).frame
    let extents = lines.map { frame.extent($0.region) }
    let body = frame.extent(main.region)
    let low = extents.map(\.across.lowerBound).min() ?? 0
    let high = extents.map(\.across.upperBound).max() ?? 0
    let reach = max(2 * body.across.length, high - low)
    let step = 0.06 * body.across.length
    return (
      edges.strongest(frame, along: body.along, across: (low - reach)...(low + 2 * step), reach: step),
      edges.strongest(frame, along: body.along, across: (high - 2 * step)...(high + reach), reach: step)
    )
  }

  private func isEdge(_ frame: SpineFrame, _ a: SpineFrame.Extent, _ b: SpineFrame.Extent) -> Bool {
    let (low, high) = a.across.middle < b.across.middle ? (a, b) : (b, a)
    let thin = min(a.across.length, b.across.length)
    let middle = (low.across.upperBound + high.across.lowerBound) / 2
    let half = max((high.across.lowerBound - low.across.upperBound) / 2, 0) + 0.12 * thin
    let union = min(a.along.lowerBound, b.along.lowerBound)...max(a.along.upperBound, b.along.upperBound)
    let step = edges.strongest(
      frame, along: union, across: (middle - half)...(middle + half), reach: 0.06 * thin)
    return step > edgeStep
  }

  /// A short word across a standing spine, above or below the text along it.
  private func crosses(standing: ShelfLine, lying: ShelfLine, _ isNear: (Double) -> Bool) -> Bool {
    let frame = standing.frame
    let (a, b) = (frame.extent(standing.line.region), frame.extent(lying.line.region))
    let inside = a.across.overlap(b.across) / max(1, min(a.across.length, b.across.length))
    guard inside > 0.6, b.across.length < 3 * a.across.length, a.along.share(b.along) < 0.5 else {
      return false
    }
    let gap = -a.along.overlap(b.along)
    return gap < a.across.length || isNear(gap)
  }
}

extension SpineFrame {
  /// Clockwise from rightwards, degrees.
  var angle: Double { atan2(along.y, along.x) * 180 / .pi }
}

/// Things joined into groups (Galler and Fischer, CACM 7(5), 1964).
struct DisjointSets {
  private var parents: [Int]

  init(_ count: Int) { parents = Array(0..<count) }

  mutating func root(_ index: Int) -> Int {
    var index = index
    while parents[index] != index {
      parents[index] = parents[parents[index]]
      index = parents[index]
    }
    return index
  }

  mutating func join(_ left: Int, _ right: Int) {
    let (a, b) = (root(left), root(right))
    parents[max(a, b)] = min(a, b)
  }

  mutating func groups() -> [[Int]] {
    var byRoot: [Int: [Int]] = [:]
    for index in parents.indices { byRoot[root(index), default: []].append(index) }
    return byRoot.sorted { $0.key < $1.key }.map(\.value)
  }
}

/// The order in which a person reads the lines of one spine.
enum ReadingOrder {
  /// Block by block along the spine, and within a block line by line.
  static func sorted(_ lines: [TextLine]) -> [TextLine] {
    guard let main = lines.max(by: { $0.region.length < $1.region.length }) else { return [] }
    let (along, down) = (main.region.along, main.region.down)
    let places = lines.map { line in
      let corners = line.region.corners
      let ts = corners.map { $0.dot(along) }
      return (line, (ts.min() ?? 0)...(ts.max() ?? 0), line.region.center.dot(down))
    }.sorted { $0.1.lowerBound < $1.1.lowerBound }
    var blocks: [[(TextLine, ClosedRange<Double>, Double)]] = []
    for place in places {
      let isBeside = blocks.last?.contains { $0.1.share(place.1) > 0.4 } ?? false
      if isBeside { blocks[blocks.count - 1].append(place) } else { blocks.append([place]) }
    }
    return blocks.flatMap { $0.sorted { $0.2 < $1.2 }.map(\.0) }
  }
}
