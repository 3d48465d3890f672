/// A figure as a bar beside its limit, over one axis from 0: the room to spare, or the part that is too much.
struct RoomDrawing {
  private static let (bar, height) = (30.0, 72.0)

  let words: LimitWords
  private let measured: Double
  private let limit: Double
  private let frame: ChartFrame

  /// - Returns: nil if figure or limit is negative or unknown, or if both are 0.
  init?(_ metric: MetricReport) {
    guard let words = LimitWords(metric), let limit = words.limit.value, let measured = words.limit.measured,
      limit.isFinite, measured.isFinite, limit >= 0, measured >= 0,
      let frame = ChartFrame(0...(max(limit, measured) * 1.04), metric.unit)
    else { return nil }
    self.words = words
    self.measured = measured
    self.limit = limit
    self.frame = frame
  }

  var svg: String {
    let (low, high) = (min(measured, limit), max(measured, limit))
    let from = frame.x(low) / 10
    let edge = frame.x(limit) / 10
    let style = words.holds ? "room" : "room broken"
    let anchor = edge > 50 ? " text-anchor=\"end\"" : ""
    return """
      <svg width="100%" height="\(point(Self.height))" role="img" aria-label="\(HTMLText.escape(words.brief)): \(HTMLText.escape(words.room ?? ""))">
      <rect class="bars" x="0" y="18" width="\(point(frame.x(measured) / 10))%" height="\(point(Self.bar))"/>\
      <rect class="\(style)" x="\(point(from))%" y="18" width="\(point(frame.x(high) / 10 - from))%" height="\(point(Self.bar))"/>
      <g\(words.holds ? "" : " class=\"broken\"")><line class="limit" x1="\(point(edge))%" x2="\(point(edge))%" y1="4" y2="48"/>\
      <text class="limit" x="\(point(edge))%" dx="\(edge > 50 ? -5 : 5)" y="11"\(anchor)>limit: \(HTMLText.escape(words.bound))</text></g>
      \(frame.ticks(at: 18 + Self.bar))
      </svg>
      """
  }
}
