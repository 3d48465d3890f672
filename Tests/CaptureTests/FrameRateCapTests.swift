import Imagery
import System
import Testing

@testable import Capture

/// LAT-4: never more than 30 frames a second. If the camera delivers no more than that, every frame passes.
@Suite struct FrameRateCapTests {
  /// Returns the exposure times of a camera's frames in nanoseconds, with a reproducible jitter of up to `jitter` milliseconds.
  private func times(_ rate: Double, seconds: Double, jitter: Double = 0, from start: Double = 5) -> [Int64] {
    var state: UInt64 = 42
    return (0..<Int(rate * seconds)).map { number in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let chance = Double(state >> 11) / Double(1 << 53) * 2 - 1
      return Int64((start + Double(number) / rate + chance * jitter / 1000) * 1e9)
    }.sorted()
  }

  private func passed(_ times: [Int64], limit: Int = 30) -> [Int64] {
    var cap = FrameRateCap(limit: limit)
    return times.filter { cap.passes(MonotonicTime(nanoseconds: $0)) }
  }

  /// Returns the greatest number of frames in any second.
  private func most(_ times: [Int64]) -> Int {
    times.indices.map { first in times[first...].prefix { $0 < times[first] + 1_000_000_000 }.count }.max()
      ?? 0
  }

  @Test(arguments: [31, 33, 50, 59.94, 60, 75, 90, 100, 120, 144, 240], [0, 1, 4])
  func aFasterCameraIsHeldToTheLimitInEverySecond(rate: Double, jitter: Double) {
    let passed = passed(times(rate, seconds: 20, jitter: jitter))
    #expect(most(passed) <= 30)
    #expect(passed.count <= 600)
    #expect(passed.count >= (jitter == 0 ? 595 : 565), "nearly 30 a second are left")
  }

  @Test(arguments: [1, 7.5, 15, 23.976, 24, 25, 29.97, 30], [0, 1, 4, 8])
  func aCameraOfNoMoreLosesNothingToJitter(rate: Double, jitter: Double) {
    let offered = times(rate, seconds: 120, jitter: jitter)
    #expect(passed(offered) == offered)
  }

  /// A camera slightly faster than 30 frames a second looks like jitter at first. Over time the cap must still hold.
  @Test(arguments: [30.02, 30.1, 30.3]) func jitterDoesNotAddUp(rate: Double) {
    let passed = passed(times(rate, seconds: 300, jitter: 0.5))
    #expect(passed.count <= 9001 && passed.count >= 8990)
  }

  @Test func whatWasMissedInAGapIsNotMadeUpFor() {
    let offered =
      times(100, seconds: 3) + times(100, seconds: 3, from: 20) + times(25, seconds: 3, from: 23.01)
      + times(100, seconds: 3, from: 26.01)
    let passed = passed(offered)
    #expect(most(passed) <= 30)
    #expect((330...347).contains(passed.count))
  }

  @Test func aTimeLineThatBeginsAnewIsFollowed() {
    let again = times(30, seconds: 2, from: 1)
    let passed = passed(times(30, seconds: 2, from: 50) + again)
    #expect(passed.count == 120 && passed.suffix(60) == again[...])
  }

  /// If a driver repeats stamps or steps back in time, the cap does not pass more frames.
  @Test func stampsThatStepBackPassNothing() {
    let offered = times(30, seconds: 4).flatMap { [$0, $0, $0 - 3_000_000] }
    #expect(most(passed(offered)) <= 31)
  }

  @Test(arguments: [1, 5, 10, 29]) func otherLimitsHoldAsWell(limit: Int) {
    let passed = passed(times(100, seconds: 20, jitter: 1), limit: limit)
    #expect(most(passed) <= limit && passed.count >= limit * 19)
  }
}
