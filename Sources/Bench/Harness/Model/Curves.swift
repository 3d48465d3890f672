/// Curves of worth over cost: a small chart for each case, and all of their figures in a table.
public struct Curves: Hashable, Sendable, Codable {
  /// A point of a curve.
  public struct Point: Hashable, Sendable, Codable {
    /// The cost, on the horizontal axis. At least 0.
    public var x: Double
    /// The worth, on the vertical axis: a share of the whole, 0…1.
    public var y: Double
    /// The text drawn at the point if the point was chosen.
    public var label: String
    /// Whether this point was chosen.
    public var isChosen: Bool

    /// Creates a point, by default not the chosen one.
    public init(x: Double, y: Double, label: String, isChosen: Bool = false) {
      self.x = x
      self.y = y
      self.label = label
      self.isChosen = isChosen
    }
  }

  /// A single chart.
  public struct Panel: Hashable, Sendable, Codable {
    /// The name of the case that the curve belongs to.
    public var title: String
    /// The points in any order; they are joined from left to right.
    public var points: [Point]

    /// Creates a chart. A chart without points is not drawn.
    public init(_ title: String, _ points: [Point]) { (self.title, self.points) = (title, points) }
  }

  /// The quantity on the horizontal axis, such as `tokens`.
  public var cost: String
  /// The quantity on the vertical axis, such as `words kept`.
  public var worth: String
  /// The required worth, 0…1. Nil for none.
  public var goal: Double?
  /// The charts.
  public var panels: [Panel]
  /// Headings of the table's columns.
  public var columns: [String]
  /// Rows of the table, each with as many cells as there are columns.
  public var rows: [[String]]

  /// Creates charts and their table.
  public init(
    cost: String, worth: String, goal: Double? = nil, panels: [Panel], columns: [String], rows: [[String]]
  ) {
    self.cost = cost
    self.worth = worth
    self.goal = goal
    self.panels = panels
    self.columns = columns
    self.rows = rows
  }
}
