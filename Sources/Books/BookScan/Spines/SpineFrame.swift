/// A pair of directions: along a spine and across it.
struct SpineFrame {
  /// Of length 1; downwards for spines that stand, to the right for those that lie.
  let along: Point
  var across: Point { Point(x: -along.y, y: along.x) }

  /// Where a region lies, pixels along and across.
  struct Extent {
    var along: ClosedRange<Double>
    var across: ClosedRange<Double>
  }

  func extent(_ region: TextRegion) -> Extent {
    let corners = region.corners
    return Extent(
      along: Self.range(corners.map { $0.dot(along) }), across: Self.range(corners.map { $0.dot(across) }))
  }

  func point(along t: Double, across s: Double) -> Point { along * t + across * s }

  private static func range(_ values: [Double]) -> ClosedRange<Double> {
    let low = values.min() ?? 0
    return low...max(low, values.max() ?? 0)
  }
}

extension ClosedRange<Double> {
  var length: Double { upperBound - lowerBound }
  var middle: Double { (lowerBound + upperBound) / 2 }

  /// Length of what both cover; negative is the gap between them.
  func overlap(_ other: ClosedRange<Double>) -> Double {
    Swift.min(upperBound, other.upperBound) - Swift.max(lowerBound, other.lowerBound)
  }

  func union(_ other: ClosedRange<Double>) -> ClosedRange<Double> {
    Swift.min(lowerBound, other.lowerBound)...Swift.max(upperBound, other.upperBound)
  }

  /// Overlap as a share of the shorter one.
  func share(_ other: ClosedRange<Double>) -> Double {
    overlap(other) / Swift.max(1e-9, Swift.min(length, other.length))
  }
}

/// A line as one of many on a shelf.
struct ShelfLine {
  var line: TextLine
  /// Text that reads up or down.
  var isStanding: Bool

  init(_ line: TextLine) {
    self.line = line
    isStanding = abs(line.region.along.y) > 0.7071
  }

  /// Along its own text, downwards or to the right.
  var frame: SpineFrame {
    let along = line.region.along
    return SpineFrame(along: (isStanding ? along.y : along.x) < 0 ? along * -1 : along)
  }
}
