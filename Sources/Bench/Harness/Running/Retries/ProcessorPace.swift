/// The speed of the processor, and the lateness that a slow one explains. The lab's processor is emulated at a tenth of the host's speed.
struct ProcessorPace: Sendable, Hashable {
  /// Milliseconds that the yardstick took: about 3 on the machines for which the limits were set.
  let yardstick: Double

  /// The yardstick from which a processor counts as slow, in milliseconds: five times `usual`.
  static let slow = 15.0
  /// The yardstick on the machines for which the limits were set, in milliseconds.
  static let usual = 3.0

  var isSlow: Bool { yardstick >= Self.slow }

  /// Milliseconds of lateness that the processor explains: its time for twice the yardstick, which is 6 ms of work on a usual processor.
  /// The engine's part of a first picture takes less than 6 ms on a usual processor. A camera that is later is late on any processor.
  var slack: Double { isSlow ? 2 * yardstick : 0 }

  /// The speed in words: `takes 34 ms for work that usual processors do in 3 ms`.
  var words: String {
    "takes \(Figure.text(yardstick, .milliseconds)) for work that usual processors do in \(Figure.text(Self.usual, .milliseconds))"
  }
}

extension ScenarioReport {
  /// Returns the milliseconds by which the worst of the missed time limits was missed; rates count as frame intervals. Infinite if a slow
  /// processor does not explain it: for a rule, a ratio, a rate of zero, and a limit that depends on a reference on the same processor.
  func lateBy(_ profile: Profile) -> Double {
    guard !checks.contains(where: \.isLate) else { return .infinity }
    let late = metrics.filter(\.isLate)
    guard late.allSatisfy({ profile.limit(on: $0.id)?.reference == nil }) else { return .infinity }
    return late.map(\.lateBy).max() ?? 0
  }
}

extension MetricReport {
  /// Whether the metric missed a time limit.
  var isLate: Bool { verdict == .fail && kind == .timed && limit?.measured != nil }

  fileprivate var lateBy: Double {
    guard let measured = limit?.measured, let bound = limit?.value else { return .infinity }
    switch unit {
    case .milliseconds: return abs(measured - bound)
    case .framesPerSecond where measured > 0 && bound > 0: return abs(1000 / measured - 1000 / bound)
    case .count, .bytes, .tokens, .pixels, .degrees, .levels, .decibels, .ratio, .percent, .framesPerSecond:
      return .infinity
    }
  }
}
