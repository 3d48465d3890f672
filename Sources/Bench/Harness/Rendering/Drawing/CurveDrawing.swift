/// One panel of curves: cost from 0 to the highest cost, worth from 0 to 1.
struct CurveDrawing {
  private let left = 4.0
  private let right = 416.0
  private let top = 26.0
  private let bottom = 126.0

  let panel: Curves.Panel
  let curves: Curves

  /// Maximum number of points that are drawn.
  private static let most = 200

  var svg: String {
    let points = panel.points.filter { $0.x.isFinite && $0.y.isFinite && $0.x >= 0 }
      .sorted { $0.x < $1.x }.prefix(Self.most)
    guard let dearest = points.last?.x, dearest > 0 else { return "" }
    func x(_ cost: Double) -> Double { left + (right - left - 8) * cost / dearest }
    let places = points.map { (x($0.x), y($0.y)) }
    let line = places.enumerated().map { "\($0 == 0 ? "M" : "L")\(point($1.0)) \(point($1.1))" }.joined()
    let dots = places.map { "M\(point($0.0)) \(point($0.1))h0" }.joined()
    return """
      <svg viewBox="0 0 420 150" role="img" aria-label="\(HTMLText.escape(panel.title)): \(HTMLText.escape(curves.worth)) by \(HTMLText.escape(curves.cost))">
      <path class="axis" d="M\(point(left)) \(point(bottom))H\(point(right))"/>\(goal)
      <path class="new" d="\(line)"/><path class="dots" d="\(dots)"/>
      \(points.filter(\.isChosen).map { chosen($0, x($0.x)) }.joined())
      <text x="\(point(left))" y="144">0</text>
      <text x="\(point(right))" y="144" text-anchor="end">\(Figure.number(dearest)) \(HTMLText.escape(curves.cost))</text>
      </svg>
      """
  }

  private func y(_ worth: Double) -> Double { bottom - (bottom - top) * min(max(worth, 0), 1) }

  private var goal: String {
    guard let goal = curves.goal else { return "" }
    return """
      <path class="limit" d="M\(point(left)) \(point(y(goal)))H\(point(right))"/>\
      <text class="limit" x="\(point(left))" y="\(point(y(goal) - 4))">\(Figure.number(goal * 100)) % of \(HTMLText.escape(curves.worth))</text>
      """
  }

  private func chosen(_ chosen: Curves.Point, _ x: Double) -> String {
    let isRight = x > (left + right) / 2
    let at = y(chosen.y)
    return """
      <path class="axis" d="M\(point(x)) \(point(at))V\(point(bottom))"/>\
      <text x="\(point(x + (isRight ? -6 : 6)))" y="\(point(bottom - 6))"\(isRight ? " text-anchor=\"end\"" : "")>\(HTMLText.escape(chosen.label))</text>
      """
  }
}
