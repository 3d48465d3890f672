/// The three flashes by which a torch says that a recording begins: of 50 ms, 100 ms apart, each dimmer by a third; then it stays on.
public struct TorchCountIn: Hashable, Sendable {
  /// What the torch is set to, and how long after the beginning.
  public struct Step: Hashable, Sendable {
    /// Since the beginning.
    public let time: Duration
    /// 0 is off.
    public let level: Double
  }

  /// What a torch that is on is clamped to.
  public static let levels = 0.001...1.0
  /// In their order.
  public let steps: [Step]

  /// - Parameter level: what it stays on with, clamped to `levels`.
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

  /// 0 for off, else a level that lights.
  static func clamped(_ level: Double) -> Double {
    level > 0 ? min(max(level, levels.lowerBound), levels.upperBound) : 0
  }
}
