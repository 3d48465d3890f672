import FoundationEssentials

/// How far a run over photographs is, and how long the rest takes.
struct RunPace: Sendable {
  private var remaining = RemainingTime()
  private var done = 0
  private var total: Int
  private var weight: Double
  private var last: TimeInterval

  /// - Parameters:
  ///   - count: of photographs and scans.
  ///   - weight: of all of them.
  ///   - now: by a clock that nobody sets, as all times here.
  init(count: Int, weight: Double, at now: TimeInterval) {
    total = count
    self.weight = weight
    last = now
  }

  /// One was read.
  /// - Parameter began: when it could have been begun; another one may have been read since.
  mutating func read(weight: Double, since began: TimeInterval, at now: TimeInterval) -> PhotographProgress {
    remaining.note(weight: weight, seconds: max(0, now - max(began, last)))
    last = now
    return passed(weight: weight)
  }

  /// One needs no reading.
  mutating func passed(weight: Double) -> PhotographProgress {
    done = min(done + 1, total)
    self.weight -= weight
    let secondsLeft = done == total ? 0 : remaining.seconds(for: self.weight)
    return PhotographProgress(done: done, total: total, secondsLeft: secondsLeft)
  }

  /// Two that were counted are one.
  mutating func unite(weight: Double) {
    total = max(total - 1, done)
    self.weight -= weight
  }
}
