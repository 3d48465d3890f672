import Capture
import Imagery
import Replay
import System
import Testing

@testable import EngineScenarios
@testable import Harness
@testable import Probes

/// The verdict on the log of a moving picture: a correct log passes the limits of the profile `seed`, and each mistake breaks its
/// own limit.
@Suite struct LatencyJudgeTests {
  private struct Shown {
    var number: Int
    var code: UInt32?
    var late = Duration.zero
  }

  private let rig = Rig(viewfinder: "")
  private let subject = MovingSubject(
    simulated: SimulatedSource(
      size: PixelSize(width: 64, height: 64), frameInterval: FrameInterval(framesPerSecond: 50)))

  /// Returns 2.5 s of pictures 20 ms apart, each shown 5 ms after its arrival, and changed by `change`.
  private func play(_ change: (inout [Shown]) -> Void) -> WatchedPlay {
    let origin = MonotonicTime(nanoseconds: 1_000_000_000)
    var shown = (0..<125).map { Shown(number: $0, code: UInt32($0)) }
    change(&shown)
    let log = shown.map { picture in
      let exposure = origin + .milliseconds(20 * picture.number)
      let arrival = exposure + .milliseconds(20)
      return Presentation.example(
        sequence: UInt32(picture.number), exposure: exposure, arrival: arrival,
        presented: arrival + .milliseconds(5) + picture.late, code: picture.code)
    }
    return WatchedPlay(began: origin, ended: origin + .milliseconds(2510), log: log)
  }

  private func glass(_ change: (inout [Shown]) -> Void) throws -> Set<String> {
    let play = play(change)
    return try GlassToGlass(rig: rig).observation(
      LatencyProbe(play.warm, of: subject), play, subject: subject
    ).red()
  }

  @Test func aPromptPreviewPasses() throws {
    #expect(try glass { _ in } == [])
  }

  @Test func whatIsLateUnreadOrNeverShownBreaksItsOwnLimit() throws {
    #expect(
      try glass { for index in $0.indices { $0[index].late = .milliseconds(30) } }
        == ["latency.glass-to-glass", "latency.engine"])
    #expect(try glass { $0.removeSubrange(60..<70) } == ["latency.longest-gap"])
    #expect(try glass { $0[60].code = nil } == ["latency.readable"])
    #expect(
      try glass { $0 = [] }
        == ["latency.glass-to-glass", "latency.engine", "latency.longest-gap", "latency.readable"])
  }

  private func pan(_ change: (inout [Shown]) -> Void) throws -> Set<String> {
    let play = play(change)
    return try Pan(rig: rig).observation(PanProbe(play.warm, of: subject), play, subject: subject).red()
  }

  @Test func aSmoothPanPasses() throws {
    #expect(try pan { _ in } == [])
  }

  @Test func eachStumbleOfAPanBreaksItsOwnLimit() throws {
    #expect(try pan { $0.remove(at: 60) } == ["pan.dropped"])
    #expect(try pan { $0[60].code = 59 } == ["pan.repeated"])
    #expect(try pan { ($0[60].code, $0[61].code) = (61, 60) } == ["pan.reordered"])
    #expect(
      try pan { for index in stride(from: 0, to: 125, by: 2) { $0[index].late = .milliseconds(6) } }
        == ["pan.jitter"])
    #expect(try pan { $0.removeLast(10) } == ["pan.longest-gap"])
    #expect(try pan { $0[60].code = nil } == ["pan.readable"])
    #expect(
      try pan { $0 = [] } == [
        "pan.dropped", "pan.repeated", "pan.reordered", "pan.jitter", "pan.frame-rate", "pan.longest-gap",
        "pan.readable",
      ])
  }

  @Test func theEnginesShareIsJudgedAlone() throws {
    func share(_ change: (inout [Shown]) -> Void) throws -> Set<String> {
      let play = play(change)
      return try EngineShare(rig: rig).observation(
        LatencyProbe(play.warm, of: subject), play, subject: subject
      ).red()
    }
    let id = "latency.engine-1080p30"
    #expect(try share { _ in } == [])
    #expect(try share { for index in $0.indices { $0[index].late = .milliseconds(15) } } == [id])
    #expect(try share { $0.removeSubrange(60..<70) } == ["\(id).longest-gap"])
    #expect(try share { $0[60].code = nil } == ["\(id).readable"])
  }

  @Test func everyOneOfFourCamerasKeepsItsFrames() throws {
    let scenario = FourCameras(rig: rig)
    func red(_ change: (inout [[UInt32]]) -> Void) throws -> Set<String> {
      var shown = [[UInt32]](repeating: Array(15..<120), count: 4)
      change(&shown)
      return try scenario.observation(shown, .seconds(4)).red()
    }
    let id = "latency.four-cameras"
    #expect(try red { _ in } == [])
    #expect(try red { $0[2].remove(at: 50) } == ["\(id).lost"])
    #expect(try red { $0[1] = Array($0[1].prefix(40)) } == ["\(id).shown"])
    #expect(try red { $0.removeLast() } == ["\(id).shown"])
    #expect(try red { $0[0] = [] } == ["\(id).shown"])
  }

  @Test func analysisMustGetEnoughAndTakeNothingFromThePreview() {
    let origin = MonotonicTime(nanoseconds: 0)
    func failed(analysed: Int, shown: Int = 240) -> [String] {
      let times = (0..<analysed).map { origin + .milliseconds(4000 / max(1, analysed) * $0) }
      return AnalysisRate(rig: rig)
        .checks(AnalysisPlay.Counts(analysed: times, shown: shown, delivered: 240), 60)
        .filter { !$0.passed }.map(\.id)
    }
    #expect(failed(analysed: 120) == [])
    #expect(failed(analysed: 50) == ["analysis.60.fed"])
    #expect(failed(analysed: 0) == ["analysis.60.fed"])
    #expect(failed(analysed: 120, shown: 239) == ["analysis.60.preview"])
  }
}
