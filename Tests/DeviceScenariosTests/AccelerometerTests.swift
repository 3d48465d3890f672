import Capture
import Harness
import Imagery
import System
import Testing

@testable import DeviceScenarios
@testable import Probes

/// The verdict on a session while its accelerometer is turned.
@Suite struct AccelerometerTests {
  private func at(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: milliseconds * 1_000_000)
  }

  /// The true turns: one each second, and the sensor reports it within 20 ms.
  private var truth: TiltTruth {
    TiltTruth(
      tilts: Rotation.allCases.enumerated().map { index, held in
        TiltTruth.Tilt(held: held, began: at(Int64(index) * 1000), done: at(Int64(index) * 1000 + 10))
      }, samplingInterval: .milliseconds(20))
  }

  private func picture(
    _ output: String, _ time: Int64, _ held: Rotation, seen: Rotation? = nil
  ) -> TurnedPicture {
    TurnedPicture(
      output: output, exposure: at(time), applied: Orientation(rotation: held),
      seen: Orientation(rotation: seen ?? held))
  }

  /// Returns a log with two frames after each turn on each of the three outputs.
  private func log(_ change: (inout TiltPlay.Log) -> Void) -> TiltPlay.Log {
    var log = TiltPlay.Log()
    log.truth = truth
    for (index, held) in Rotation.allCases.enumerated() {
      for output in TiltPlay.outputs {
        log.pictures += [200, 700].map { picture(output, Int64(index) * 1000 + $0, held) }
      }
    }
    (log.heldWhileGone, log.heldAfterReturn) = (.clockwise90, .clockwise270)
    change(&log)
    return log
  }

  private let scenario = AccelerometerTurns(rig: Rig(viewfinder: ""))

  private func failed(_ change: (inout TiltPlay.Log) -> Void) -> [String] {
    scenario.observation(log(change)).checks.filter { !$0.passed }
      .map { String($0.id.dropFirst("rotation.accelerometer.".count)) }
  }

  @Test func everyPictureTurnedAsItWasHeldPasses() {
    let observation = scenario.observation(log { _ in })
    #expect(!observation.checks.contains { !$0.passed })
    #expect(observation.metrics.first { $0.id == "rotation.accelerometer.wrong-frames" }?.samples == [0])
    #expect(Set(observation.checks.compactMap(\.requirement)) == Set(scenario.requirements))
  }

  @Test func eachMistakeFailsItsOwnCheck() {
    // The first frame after the second turn still has the angle before it: on the preview alone, then on all outputs.
    let stale = picture("preview", 1200, .none)
    #expect(failed { $0.pictures[6] = stale } == ["preview", "agreed"])
    #expect(
      failed { log in
        for output in TiltPlay.outputs { log.pictures.append(self.picture(output, 1900, .none)) }
      } == ["preview", "analysis", "photo"])
    #expect(
      failed { $0.pictures[6] = picture("preview", 1200, .clockwise90, seen: .half) } == ["preview.pixels"])
    #expect(
      failed { $0.pictures.removeAll { $0.applied.rotation == .half } } == ["preview", "analysis", "photo"])
    #expect(failed { $0.failedPhotos = ["no photo"] } == ["photo"])
    #expect(failed { $0.heldWhileGone = Rotation.none } == ["replug"])
    #expect(failed { $0.heldAfterReturn = nil } == ["replug"])
    #expect(failed { $0.pictures = [] } == ["preview", "analysis", "photo", "agreed"])
    let wrong = scenario.observation(log { $0.pictures[6] = stale }).metrics.first?.samples
    #expect(wrong == [1])
  }

  /// The sensor returns with another angle. While it is gone, either angle is correct.
  @Test func picturesAfterTheReturnHaveTheAngleItReturnedWith() {
    var truth = truth
    truth.returned(holding: .clockwise90, turnedAfter: at(5000), known: at(6000))
    // The device is at 270° before the sensor disappears, and at 90° after it returns.
    let (before, after) = (Rotation.clockwise270, Rotation.clockwise90)
    #expect(truth.allowed(at: at(4999)) == [before])
    #expect(truth.allowed(at: at(5000)) == [before, after])
    #expect(truth.allowed(at: at(6019)) == [before, after])
    #expect(truth.allowed(at: at(6020)) == [after])
    func wrong(_ time: Int64, _ held: Rotation) -> Int {
      TiltFindings([picture("preview", time, held)], truth: truth).wrong.count
    }
    #expect(
      [wrong(6100, after), wrong(6100, before), wrong(4900, after), wrong(5500, before)] == [0, 1, 1, 0])
  }
}
