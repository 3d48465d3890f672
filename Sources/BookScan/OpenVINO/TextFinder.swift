import Imagery

/// A rectangle that may hold a line of text.
struct TextCandidate: Sendable {
  /// In photo pixels; the direction is a first guess.
  var region: TextRegion
  /// The detector's, 0…1.
  var score: Double
}

/// Finds rectangles of text on the photo as it is, for lines that run across, and on a copy turned by a quarter, for lines
/// that run up or down.
struct TextFinder {
  let detector: TextDetector
  let plan: RecognitionPlan

  /// Of every scale, each once: small letters are found on a large copy, letters a hand high on a small one.
  func candidates(in photo: Raster) throws(ScanError) -> [TextCandidate] {
    var found: [TextCandidate] = []
    for side in plan.detectionSides {
      let scale = min(Double(side) / Double(max(photo.width, photo.height)), 2)
      let more = try candidates(in: photo, scale: scale)
      found += more.filter { candidate in !found.contains { Self.areSame($0.region, candidate.region) } }
      if scale >= 2 { break }
    }
    return found
  }

  private static func areSame(_ left: TextRegion, _ right: TextRegion) -> Bool {
    let distance = left.center - right.center
    guard distance.dot(distance) < left.height * left.height + right.height * right.height else {
      return false
    }
    let common = left.intersection(right)
    return common > 0.85 * max(left.area, right.area) && TextRegion.difference(left.angle, right.angle) < 30
  }

  private func candidates(in photo: Raster, scale: Double) throws(ScanError) -> [TextCandidate] {
    let copy =
      scale == 1
      ? photo
      : try photo.scaled(
        width: max(1, Int(Double(photo.width) * scale)), height: max(1, Int(Double(photo.height) * scale)))
    let across = try areas(copy)
    // A quarter-turn to the left lays what reads top to bottom along the rows.
    let along = try areas(try copy.turned(.clockwise270)).map { area in
      let center = area.region.center
      return ConnectedComponents.Area(
        region: TextRegion(
          center: Point(x: Double(copy.width) - center.y, y: center.x), length: area.region.length,
          height: area.region.height, angle: area.region.angle + 90), score: area.score)
    }
    return (across + along).map { area in
      let region = area.region
      return TextCandidate(
        region: TextRegion(
          center: region.center * (1 / scale), length: region.length / scale, height: region.height / scale,
          angle: region.angle), score: area.score)
    }
  }

  /// Areas that run along the rows of this copy, and those too square to tell.
  private func areas(_ raster: Raster) throws(ScanError) -> [ConnectedComponents.Area] {
    ConnectedComponents().areas(of: try detector.map(of: raster)).compactMap { area in
      var area = area
      let tilt = min(
        TextRegion.difference(area.region.angle, 0), TextRegion.difference(area.region.angle, 180))
      if tilt <= 45 { return area }
      // Upright in this copy: the other copy has it lying, unless it is a short word.
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
