import FoundationEssentials

/// The progress of a run over photographs, and the time that remains.
struct RunPace: Sendable {
  private var remaining = RemainingTime()
  private var done = 0
  private var total: Int
  private var weight: Double
  private var last: TimeInterval

  /// - Parameters:
  ///   - count: the number of photographs and scans of the run.
  ///   - weight: the sum of their weights (`RemainingTime.weight(bytes:)`).
  ///   - now: the present time by a monotonic clock, like all times here.
  init(count: Int, weight: Double, at now: TimeInterval) {
    total = count
    self.weight = weight
    last = now
  }

  /// Counts a photograph that was read.
  /// - Parameter began: the earliest time at which the reading can have begun. If another photograph's reading ended later, that end counts instead.
  mutating func read(weight: Double, since began: TimeInterval, at now: TimeInterval) -> PhotographProgress {
    remaining.note(weight: weight, seconds: max(0, now - max(began, last)))
    last = now
    return passed(weight: weight)
  }

  /// Counts a photograph that needs no reading.
  mutating func passed(weight: Double) -> PhotographProgress {
    done = min(done + 1, total)
    self.weight -= weight
    let secondsLeft = done == total ? 0 : remaining.seconds(for: self.weight)
    return PhotographProgress(done: done, total: total, secondsLeft: secondsLeft)
  }

  /// Removes an item that was counted twice.
  mutating func unite(weight: Double) {
    total = max(total - 1, done)
    self.weight -= weight
  }
}
