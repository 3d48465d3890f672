import Capture
import Harness
import Imagery
import Probes
import System

/// ROT-1 to ROT-4 with a real motion source: the kernel's accelerometer, turned while a camera streams.
struct AccelerometerTurns: Scenario {
  let id = "rotation.accelerometer"
  let suite = Suite.device
  let title = "Turned by the accelerometer"
  let purpose =
    "A recording says how it was held; a real device has only a sensor, which reports late, in its own axes, and may disappear."
  let exampleFailure =
    "A viewfinder that asks the sensor when it draws: the last frame from before the turn is shown with the angle after it."
  let requirements: [RequirementID] = ["ROT-1", "ROT-2", "ROT-3", "ROT-4"]
  let rig: Rig

  /// Proves that an angle that comes too early, an angle that comes too late, and an angle within the sensor's interval are distinguished.
  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    func at(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: milliseconds * 1_000_000) }
    let truth = TiltTruth(
      tilts: [
        .init(held: .none, began: at(0), done: at(1)),
        .init(held: .clockwise90, began: at(1000), done: at(1010)),
      ], samplingInterval: .milliseconds(20))
    func wrong(_ time: Int64, _ held: Rotation) -> Int {
      let picture = TurnedPicture(
        output: "", exposure: at(time), applied: Orientation(rotation: held), seen: .upright)
      return TiltFindings([picture], truth: truth).wrong.count
    }
    let seen = [
      wrong(999, .none), wrong(999, .clockwise90), wrong(1029, .none), wrong(1029, .clockwise90),
      wrong(1029, .half), wrong(1031, .none), wrong(1031, .clockwise90),
    ]
    guard seen == [0, 1, 0, 0, 1, 1, 0] else {
      return .failed("angles too early and too late were read as \(seen)")
    }
    return .passed(
      "an angle too early and one too late were found, and one in the sensor's own interval was accepted")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let camera = try LabCamera(rig)
    guard let sensor = try camera.lab.devices().first(where: { $0.kind == "accelerometer" }) else {
      throw Unsupported(
        "this needs the lab's accelerometer; boot the lab with it: `lab/run --accelerometer …`")
    }
    let log = try await TiltPlay(
      camera: camera, sensor: sensor.name, rig: rig, turns: context.duration.turns
    ).run()
    return observation(log)
  }

  func observation(_ log: TiltPlay.Log) -> Observation {
    var observation = Observation(notes: [
      "\(log.truth.tilts.count) turns; after each, the sensor has two of its sampling intervals, \(Int(log.truth.samplingInterval.milliseconds)) ms, to report it."
    ])
    let wrong = TiltFindings(log.pictures, truth: log.truth).wrong.count
    observation.metrics = [
      Measurement(
        id: "rotation.accelerometer.wrong-frames",
        title: "Pictures with another angle than held at their exposure",
        unit: .count, level: .buffer, samples: log.pictures.isEmpty ? [] : [Double(wrong)]),
      Measurement(
        id: "rotation.accelerometer.delay",
        title: "Turned by command → exposure of the first frame turned so",
        unit: .milliseconds, level: .buffer, samples: delays(log)),
    ]
    for output in TiltPlay.outputs {
      observation.checks += checks(output, log)
    }
    observation.checks += [agreementCheck(log), replugCheck(log)]
    return observation
  }

  private func delays(_ log: TiltPlay.Log) -> [Double] {
    let previews = log.pictures.filter { $0.output == "preview" }
    return log.truth.tilts.dropFirst().filter(\.isSeen).compactMap { tilt in
      previews.first { $0.exposure >= tilt.began && $0.applied.rotation == tilt.held }
        .map { ($0.exposure - tilt.done).milliseconds }
    }
  }

  private func checks(_ output: String, _ log: TiltPlay.Log) -> [Check] {
    let findings = TiltFindings(log.pictures.filter { $0.output == output }, truth: log.truth)
    let first = findings.wrong.first.map { picture in
      "; first: \(picture.applied.rotation) where \(log.truth.allowed(at: picture.exposure).map(\.description)) held"
    }
    var checks = [
      Check(
        id: "rotation.accelerometer.\(output)",
        title: "\(output): every picture has the angle that held at its exposure",
        passed: findings.wrong.isEmpty && findings.angles.count == 4
          && (output != "photo" || log.failedPhotos.isEmpty),
        subjects: findings.subjects,
        detail:
          "\(findings.subjects) pictures at \(findings.angles.count) angles, \(findings.wrong.count) wrong"
          + (first ?? "") + (output == "photo" ? log.failedPhotos.first.map { "; \($0)" } ?? "" : ""),
        requirement: "ROT-3")
    ]
    // The pictures of another camera have no time-code.
    if findings.read > 0 {
      checks.append(
        Check(
          id: "rotation.accelerometer.\(output).pixels",
          title: "\(output): its pixels are turned by the angle it states",
          passed: findings.untrue == 0 && findings.read == findings.subjects, subjects: findings.subjects,
          detail: "\(findings.read) of \(findings.subjects) read, \(findings.untrue) turned otherwise",
          requirement: "ROT-2"))
    }
    return checks
  }

  /// Checks that all outputs of a frame have the same angle, since the engine decides the angle in one place.
  private func agreementCheck(_ log: TiltPlay.Log) -> Check {
    let (frames, disagreed) = log.pictures.shared
    return Check(
      id: "rotation.accelerometer.agreed",
      title: "Outputs that got the same frame turned it by the same angle",
      passed: disagreed == 0, subjects: frames,
      detail: "\(disagreed) of \(frames) frames were turned differently", requirement: "ROT-1")
  }

  private func replugCheck(_ log: TiltPlay.Log) -> Check {
    Check(
      id: "rotation.accelerometer.replug",
      title:
        "When the sensor disappears, the last angle stays and the loss is reported; when it is back, it "
        + "is followed again",
      passed: log.heldWhileGone == .clockwise90 && log.heldAfterReturn == .clockwise270, subjects: 1,
      detail: "\(log.heldWhileGone?.description ?? "no angle") while it was gone, "
        + "\(log.heldAfterReturn?.description ?? "no angle") after it was turned unseen and came back; "
        + log.states.map { "\($0)" }.joined(separator: ", "), requirement: "ROT-4")
  }
}

extension RunDuration {
  fileprivate var turns: Int {
    switch self {
    case .turn, .short: 12
    case .full: 60
    case .soak: 1200
    }
  }
}
