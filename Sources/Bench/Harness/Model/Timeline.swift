/// What happened when, in lanes over one time axis that starts at 0 ms.
public struct Timeline: Hashable, Sendable, Codable {
  /// Something that lasted. Times in milliseconds.
  public struct Span: Hashable, Sendable, Codable {
    /// What it was, in a few words.
    public var label: String
    /// When it began, in milliseconds.
    public var start: Double
    /// When it ended, in milliseconds.
    public var end: Double
    /// Needs the reader's attention: an interruption, a stall.
    public var isAlert: Bool

    /// A span; one that ends before it begins is drawn as nothing.
    public init(_ label: String, from start: Double, to end: Double, isAlert: Bool = false) {
      self.label = label
      self.start = start
      self.end = end
      self.isAlert = isAlert
    }
  }

  /// Something that happened at one moment, in milliseconds.
  public struct Mark: Hashable, Sendable, Codable {
    /// What it was, in a few words.
    public var label: String
    /// When, in milliseconds.
    public var time: Double
    /// Needs the reader's attention.
    public var isAlert: Bool

    /// A mark, an ordinary one unless it is said.
    public init(_ label: String, at time: Double, isAlert: Bool = false) {
      self.label = label
      self.time = time
      self.isAlert = isAlert
    }
  }

  /// What belongs together, drawn in one row.
  public struct Lane: Hashable, Sendable, Codable {
    /// What the row is about.
    public var title: String
    /// What lasted, in any order.
    public var spans: [Span]
    /// What happened at one moment, in any order.
    public var marks: [Mark]

    /// A lane; an empty one is drawn as an empty row.
    public init(_ title: String, spans: [Span] = [], marks: [Mark] = []) {
      self.title = title
      self.spans = spans
      self.marks = marks
    }
  }

  /// From top to bottom.
  public var lanes: [Lane]

  /// A timeline of these lanes.
  public init(lanes: [Lane]) { self.lanes = lanes }

  /// The latest finite time, in milliseconds.
  public var end: Double {
    let times = lanes.flatMap { $0.spans.map(\.end) + $0.marks.map(\.time) }
    return times.filter(\.isFinite).max() ?? 0
  }
}
