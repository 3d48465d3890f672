/// Measures the edges on the two sides of a text: their strength, and whether they run on past the text, as the edges of a spine
/// do.
struct FlankMeasure {
  let edges: EdgeMeasure
  /// The colour steps that are tested, 0…255, the smallest first.
  static let steps = [5, 8, 12, 17, 24, 34]

  /// The edge on one side.
  struct Flank: Hashable {
    /// The largest of `steps` at which an edge runs along the text; 0 for none.
    var step: Int
    /// Whether the edge runs on past both ends of the text, by three tenths of the text's length.
    var isLong: Bool
  }

  /// Measures both sides.
  /// - Returns: the two edges, in no particular order.
  func flanks(_ group: SpineGroup) -> [Flank] {
    guard let main = group.main else { return [] }
    let frame = ShelfLine(main).frame
    let body = frame.extent(main.region)
    let across = group.extent(frame).across
    let reach = max(2 * body.across.length, across.length)
    let step = 0.06 * body.across.length
    return [
      (across.lowerBound - reach)...(across.lowerBound + 2 * step),
      (across.upperBound - 2 * step)...(across.upperBound + reach),
    ].map { side in
      flank(EdgeMeasure.Strip(frame: frame, along: body.along, across: side, reach: step))
    }
  }

  private func flank(_ strip: EdgeMeasure.Strip) -> Flank {
    var best = 0
    for step in Self.steps {
      guard edges.isEdge(strip, step: step) else { break }
      best = step
    }
    guard best > 0 else { return Flank(step: 0, isLong: false) }
    var long = strip
    let more = 0.3 * strip.along.length
    long.along = (strip.along.lowerBound - more)...(strip.along.upperBound + more)
    return Flank(step: best, isLong: edges.isLongEdge(long, step: 8))
  }
}
