import Foundation
import System
import Testing

@testable import Harness

/// The comparison on this machine's own noise, with whatever else runs on it. `REAL_NOISE=1 swift test --filter RealNoise`; takes
/// a minute, so it is not part of the ordinary tests.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["REAL_NOISE"] != nil), .serialized)
struct RealNoiseTests {
  private func time(_ count: Int, _ work: () -> Void) -> [Double] {
    (0..<count).map { _ in Double(ContinuousClock().measure(work).components.attoseconds) / 1e15 }
  }

  /// A few milliseconds of integer work, as long as `amount` says.
  private func work(_ amount: Int) {
    var random = SplitMix64(seed: 1)
    var sum: UInt64 = 0
    for _ in 0..<amount { sum ^= random.next() }
    withExtendedLifetime(sum) {}
  }

  private func row(_ samples: [Double]) -> MetricReport {
    let metric = Measurement.make(samples)
    return MetricJudge(profile: .make(), metrics: [metric]).report(metric)
  }

  @Test func theSameWorkIsUnchangedAndThirtyPercentMoreIsNot() {
    let yardstick = Yardstick.measure()
    let base = row(time(300) { work(60_000) })
    var found: [String] = []
    for _ in 0..<10 {
      let now = Yardstick.measure()
      let comparator = MetricComparator(yardsticks: (yardstick, now))
      let same = comparator.compare(base, row(time(300) { work(60_000) }))
      let more = comparator.compare(base, row(time(300) { work(78_000) }))
      found.append(
        "\(same.verdict) \(Figure.change(same.ratio)) / \(more.verdict) \(Figure.change(more.ratio)), noise \(same.noise)"
      )
      #expect(same.verdict == .unchanged, "\(same.reason)")
      #expect(more.verdict == .regressed, "\(more.reason)")
    }
    print(found.joined(separator: "\n"))
  }
}
