import Capture
import Imagery
import System
import Testing

@testable import EngineScenarios
@testable import Harness
@testable import Probes

/// Measurements that take turns with a floor: the least work that gives the same result.
@Suite struct FloorTests {
  /// This test checks the rounds, not their times. `scripts/prove-faults` shows that `--fault slow-preview=100` fails the scenario.
  @Test func eachRoundIsOneOfBoth() async throws {
    let frame = try PreviewSubject.television(PixelSize(width: 64, height: 64))
    let outcome = try await onOwnThread {
      try PreviewContest(rig: Rig(viewfinder: ""), rounds: 41).run(frame, isTurned: false)
    }
    #expect(outcome.ours.count == 41 && outcome.floor.count == 41)
    #expect(outcome.ours.allSatisfy { $0 > 0 } && outcome.floor.allSatisfy { $0 > 0 })
  }

  /// Every floor must make the preview's picture; otherwise the two could not be compared. (libyuv's own tables for BT.709 are up
  /// to 18 levels off.)
  @Test func theFloorsMakeThePreviewsPicture() throws {
    let frame = try CodeNoise.picture(
      ImageFormat(
        pixelFormat: .nv12, size: PixelSize(width: 96, height: 150),
        color: ColorDescription(matrix: .bt709, range: .limited)), seed: 3)
    let whole = try PreviewFloor(frame: frame, isTurned: true)
    #expect(whole.draw())
    let ours = try PixelBufferPool().makeBuffer(whole.latest.format)
    try PreviewRenderer().render(frame, orientation: Orientation(rotation: .clockwise90), into: ours)
    #expect(rows(ours).elementsEqual(rows(whole.latest)) { abs(Int($0) - Int($1)) <= 18 })
    for band in [2, 32, 64, 128, 150] {
      let banded = try PreviewFloor(frame: frame, isTurned: true, band: band)
      // Draws twice, once into each of the two surfaces.
      for _ in 0..<2 {
        #expect(banded.draw())
        #expect(rows(banded.latest) == rows(whole.latest), "\(band)")
      }
    }
  }

  private func rows(_ image: PixelBuffer) -> [UInt8] {
    (0..<image.format.size.height).flatMap { row in
      image.planes[0].bytes.dropFirst(row * image.planes[0].bytesPerRow).prefix(image.format.size.width * 4)
    }
  }

  @Test func picturesThatAreNotShownAreLeftOut() async throws {
    let frame = try PreviewSubject.television(PixelSize(width: 64, height: 64))
    let outcome = try await onOwnThread {
      try PreviewContest(rig: Rig(fault: .freezes, viewfinder: ""), rounds: 130).run(frame, isTurned: false)
    }
    #expect(outcome.ours.count == 115)
  }

  @Test func aPictureThatTheFloorCannotDrawIsNoPass() async throws {
    let frame = try PixelBufferPool().makeBuffer(
      ImageFormat(pixelFormat: .yuyv, size: PixelSize(width: 64, height: 64), color: .jpeg))
    await #expect(throws: Unsupported.self) {
      try await onOwnThread {
        _ = try PreviewContest(rig: Rig(viewfinder: ""), rounds: 3).run(frame, isTurned: false)
      }
    }
  }

  @Test func readingIsJudgedRoundByRoundAndNeedsText() {
    func observation(lines: Int, proof: Double = 1.9) -> Observation {
      var outcome = RecognitionOutcome(recognizer: "x")
      outcome.lines = lines
      outcome.ours = [300, 620]
      outcome.floor = [100, 200]
      outcome.proof = proof
      return RecognitionTime(rig: Rig(viewfinder: "")).observation(outcome)
    }
    let sound = observation(lines: 12)
    #expect(
      sound.metrics.map(\.id) == [
        "scan.recognition.ratio", "scan.recognition.time", "scan.recognition-network.time",
      ])
    #expect(sound.metrics[0].samples == [3, 3.1] && sound.metrics[0].kind == .observed)
    #expect(sound.checks.map(\.passed) == [true, true])
    #expect(observation(lines: 0).checks.map(\.passed) == [true, false])
    for blind in [1.0, 4, .nan] {
      #expect(observation(lines: 12, proof: blind).checks.map(\.passed) == [false, true])
    }
  }

  /// Checked with the limits of the built-in profiles.
  @Test(arguments: Profile.builtInNames) func whatTakesTwiceAsLongBreaksTheLimit(name: String) throws {
    let profile = try Profile.load(name)
    for (ratio, isRed) in [(1.1, false), (2.1, true)] {
      let metrics = FloorOutcome(
        floor: [Double](repeating: 1, count: 30), ours: [Double](repeating: ratio, count: 30)
      ).metrics("preview.floor.nv12-1920x1080", of: "x", ours: "ours", floor: "C")
      let verdict = MetricJudge(profile: profile, metrics: metrics).report(metrics[0]).verdict
      #expect(verdict == (isRed ? .fail : .pass))
    }
  }
}
