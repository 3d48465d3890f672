/// The three torch flashes that announce a recording: 50 ms long, 100 ms apart, at the final level, two
/// thirds and one third of it; then the torch stays on at the final level.
public struct TorchCountIn: Hashable, Sendable {
  /// A level of the torch, and its time.
  public struct Step: Hashable, Sendable {
    /// The time since the beginning.
    public let time: Duration
    /// The level; 0 is off.
    public let level: Double
  }

  /// The range of levels of a torch that is on.
  public static let levels = 0.001...1.0
  /// The steps in order.
  public let steps: [Step]

  /// - Parameter level: the final level, clamped to `levels`.
  public init(level: Double) {
    let level = Self.clamped(level)
    let flashes = (0..<3).flatMap { index in
      let start = Duration.milliseconds(150 * index)
      return [
        Step(time: start, level: level * Double(3 - index) / 3),
        Step(time: start + .milliseconds(50), level: 0),
      ]
    }
    steps = flashes + [Step(time: .milliseconds(450), level: level)]
  }

  /// The level clamped to `levels`, or 0 for off.
  static func clamped(_ level: Double) -> Double {
    level > 0 ? min(max(level, levels.lowerBound), levels.upperBound) : 0
  }
}
