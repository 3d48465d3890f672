/// The order in which a person reads the lines of one spine.
enum ReadingOrder {
  /// Sorts lines block by block along the spine, and within a block line by line.
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
