/// What something is worth at what cost: a small chart for each case, and all of its figures as a table.
public struct Curves: Hashable, Sendable, Codable {
  /// One place of a curve.
  public struct Point: Hashable, Sendable, Codable {
    /// Across: the cost. Not below 0.
    public var x: Double
    /// Up: the worth, as a part of the whole, 0…1.
    public var y: Double
    /// What stands at the point where it is the one that was chosen.
    public var label: String
    /// Whether it is the one that was chosen.
    public var isChosen: Bool

    /// A point, not the chosen one unless it is said.
    public init(x: Double, y: Double, label: String, isChosen: Bool = false) {
      self.x = x
      self.y = y
      self.label = label
      self.isChosen = isChosen
    }
  }

  /// One chart.
  public struct Panel: Hashable, Sendable, Codable {
    /// Whose curve it is.
    public var title: String
    /// In any order; they are joined from left to right.
    public var points: [Point]

    /// A chart; one without points is not drawn.
    public init(_ title: String, _ points: [Point]) { (self.title, self.points) = (title, points) }
  }

  /// What is counted across, such as `tokens`.
  public var cost: String
  /// What is counted up, such as `words kept`.
  public var worth: String
  /// The worth that is asked for, 0…1; nil for none.
  public var goal: Double?
  /// The charts.
  public var panels: [Panel]
  /// Heads of the table's columns.
  public var columns: [String]
  /// Its rows, each with as many cells as there are columns.
  public var rows: [[String]]

  /// Charts and their table.
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
