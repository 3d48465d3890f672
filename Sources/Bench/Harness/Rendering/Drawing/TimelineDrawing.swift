/// Lanes of spans and marks over one axis in milliseconds. Alerts are hatched with a pattern that the page defines once.
struct TimelineDrawing {
  private static let width = 900.0
  private static let margin = 130.0
  private static let laneHeight = 34.0
  private static let letter = 6.7
  /// Maximum number of lanes that are drawn.
  private static let mostLanes = 24
  /// Maximum number of spans, and of marks, of a lane that are drawn.
  private static let mostThings = 2000

  let timeline: Timeline
  private let end: Double

  init(timeline: Timeline) {
    self.timeline = timeline
    end = timeline.end
  }

  var svg: String {
    guard end > 0 else { return "" }
    let lanes = timeline.lanes.prefix(Self.mostLanes)
    let bottom = Double(lanes.count) * Self.laneHeight + 8
    let rows = lanes.enumerated().map { lane($1, top: Double($0) * Self.laneHeight + 4) }
    return """
      <svg viewBox="0 0 900 \(point(bottom + 22))" role="img" aria-label="Timeline of \(Figure.number(end)) ms">
      \(axis(bottom))
      \(rows.joined(separator: "\n"))
      </svg>
      """
  }

  private func x(_ time: Double) -> Double {
    let bounded = time.isFinite ? min(max(time, 0), end) : 0
    return Self.margin + (Self.width - Self.margin - 10) * bounded / end
  }

  private func axis(_ bottom: Double) -> String {
    let step = Self.niceStep(end)
    var ticks = ""
    for index in 0...Int(end / step) {
      let at = x(Double(index) * step)
      ticks += "<path class=\"grid\" d=\"M\(point(at)) 0V\(point(bottom))\"/>"
      let last = x(end) - at < 30
      let unit = index == 0 ? " ms" : ""
      ticks +=
        "<text class=\"tick\" x=\"\(point(at))\" y=\"\(point(bottom + 15))\" text-anchor=\"\(last ? "end" : "middle")\">\(Figure.number(Double(index) * step))\(unit)</text>"
    }
    return ticks
  }

  /// Returns 1, 2 or 5 times a power of ten, so that about eight ticks fit.
  static func niceStep(_ end: Double) -> Double {
    var scale = 1e-3
    while scale < 1e12 {
      for factor in [1.0, 2, 5] where end / (scale * factor) <= 8 { return scale * factor }
      scale *= 10
    }
    return end
  }

  private func lane(_ lane: Timeline.Lane, top: Double) -> String {
    // A long name is set narrower, not cut.
    let fit = lane.title.count > 18 ? " textLength=\"125\" lengthAdjust=\"spacingAndGlyphs\"" : ""
    let title = HTMLText.escape(String(lane.title.prefix(200)))
    var parts = ["<text class=\"lane\" x=\"0\" y=\"\(point(top + 19))\"\(fit)>\(title)</text>"]
    parts += lane.spans.prefix(Self.mostThings).map { span($0, top: top) }
    parts += marks(
      Array(lane.marks.prefix(Self.mostThings)), top: top,
      taken: lane.spans.prefix(Self.mostThings).compactMap(labelPlace))
    return parts.joined()
  }

  /// Returns the place of a span's label. Nil if the span is too short for it.
  private func labelPlace(_ span: Timeline.Span) -> ClosedRange<Double>? {
    let from = x(span.start)
    let label = Double(span.label.count) * Self.letter
    return label + 8 < max(1, x(span.end) - from) ? (from + 5)...(from + 5 + label) : nil
  }

  private func span(_ span: Timeline.Span, top: Double) -> String {
    let from = x(span.start)
    let width = max(1, x(span.end) - from)
    let label = HTMLText.escape(span.label)
    let style = span.isAlert ? "span alert" : "span"
    let text =
      labelPlace(span).map {
        "<text class=\"label\" x=\"\(point($0.lowerBound))\" y=\"\(point(top + 19))\">\(label)</text>"
      } ?? ""
    return """
      <g><title>\(label): \(Figure.number(span.start)) to \(Figure.number(span.end)) ms</title>\
      <rect class="\(style)" x="\(point(from))" y="\(point(top + 3))" width="\(point(width))" height="24"/>\(text)</g>
      """
  }

  /// Draws every mark, and the labels that find room outside `taken`: labels of alerts first, to the right of the mark or else to its left.
  private func marks(_ marks: [Timeline.Mark], top: Double, taken: [ClosedRange<Double>]) -> [String] {
    let ticks = marks.map { x($0.time) }
    var taken = taken
    let order = marks.indices.sorted { marks[$0].isAlert && !marks[$1].isAlert }
    return order.map { index in
      let (mark, at) = (marks[index], ticks[index])
      let width = Double(mark.label.count) * Self.letter
      guard width > 0, marks.count < 100 else { return draw(mark, at: at, label: nil, top: top) }
      let room = [at + 5, at - width - 5].map { $0...($0 + width) }.first { place in
        place.lowerBound >= Self.margin - 5 && place.upperBound <= Self.width
          && !taken.contains { $0.overlaps(place) }
          && !ticks.contains { $0 != at && place.contains($0) }
      }
      if let room { taken.append(room) }
      return draw(mark, at: at, label: room?.lowerBound, top: top)
    }
  }

  private func draw(_ mark: Timeline.Mark, at: Double, label: Double?, top: Double) -> String {
    let words = HTMLText.escape(mark.label)
    let style = mark.isAlert ? "tickmark alert" : "tickmark"
    let text =
      label.map { "<text class=\"label\" x=\"\(point($0))\" y=\"\(point(top + 19))\">\(words)</text>" } ?? ""
    return """
      <g><title>\(words): \(Figure.number(mark.time)) ms</title>\
      <path class="\(style)" d="M\(point(at)) \(point(top + 4))V\(point(top + 26))"/>\(text)</g>
      """
  }
}
