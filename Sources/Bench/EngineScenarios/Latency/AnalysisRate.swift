import Capture
import Harness
import Imagery
import Probes
import Replay
import System

/// LAT-4: the rate of the pictures that analysis gets.
struct AnalysisRate: Scenario {
  let id = "latency.analysis"
  let suite = Suite.latency
  let title = "Pictures for analysis"
  let purpose =
    "Analysis of more than 30 pictures a second heats the device and takes the processor from the preview; the preview keeps them all."
  let exampleFailure =
    "A limiter that lets a picture through once 30 ms have passed: 33 a second from a camera of 100."
  let requirements: [RequirementID] = ["LAT-4"]
  private let rig: Rig

  init(rig: Rig) { self.rig = rig }

  /// Frame rates of the simulated cameras, in frames per second.
  private static let rates = [25, 30, 50, 60, 100, 120]
  private static let watched = Duration.seconds(4)

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let origin = MonotonicTime(nanoseconds: 0)
    func most(_ interval: Int, _ count: Int) -> Int {
      Self.mostInASecond((0..<count).map { origin + .milliseconds(interval * $0) })
    }
    guard most(20, 200) == 50, most(40, 100) == 25, most(20, 7) == 7, Self.mostInASecond([]) == 0 else {
      return .failed("50, 25 and 7 pictures a second were read otherwise")
    }
    let twice = try await AnalysisPlay(rig: Rig(fault: .feedsTwice, viewfinder: ""), framesPerSecond: 60)
      .counts(for: .seconds(2))
    guard Self.mostInASecond(twice.analysed) > 30 else {
      return .failed("twice as many pictures as allowed were read as \(twice.analysed.count) in 2 s")
    }
    return .passed(
      "50, 25 and 7 pictures a second were read as that, and of a camera of 60 handed on twice "
        + "\(Self.mostInASecond(twice.analysed))")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    var observation = Observation(
      notes: [
        "Virtual time: cameras of \(Self.rates.map(String.init).joined(separator: ", ")) frames a second."
      ])
    for rate in Self.rates {
      let counts = try await AnalysisPlay(rig: rig, framesPerSecond: rate).counts(for: Self.watched)
      observation.metrics.append(
        Measurement(
          id: "analysis.\(rate).most",
          title: "Most pictures handed to analysis in any second, from a camera of \(rate) fps",
          unit: .count, level: .synthetic, kind: .exact,
          samples: counts.analysed.isEmpty ? [] : [Double(Self.mostInASecond(counts.analysed))]))
      observation.checks += checks(counts, rate)
    }
    return observation
  }

  func checks(_ counts: AnalysisPlay.Counts, _ rate: Int) -> [Check] {
    let least = min(20, rate) * Int(Self.watched / .seconds(1))
    return [
      Check(
        id: "analysis.\(rate).fed", title: "Analysis gets enough pictures from a camera of \(rate) fps",
        passed: counts.analysed.count >= least - 1, subjects: counts.delivered,
        detail: "\(counts.analysed.count) of \(counts.delivered) in \(Self.watched.milliseconds / 1000) s",
        requirement: "LAT-4"),
      Check(
        id: "analysis.\(rate).preview", title: "The preview shows every picture of a camera of \(rate) fps",
        passed: counts.shown == counts.delivered, subjects: counts.delivered,
        detail: "\(counts.shown) of \(counts.delivered) shown", requirement: "LAT-4"),
    ]
  }

  /// Returns the most pictures in any second, starting at any picture. The second is a millisecond shorter, to allow for the rounding of 30 intervals
  /// of a thirtieth.
  static func mostInASecond(_ times: [MonotonicTime]) -> Int {
    times.indices.map { first in
      times[first...].prefix { $0 - times[first] < .milliseconds(999) }.count
    }.max() ?? 0
  }
}

/// A play that counts the pictures of a simulated camera, in virtual time.
struct AnalysisPlay {
  struct Counts: Sendable {
    /// Exposure times of the pictures that analysis got.
    var analysed: [MonotonicTime]
    var shown: Int
    /// Number of frames from the camera.
    var delivered: Int
  }

  let rig: Rig
  let framesPerSecond: Int

  func counts(for duration: Duration) async throws -> Counts {
    let clock = VirtualClock()
    let source = SimulatedSource(
      size: PixelSize(width: 128, height: 96), frameInterval: FrameInterval(framesPerSecond: framesPerSecond),
      frameLimit: framesPerSecond * Int(duration / .seconds(1)))
    let play = await Play(
      source: rig.broken(source), chart: nil, size: source.size, interval: source.frameInterval.duration,
      rig: rig, clock: clock)
    let analysed = Collected<MonotonicTime>()
    await play.session.add(rig.makeAnalysisOutput(clock: clock) { analysed.add($0.frame.exposureTime) })
    try await play.session.start()
    // Longer than the frames take, for frames that a fault delays.
    await clock.run(for: duration + .seconds(1))
    try Task.checkCancellation()
    await play.stop()
    return Counts(
      analysed: analysed.all.sorted(), shown: play.log.count, delivered: source.frameLimit ?? 0)
  }
}
