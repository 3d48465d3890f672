import Harness

/// LAT-2, HAR-6: the frame rate and jitter that the device delivers, compared with the interval that was set.
struct PaceRule: QualificationRule {
  let id = "qualify.pace"
  let suite = Suite.timing
  let title = "Frame rate really reached"
  let purpose =
    "A camera that claims 30 frames a second and delivers 15 makes every pan jump, and does not say so."
  let exampleFailure = "A driver that accepts every frame interval and keeps the old one."
  let requirements: [RequirementID] = ["LAT-2", "CTL-8", "HAR-6"]
  let survey: ModeSurvey

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    var slow = ModeProof.example()
    for index in slow.frames.indices { slow.frames[index].arrival += Int64(index) * 20_000_000 }
    let (right, wrong) = (Pace(of: .example()), Pace(of: slow))
    guard let right, let wrong, right.error < 0.01, abs(wrong.error - 100) < 0.01 else {
      return .failed("a stream at half its rate was read as one that keeps it")
    }
    return .passed("a stream that keeps its interval was 0 % off, one at half its rate 100 %")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    var observation = try Self.judge(try await survey.survey(for: id))
    observation.notes = faultNotes + observation.notes
    return observation
  }

  static func judge(_ survey: ModeSurvey.Survey) throws -> Observation {
    let paces = survey.streamed.filter { $0.flaw == nil }.compactMap { proof in
      Pace(of: proof).map { (mode: proof.mode, pace: $0) }
    }
    guard !paces.isEmpty else {
      throw Unsupported("no mode that works has a frame interval to compare with; see `qualify.formats`")
    }
    let table = paces.map { "\($0.mode): \($0.pace)" }.joined(separator: "\n")
    return Observation(
      metrics: [
        Measurement(
          id: "qualify.pace.error",
          title: "How far the frame interval is from the one set, a figure per mode",
          unit: .percent,
          level: .buffer, kind: .timed, samples: paces.map(\.pace.error)),
        Measurement(
          id: "qualify.pace.jitter",
          title: "Jitter: distance of each interval from the interval that was set, as a share of it",
          unit: .ratio, level: .buffer, kind: .timed, samples: paces.flatMap(\.pace.jitter)),
        Measurement(
          id: "qualify.pace.rate", title: "Frames a second, a figure per mode", unit: .framesPerSecond,
          polarity: .higherIsBetter, level: .buffer, samples: paces.map(\.pace.rate)),
      ], evidence: [.text("Mode by mode", table)],
      notes: ["Measured when buffers are taken from the driver, before decoding."])
  }
}

/// The frame intervals of one stream.
struct Pace: CustomStringConvertible {
  /// The time at which each frame was dequeued, in milliseconds.
  private let arrivals: [Double]
  private let interval: Double

  /// - Returns: nil if the stream has no interval, or too few frames.
  init?(of proof: ModeProof) {
    guard let interval = proof.interval, proof.judged.count > 2 else { return nil }
    self.interval = interval / 1e6
    arrivals = proof.judged.map { Double($0.arrival) / 1e6 }
  }

  /// The Theil-Sen slope, the median over all pairs of frames: a few late frames do not change it.
  private var typical: Double {
    let slopes = arrivals.indices.flatMap { first in
      arrivals.indices[(first + 1)...].map { (arrivals[$0] - arrivals[first]) / Double($0 - first) }
    }
    return slopes.sorted()[slopes.count / 2]
  }
  /// The error of the typical interval, in percent of the interval set.
  var error: Double { abs(typical / interval - 1) * 100 }
  var rate: Double { 1000 / typical }
  /// The error of each step as a share of the interval: 0 for an exact step, 1 for a step that is an interval off.
  var jitter: [Double] {
    zip(arrivals, arrivals.dropFirst()).map { abs($1 - $0 - interval) / interval }
  }

  var description: String {
    let worst = jitter.max() ?? 0
    return "\((rate * 100).rounded() / 100) fps of \((100_000 / interval).rounded() / 100), "
      + "worst step \((worst * 100).rounded()) % off"
  }
}
