import Imagery

/// A rectangle that may hold a line of text.
struct TextCandidate: Sendable {
  /// The rectangle in photo pixels; its direction is a first guess.
  var region: TextRegion
  /// The detector's score, 0…1.
  var score: Double
}

/// Finds rectangles of text. Horizontal lines are found on the photo as it is, vertical lines on a copy turned by 90°. A small
/// copy shows in which directions text runs; the large copy is searched only in those directions.
struct TextFinder {
  let detector: TextDetector
  let plan: RecognitionPlan

  /// A direction of text in the photo. Text in this direction runs along the rows of the copy that is searched for it.
  enum Direction: CaseIterable {
    case across, along
  }

  /// Returns the candidates of all passes, without duplicates, in two tiers. Candidates of the second tier are read only where
  /// those of the first were not read surely. Small letters are found on a large copy, very large letters on a small one.
  func candidates(in photo: Raster) throws(ScanError) -> [[TextCandidate]] {
    var found: [[TextCandidate]] = []
    for scale in plan.scales(longSide: max(photo.width, photo.height)) {
      let directions = found.isEmpty ? Direction.allCases : directions(found.flatMap { $0 })
      found.append(try candidates(in: try scaled(photo, scale), scale: scale, directions))
    }
    // The boxes of the last copy are the most exact, because it is the largest.
    let first = found.removeLast()
    var rest: [TextCandidate] = []
    for more in found.reversed() {
      rest += more.filter { candidate in
        !(first + rest).contains { areSame($0.region, candidate.region) }
      }
    }
    return [first, rest]
  }

  private func scaled(_ photo: Raster, _ scale: Double) throws(ScanError) -> Raster {
    guard scale != 1 else { return photo }
    return try photo.scaled(
      width: max(1, Int(Double(photo.width) * scale)), height: max(1, Int(Double(photo.height) * scale)))
  }

  /// Returns the directions in which at least `leastShare` of the text runs, by length.
  func directions(_ candidates: [TextCandidate]) -> [Direction] {
    let lengths = Direction.allCases.map { direction in
      candidates.reduce(0) { sum, candidate in
        let isStanding = abs(candidate.region.along.y) > 0.7071
        return sum + (isStanding == (direction == .along) ? candidate.region.length * candidate.score : 0)
      }
    }
    let total = lengths.reduce(0, +)
    return zip(Direction.allCases, lengths).filter { $0.1 >= plan.leastShare * total }.map(\.0)
  }

  private func areSame(_ left: TextRegion, _ right: TextRegion) -> Bool {
    let distance = left.center - right.center
    guard distance.dot(distance) < left.height * left.height + right.height * right.height else {
      return false
    }
    let common = left.intersection(right)
    return common > plan.sameness * max(left.area, right.area)
      && TextRegion.difference(left.angle, right.angle) < 30
  }

  private func candidates(
    in copy: Raster, scale: Double, _ directions: [Direction]
  ) throws(ScanError) -> [TextCandidate] {
    var found: [ConnectedComponents.Area] = []
    for direction in directions {
      // A quarter turn to the left lays text that reads top to bottom along the rows.
      let rows = direction == .across ? copy : try copy.turned(.clockwise270)
      found += try areas(rows).map { direction == .across ? $0 : Self.turnedBack($0, width: copy.width) }
    }
    return found.map { area in
      let region = area.region
      return TextCandidate(
        region: TextRegion(
          center: region.center * (1 / scale), length: region.length / scale, height: region.height / scale,
          angle: region.angle), score: area.score)
    }
  }

  private static func turnedBack(_ area: ConnectedComponents.Area, width: Int) -> ConnectedComponents.Area {
    let region = area.region
    return ConnectedComponents.Area(
      region: TextRegion(
        center: Point(x: Double(width) - region.center.y, y: region.center.x), length: region.length,
        height: region.height, angle: region.angle + 90), score: area.score)
  }

  /// Returns the areas that run along the rows of this copy, and the areas that are too square to have a direction.
  private func areas(_ raster: Raster) throws(ScanError) -> [ConnectedComponents.Area] {
    ConnectedComponents().areas(of: try detector.map(of: raster)).compactMap { area in
      var area = area
      let tilt = min(
        TextRegion.difference(area.region.angle, 0), TextRegion.difference(area.region.angle, 180))
      if tilt <= 45 { return area }
      // Skip an area that is vertical in this copy, because it is horizontal in the other copy and is found there. Keep a nearly
      // square area.
      guard area.region.length < area.region.height * 1.5 else { return nil }
      (area.region.length, area.region.height) = (area.region.height, area.region.length)
      area.region.angle -= 90
      return area
    }.map { area in
      var area = area
      if TextRegion.difference(area.region.angle, 0) > 90 { area.region.angle += 180 }
      return area
    }
  }
}
