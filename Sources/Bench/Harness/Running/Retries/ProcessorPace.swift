/// How fast the processor is, and what a slow one explains. The lab's is emulated at a tenth of the speed of the machine outside.
struct ProcessorPace: Sendable, Hashable {
  /// Milliseconds that the yardstick took: about 3 on the machines that the limits were set on.
  let yardstick: Double

  /// A processor that takes this long is five times slower than those, and needs milliseconds where they need one.
  static let slow = 15.0
  static let usual = 3.0

  var isSlow: Bool { yardstick >= Self.slow }

  /// Milliseconds by which it may be late: what it takes for twice the yardstick, 6 ms of work on a usual processor. The engine's part of
  /// a first picture is less than that there. A camera that is late by more is late on any processor.
  var slack: Double { isSlow ? 2 * yardstick : 0 }

  /// `takes 34 ms for work that usual processors do in 3 ms`.
  var words: String {
    "takes \(Figure.text(yardstick, .milliseconds)) for work that usual processors do in \(Figure.text(Self.usual, .milliseconds))"
  }
}

extension ScenarioReport {
  /// Milliseconds by which the worst of what was late missed its limit, rates as the intervals of their frames. Infinite where a slow
  /// processor is no answer: for a rule, a ratio, a rate of zero, and a limit that follows what ran on the same processor.
  func lateBy(_ profile: Profile) -> Double {
    guard !checks.contains(where: \.isLate) else { return .infinity }
    let late = metrics.filter(\.isLate)
    guard late.allSatisfy({ profile.limit(on: $0.id)?.reference == nil }) else { return .infinity }
    return late.map(\.lateBy).max() ?? 0
  }
}

extension MetricReport {
  /// It missed a limit that is a matter of time.
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
