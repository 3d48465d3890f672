/// Extends a detected line at both ends, along its own direction, over free ground, as long as strokes follow.
struct LineGrowth {
  let photo: Raster
  /// The most that a line grows at each end, in heights of the line.
  var reach = 8.0
  /// The greatest gap between two strokes, in heights of the line. Strokes beyond a wider gap do not belong to the line.
  var gap = 1.2
  /// The least change of luma at either side of a stroke, 0…255.
  var step = 12

  /// A line extended at its ends by free ground that has strokes.
  struct Grown {
    var region: TextRegion
    /// The regions of the new ends. Each also covers half a line's height of the old line.
    var ends: [TextRegion]
  }

  /// Extends a line.
  /// - Returns: nil if the line does not grow.
  func grown(_ index: Int, _ lines: [TextLine]) -> Grown? {
    let line = lines[index]
    var region = line.region
    guard line.confidence >= 0.6, LineExtension.letters(line.text).count >= 3,
      region.length > 1.2 * region.height
    else {
      return nil
    }
    let frame = SpineFrame(along: region.along)
    let free = freeGround(index, lines, frame)
    let (before, behind) = (
      strokes(at: region, sign: -1, limit: free.before), strokes(at: region, sign: 1, limit: free.behind)
    )
    guard max(before, behind) > 0.4 * region.height else { return nil }
    region.length += before + behind
    region.center = region.center + frame.along * ((behind - before) / 2)
    return Grown(
      region: region,
      ends: [(before, -1.0), (behind, 1)].filter { $0.0 > 0 }.map { free, sign in
        var end = region
        end.length = free + region.height / 2
        end.center = region.center + frame.along * (sign * (region.length - end.length) / 2)
        return end
      })
  }

  /// Returns the distances from the ends of a line to the next lines, pixels; at most `reach` heights of the line.
  private func freeGround(
    _ index: Int, _ lines: [TextLine], _ frame: SpineFrame
  ) -> (before: Double, behind: Double) {
    let region = lines[index].region
    let place = frame.extent(region)
    let most = reach * region.height
    var (before, behind) = (most, most)
    for other in lines.indices.lazy.filter({ $0 != index }).map({ lines[$0].region }) {
      // Skip lines that are farther away than this one can grow, which most are, before their corners are computed.
      let distance = other.center - region.center
      let near = most + (region.length + region.height + other.length + other.height) / 2
      guard distance.dot(distance) < near * near else { continue }
      let extent = frame.extent(other)
      guard place.across.share(extent.across) > 0.2 else { continue }
      if extent.along.middle > place.along.middle {
        behind = min(behind, extent.along.lowerBound - place.along.upperBound)
      } else {
        before = min(before, place.along.lowerBound - extent.along.upperBound)
      }
    }
    return (before, behind)
  }

  /// Returns the distance over which strokes continue from the end of a line, pixels; 0 for none.
  /// - Parameter sign: 1 for the end of the text, −1 for its beginning.
  private func strokes(at line: TextRegion, sign: Double, limit: Double) -> Double {
    let window = line.height / 2
    let end = line.center + line.along * (sign * line.length / 2)
    var (far, place) = (0.0, 0.0)
    while place + window <= limit, place - far <= gap * line.height {
      let next = end + line.along * (sign * (place + window))
      guard photo.contains(next) else { break }
      let start = end + line.along * (sign * place)
      place += window
      if hasStrokes(from: start, to: next, down: line.down, line.height) { far = place }
    }
    return far > 0 ? min(far + 0.3 * line.height, limit) : 0
  }

  /// Whether luma both rises and falls on at least two of three parallels along the stretch, as it does where a stroke crosses
  /// them.
  private func hasStrokes(from start: Point, to end: Point, down: Point, _ height: Double) -> Bool {
    let span = end - start
    let count = max(6, Int(span.dot(span).squareRoot()))
    return [-0.2, 0, 0.2].count { offset in
      var (lowest, highest, rises, falls) = (Int.max, Int.min, false, false)
      for index in 0...count {
        let value = photo.luma(start + span * (Double(index) / Double(count)) + down * (offset * height))
        (lowest, highest) = (min(lowest, value), max(highest, value))
        rises = rises || value >= lowest + step
        falls = falls || value <= highest - step
      }
      return rises && falls
    } >= 2
  }
}

extension Raster {
  fileprivate func contains(_ point: Point) -> Bool {
    point.x >= 0 && point.y >= 0 && point.x < Double(width) && point.y < Double(height)
  }

  /// Returns the luma of the pixel at a point, 0…255; outside the picture, of the nearest pixel.
  fileprivate func luma(_ point: Point) -> Int {
    let (x, y) = (min(max(Int(point.x), 0), width - 1), min(max(Int(point.y), 0), height - 1))
    let pixel = base + (y * bytesPerRow + x * 4)
    return (29 * Int(pixel[0]) + 150 * Int(pixel[1]) + 77 * Int(pixel[2])) / 256
  }
}
