/// What happened when, in lanes over one time axis that starts at 0 ms.
public struct Timeline: Hashable, Sendable, Codable {
  /// Something that lasted. Times in milliseconds.
  public struct Span: Hashable, Sendable, Codable {
    public var label: String
    public var start: Double
    public var end: Double
    /// Needs the reader's attention: an interruption, a stall.
    public var isAlert: Bool

    public init(_ label: String, from start: Double, to end: Double, isAlert: Bool = false) {
      self.label = label
      self.start = start
      self.end = end
      self.isAlert = isAlert
    }
  }

  /// Something that happened at one moment, in milliseconds.
  public struct Mark: Hashable, Sendable, Codable {
    public var label: String
    public var time: Double
    public var isAlert: Bool

    public init(_ label: String, at time: Double, isAlert: Bool = false) {
      self.label = label
      self.time = time
      self.isAlert = isAlert
    }
  }

  public struct Lane: Hashable, Sendable, Codable {
    public var title: String
    public var spans: [Span]
    public var marks: [Mark]

    public init(_ title: String, spans: [Span] = [], marks: [Mark] = []) {
      self.title = title
      self.spans = spans
      self.marks = marks
    }
  }

  public var lanes: [Lane]

  public init(lanes: [Lane]) { self.lanes = lanes }

  /// The latest finite time, in milliseconds.
  public var end: Double {
    let times = lanes.flatMap { $0.spans.map(\.end) + $0.marks.map(\.time) }
    return times.filter(\.isFinite).max() ?? 0
  }
}
