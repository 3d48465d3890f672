/// How strong the long edges of a photo are, between one line of text and the next.
struct EdgeMeasure {
  let photo: Raster

  /// The strongest edge that runs along `frame` through a band, as a step of colour, 0…255.
  ///
  /// At each place across the band the steps of colour are taken at many places along it, and their lower quartile counts:
  /// an edge of a book is there nearly everywhere, a stroke of a letter only here and there.
  func strongest(_ frame: SpineFrame, along: ClosedRange<Double>, across: ClosedRange<Double>, reach: Double)
    -> Double
  {
    let step = max(1, reach)
    let places = max(1, min(64, Int(across.length / step) + 1))
    return (0..<places).map { place in
      edge(frame, along, at: across.lowerBound + (Double(place) + 0.5) * across.length / Double(places), step)
    }.max() ?? 0
  }

  private func edge(_ frame: SpineFrame, _ along: ClosedRange<Double>, at s: Double, _ step: Double) -> Double
  {
    let count = max(8, min(48, Int(along.length / 3)))
    let steps = (0..<count).map { index in
      let t = along.lowerBound + (Double(index) + 0.5) * along.length / Double(count)
      return difference(frame.point(along: t, across: s - step), frame.point(along: t, across: s + step))
    }.sorted()
    return steps[count / 4]
  }

  /// Largest difference of the three colours.
  private func difference(_ left: Point, _ right: Point) -> Double {
    let (a, b) = (offset(left), offset(right))
    return Double((0..<3).map { abs(Int(photo.base[a + $0]) - Int(photo.base[b + $0])) }.max() ?? 0)
  }

  private func offset(_ point: Point) -> Int {
    let (x, y) = (min(max(Int(point.x), 0), photo.width - 1), min(max(Int(point.y), 0), photo.height - 1))
    return y * photo.bytesPerRow + x * 4
  }
}
