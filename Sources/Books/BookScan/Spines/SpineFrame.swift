/// A pair of directions: along a spine and across it.
struct SpineFrame {
  /// The unit vector along the spine: downwards for standing spines, to the right for horizontal ones.
  let along: Point
  var across: Point { Point(x: -along.y, y: along.x) }

  /// The range of a region along and across the frame, pixels.
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

  /// Returns the length of the overlap. A negative value is the gap between the two.
  func overlap(_ other: ClosedRange<Double>) -> Double {
    Swift.min(upperBound, other.upperBound) - Swift.max(lowerBound, other.lowerBound)
  }

  func union(_ other: ClosedRange<Double>) -> ClosedRange<Double> {
    Swift.min(lowerBound, other.lowerBound)...Swift.max(upperBound, other.upperBound)
  }

  /// Returns the overlap as a share of the shorter range.
  func share(_ other: ClosedRange<Double>) -> Double {
    overlap(other) / Swift.max(1e-9, Swift.min(length, other.length))
  }
}

/// A line of text, and whether the text reads up or down.
struct ShelfLine {
  var line: TextLine
  /// Whether the text reads up or down.
  var isStanding: Bool

  init(_ line: TextLine) {
    self.line = line
    isStanding = abs(line.region.along.y) > 0.7071
  }

  /// The frame along the line's text, turned to point downwards or to the right.
  var frame: SpineFrame {
    let along = line.region.along
    return SpineFrame(along: (isStanding ? along.y : along.x) < 0 ? along * -1 : along)
  }
}
