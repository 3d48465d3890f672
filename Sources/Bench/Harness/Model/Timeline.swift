/// Events over time, in lanes above one time axis that starts at 0 ms.
public struct Timeline: Hashable, Sendable, Codable {
  /// An event with a duration.
  public struct Span: Hashable, Sendable, Codable {
    /// Label of a few words.
    public var label: String
    /// Start, in milliseconds.
    public var start: Double
    /// End, in milliseconds.
    public var end: Double
    /// Whether the span needs the reader's attention, for example an interruption or a stall.
    public var isAlert: Bool

    /// Creates a span. A span that ends before it begins is not drawn.
    public init(_ label: String, from start: Double, to end: Double, isAlert: Bool = false) {
      self.label = label
      self.start = start
      self.end = end
      self.isAlert = isAlert
    }
  }

  /// An event at one moment.
  public struct Mark: Hashable, Sendable, Codable {
    /// Label of a few words.
    public var label: String
    /// Time, in milliseconds.
    public var time: Double
    /// Whether the mark needs the reader's attention.
    public var isAlert: Bool

    /// Creates a mark, by default one that needs no attention.
    public init(_ label: String, at time: Double, isAlert: Bool = false) {
      self.label = label
      self.time = time
      self.isAlert = isAlert
    }
  }

  /// Related spans and marks, drawn in one row.
  public struct Lane: Hashable, Sendable, Codable {
    /// Title of the row.
    public var title: String
    /// The spans, in any order.
    public var spans: [Span]
    /// The marks, in any order.
    public var marks: [Mark]

    /// Creates a lane. A lane without spans and marks is drawn as an empty row.
    public init(_ title: String, spans: [Span] = [], marks: [Mark] = []) {
      self.title = title
      self.spans = spans
      self.marks = marks
    }
  }

  /// The lanes, from top to bottom.
  public var lanes: [Lane]

  /// Creates a timeline.
  public init(lanes: [Lane]) { self.lanes = lanes }

  /// The latest finite time, in milliseconds.
  public var end: Double {
    let times = lanes.flatMap { $0.spans.map(\.end) + $0.marks.map(\.time) }
    return times.filter(\.isFinite).max() ?? 0
  }
}
