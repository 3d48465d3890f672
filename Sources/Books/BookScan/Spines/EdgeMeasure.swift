/// Looks for long edges in a photo, such as those between two lines of text.
struct EdgeMeasure {
  let photo: Raster

  /// A strip of the photo in which an edge is looked for.
  struct Strip {
    var frame: SpineFrame
    /// The range along the edge, pixels.
    var along: ClosedRange<Double>
    /// The range across in which the edge is looked for, pixels.
    var across: ClosedRange<Double>
    /// The distance from the edge to each of the two compared pixels, one on each side, pixels.
    var reach: Double
  }

  /// Whether an edge runs along the strip: a colour step of at least `step`, 0…255, at three quarters of the strip's length or
  /// more. A stroke of a letter has the step only here and there.
  func isEdge(_ strip: Strip, step: Int) -> Bool {
    let count = max(8, min(48, Int(strip.along.length / 3)))
    return isEdge(strip, step, count: count, misses: count / 4, slopes: [0])
  }

  /// Whether an edge runs along a strip that is longer than the text from which the strip's direction was taken. The edge may lean
  /// by up to 3 %, and must have the colour step over 70 % of the length.
  func isLongEdge(_ strip: Strip, step: Int) -> Bool {
    isEdge(strip, step, count: 64, misses: 19, slopes: [0, -0.015, 0.015, -0.03, 0.03])
  }

  private func isEdge(_ strip: Strip, _ step: Int, count: Int, misses: Int, slopes: [Double]) -> Bool {
    let places = max(1, min(64, Int(strip.across.length / max(1, strip.reach)) + 1))
    let pitch = strip.across.length / Double(places)
    return slopes.contains { slope in
      (0..<places).contains { place in
        let s = strip.across.lowerBound + (Double(place) + 0.5) * pitch
        return runs(strip, at: s, slope, step, count: count, misses: misses)
      }
    }
  }

  /// Whether at most `misses` of `count` samples along a line lack the step.
  private func runs(
    _ strip: Strip, at s: Double, _ slope: Double, _ step: Int, count: Int, misses: Int
  ) -> Bool {
    let reach = max(1, strip.reach)
    let (along, across) = (strip.frame.along, strip.frame.across)
    var missed = 0
    for index in 0..<count {
      let t = strip.along.lowerBound + (Double(index) + 0.5) * strip.along.length / Double(count)
      let place = s + (t - strip.along.middle) * slope
      let middle = along * t
      if difference(middle + across * (place - reach), middle + across * (place + reach)) < step {
        missed += 1
      }
      if missed > misses { return false }
    }
    return true
  }

  /// Returns the largest difference among the three colour channels, 0…255.
  @inline(__always)
  private func difference(_ left: Point, _ right: Point) -> Int {
    let (a, b) = (pixel(left), pixel(right))
    let blue = abs(Int(a[0]) - Int(b[0]))
    let green = abs(Int(a[1]) - Int(b[1]))
    return max(blue, green, abs(Int(a[2]) - Int(b[2])))
  }

  /// Returns blue, green and red of the pixel at a point; outside the photo, of the nearest pixel.
  @inline(__always)
  func pixel(_ point: Point) -> UnsafePointer<UInt8> {
    let (x, y) = (min(max(Int(point.x), 0), photo.width - 1), min(max(Int(point.y), 0), photo.height - 1))
    return UnsafePointer(photo.base + (y * photo.bytesPerRow + x * 4))
  }
}
