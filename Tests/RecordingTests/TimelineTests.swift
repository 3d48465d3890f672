import Imagery
import System
import Testing

@testable import Recording

/// The timelines of recordings, from good and bad camera clocks.
@Suite struct TimelineTests {
  private static let interval: Int64 = 33_000_000

  private func times(_ stamps: [Int64]) -> (times: [Int64], jumps: Int) {
    var timeline = RecordingTimeline(interval: Self.interval)
    let times = stamps.map { timeline.time(of: MonotonicTime(nanoseconds: $0)) }
    return (times, timeline.jumps)
  }

  @Test func aSoundClockIsKeptToTheNanosecond() {
    let stamps: [Int64] = [7_000_000_000, 7_033_000_001, 7_070_000_000, 12_000_000_000, 1_000_000_000_000]
    let found = times(stamps)
    #expect(found.times == stamps.map { $0 - 7_000_000_000 } && found.jumps == 0)
  }

  @Test func aSlipIsAMicrosecond() {
    let found = times([50, 33_000_050, 33_000_050, 20_000_050, 66_000_050])
    #expect(found.times == [0, 33_000_000, 33_001_000, 33_002_000, 66_000_000] && found.jumps == 0)
  }

  /// A permanent step back of less than a second is not taken for a single wrong stamp, because the next frame confirms the step.
  @Test(arguments: [-900, -500, -70] as [Int64]) func aSmallStepIsNoSlip(_ step: Int64) {
    let found = times((0..<300).map { $0 * Self.interval + ($0 < 60 ? 0 : step * 1_000_000) })
    #expect(found.times.last == 299 * Self.interval && found.jumps == 1)
    #expect(zip(found.times, found.times.dropFirst()).filter { $1 - $0 < 1_000_000 }.count == 1)
  }

  /// The camera reports a step of its clock, while its exposure times stay continuous or jump by three seconds.
  @Test(arguments: [0, -3_000_000_000, 3_000_000_000] as [Int64]) func aStepThatTheCameraTellsOfIsTakenOut(
    _ rest: Int64
  ) throws {
    let frames = Frames()
    var timeline = RecordingTimeline(interval: Self.interval)
    let times = try (0..<300).map { number in
      let frame = try frames.frame(number)
      let isAfter = number >= 60
      return timeline.time(
        of: Frame(
          image: frame.image, sequence: frame.sequence,
          exposureTime: frame.exposureTime.advanced(by: .nanoseconds(isAfter ? rest : 0)),
          exposureEdge: .startOfExposure, arrivalTime: frame.arrivalTime, orientation: .upright,
          clockSteps: isAfter ? 4 : 3))
    }
    #expect(times == (0..<300).map { $0 * Self.interval } && timeline.jumps == 1)
  }

  /// A driver restarts its clock. The frames after the restart keep their intervals.
  @Test func aClockThatGoesBackGoesOn() {
    let hour: Int64 = 3_600_000_000_000
    let found = times([hour, hour + Self.interval, 5, 5 + Self.interval, 5 + 2 * Self.interval])
    #expect(found.times == (0..<5).map { $0 * Self.interval } && found.jumps == 1)
  }

  @Test func aGapIsNeverLongerThanAFileCanHold() {
    let day: Int64 = 86_400_000_000_000
    let found = times([0, Self.interval, day, day + Self.interval])
    let longest = RecordingTimeline.longestStep
    #expect(found.times == [0, Self.interval, Self.interval + longest, 2 * Self.interval + longest])
    #expect(found.jumps == 1 && longest / 1000 < Int64(Int32.max))
  }

  @Test func noStampIsTooStrange() {
    let found = times([.max, .min, 0, .max, -1, .min])
    #expect(zip(found.times, found.times.dropFirst()).allSatisfy { $0 < $1 } && found.jumps >= 4)
  }
}
