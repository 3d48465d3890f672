import Harness
import Video4Linux

/// ROT-3, LAT-1, HAR-6: the reliability of timestamps and frame numbers.
struct StampsRule: QualificationRule {
  let id = "qualify.stamps"
  let suite = Suite.timing
  let title = "Time stamps and frame numbers"
  let purpose =
    "The angle of a frame and every latency are derived from its time stamp; lost frames show only in the frame numbers."
  let exampleFailure =
    "A driver that stamps the end of the frame one frame ahead: each picture claims to be from the future."
  let requirements: [RequirementID] = ["ROT-3", "LAT-1", "LAT-2", "HAR-6"]
  let survey: ModeSurvey

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    func failing(_ change: (inout ModeProof) -> Void) throws -> [String] {
      var proof = ModeProof.example()
      change(&proof)
      return try Self.judge(ModeSurvey.Survey(streamed: [proof], onlySet: [])).checks.filter { !$0.passed }
        .map(\.id)
    }
    let found = [
      try failing { _ in }, try failing { $0.frames[9].stamp = $0.frames[9].arrival + 40_000_000 },
      try failing { $0.frames[9].sequence = 8 },
    ]
    guard found == [[], ["qualify.stamps.future", "qualify.stamps.order"], ["qualify.stamps.sequence"]] else {
      return .failed("a stamp from the future or a number that repeats was not noticed: \(found)")
    }
    return .passed("a stamp 40 ms ahead and a number that repeats were noticed; a sound stream passed")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    var observation = try Self.judge(try await survey.survey(for: id))
    observation.notes = faultNotes
    return observation
  }

  static func judge(_ survey: ModeSurvey.Survey) throws -> Observation {
    let sound = survey.streamed.filter { $0.flaw == nil }
    guard !sound.isEmpty else {
      throw Unsupported("no mode works, so no stamp can be judged; `qualify.formats` says why")
    }
    let readings = sound.map(StampReading.init)
    let frames = readings.reduce(0) { $0 + $1.frames.count }
    func check(_ id: String, _ title: String, flaws: [String], detail: String) -> Check {
      RuleCheck(id: "qualify.stamps.\(id)", title: title, requirement: "ROT-3")
        .check(flaws: flaws, of: frames, otherwise: detail)
    }
    let edges = Set(readings.flatMap(\.edges)).sorted().joined(separator: " and ")
    var observation = Observation(checks: [
      check(
        "clock", "Every frame has a stamp on the monotonic clock", flaws: readings.compactMap(\.unstamped),
        detail: "\(frames) frames; the stamps mark the \(edges)"),
      check(
        "future", "No stamp is ahead of its frame", flaws: readings.compactMap(\.ahead),
        detail: "none of \(frames)"),
      check(
        "order", "Stamps only grow", flaws: readings.compactMap(\.disorder), detail: "in \(frames) frames"),
      check(
        "sequence", "Frame numbers only grow", flaws: readings.compactMap(\.repeats),
        detail: "in \(frames) frames"),
    ])
    observation.metrics = metrics(readings)
    return observation
  }

  private static func metrics(_ readings: [StampReading]) -> [Measurement] {
    let spread = readings.flatMap(\.spread)
    let timed = [
      Measurement(
        id: "qualify.stamps.spread",
        title:
          "Spread of the delay from time stamp to arrival: distance from its median, in parts of the interval",
        unit: .ratio, level: .buffer, kind: .timed, samples: spread)
    ]
    return [
      Measurement(
        id: "qualify.stamps.lost", title: "Frames lost, by their numbers, a figure per mode",
        unit: .percent,
        level: .buffer, kind: .timed, samples: readings.map(\.lost))
    ] + (spread.isEmpty ? [] : timed)
  }
}

/// The timestamps and numbers of one stream, evaluated.
struct StampReading {
  let mode: CameraMode
  let frames: [ModeProof.FrameNote]
  private let interval: Double?
  /// Tolerance for reading the clocks one after the other, in nanoseconds.
  private static let tolerance: Int64 = 500_000

  init(_ proof: ModeProof) {
    mode = proof.mode
    frames = proof.judged
    interval = proof.interval
  }

  var edges: [String] {
    Set(frames.map(\.edge)).map { $0 == .startOfExposure ? "start of exposure" : "end of the frame" }
  }

  var unstamped: String? {
    let bad = frames.count { $0.stamp == nil || $0.clock != .monotonic }
    return bad == 0 ? nil : "\(mode): \(bad) of \(frames.count) frames have none"
  }

  var ahead: String? {
    let leads = frames.compactMap { note in note.stamp.map { $0 - note.arrival } }.filter {
      $0 > Self.tolerance
    }
    guard let worst = leads.max() else { return nil }
    return "\(mode): \(leads.count) of \(frames.count) stamps lie in the future, by up to \(Self.text(worst))"
  }

  var disorder: String? {
    let stamps = frames.compactMap(\.stamp)
    let back = zip(stamps, stamps.dropFirst()).filter { $1 <= $0 }
    guard let worst = back.map({ $0 - $1 }).max() else { return nil }
    return "\(mode): \(back.count) stamps are not after the one before, by up to \(Self.text(worst))"
  }

  var repeats: String? {
    let steps = steps
    let again = steps.count { $0 == .repeated }
    let back = steps.count { $0 == .restarted }
    guard again + back > 0 else { return nil }
    return "\(mode): of \(frames.count) numbers \(again) repeat the one before and \(back) go back"
  }

  /// Lost frames, in percent of the frames that should have come.
  var lost: Double {
    let lost = steps.reduce(0.0) { sum, step in
      if case .gap(let lost) = step { sum + Double(lost) } else { sum }
    }
    return 100 * lost / (lost + Double(frames.count))
  }

  /// The deviation of each frame's delay from the median, as a share of the interval. Empty without an interval or timestamps.
  var spread: [Double] {
    let lateness = frames.compactMap { note in note.stamp.map { Double(note.arrival - $0) } }
    guard let interval, !lateness.isEmpty else { return [] }
    let median = lateness.sorted()[lateness.count / 2]
    return lateness.map { abs($0 - median) / interval }
  }

  private var steps: [SequenceTracker.Step] {
    var tracker = SequenceTracker()
    return frames.map { tracker.advance(to: $0.sequence) }
  }

  private static func text(_ nanoseconds: Int64) -> String {
    "\((Double(nanoseconds) / 1e5).rounded() / 10) ms"
  }
}
