/// The outline of the spine around a group of lines: the turned rectangle around the text, widened to the spine's edges if they
/// are found.
struct SpineOutline {
  let edges: EdgeMeasure
  /// The least colour step of an edge, 0…255.
  var leastStep = 10

  /// Returns the corners of the outline.
  /// - Returns: the corners in the reading order of the text: above the first letter, above the last, below the last, below the
  ///   first. Empty for a group without lines.
  func corners(_ group: SpineGroup) -> [Point] {
    guard let main = group.main else { return [] }
    let frame = SpineFrame(along: main.region.along)
    let letter = main.region.height
    var extent = group.extent(frame)
    extent.across = widened(extent, frame, letter)
    let along = (extent.along.lowerBound - 0.5 * letter)...(extent.along.upperBound + 0.5 * letter)
    return [
      frame.point(along: along.lowerBound, across: extent.across.lowerBound),
      frame.point(along: along.upperBound, across: extent.across.lowerBound),
      frame.point(along: along.upperBound, across: extent.across.upperBound),
      frame.point(along: along.lowerBound, across: extent.across.upperBound),
    ]
  }

  /// Returns the range across the text, widened on either side to the first edge within twice a letter's height. If there is no
  /// edge, the range is widened by a quarter of a letter's height.
  private func widened(_ extent: SpineFrame.Extent, _ frame: SpineFrame, _ letter: Double) -> ClosedRange<
    Double
  > {
    let free = 0.25 * letter
    let above = distance(extent, frame, letter, isBelow: false) ?? free
    let below = distance(extent, frame, letter, isBelow: true) ?? free
    return (extent.across.lowerBound - above)...(extent.across.upperBound + below)
  }

  /// Returns the distance from the text to the first edge, pixels; nil if no edge is near.
  private func distance(
    _ extent: SpineFrame.Extent, _ frame: SpineFrame, _ letter: Double, isBelow: Bool
  ) -> Double? {
    let pitch = max(1, 0.08 * letter)
    let border = isBelow ? extent.across.upperBound : extent.across.lowerBound
    for place in stride(from: pitch, to: 2 * letter, by: pitch) {
      let outer = isBelow ? border + place : border - place
      let strip = EdgeMeasure.Strip(
        frame: frame, along: extent.along, across: (outer - pitch / 2)...(outer + pitch / 2), reach: pitch)
      if edges.isEdge(strip, step: leastStep) { return place }
    }
    return nil
  }
}
