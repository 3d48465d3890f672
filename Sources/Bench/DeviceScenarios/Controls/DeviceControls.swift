import Capture
import Harness
import Probes
import System

/// CTL-2, CTL-3 on a real driver: `uvcvideo` and a camera whose controls are faulty on purpose.
struct DeviceControls: Scenario {
  let id = "device.controls"
  let suite = Suite.device
  let title = "Controls of a USB camera, honest and broken"
  let purpose =
    "Webcams ignore, clamp and forget values that are set; the number on the screen must be the camera's."
  let exampleFailure = "A session that shows 1/50 s for a webcam whose firmware ended at 1/66 s."
  let requirements: [RequirementID] = ["CTL-2", "CTL-3"]
  let rig: Rig

  /// The controls of a USB camera of the lab, by the engine's names.
  static let expected: [CameraControl] = [
    .exposureMode, .exposureDuration, .iso, .frameRateMayFall, .whiteBalanceMode, .whiteBalanceTemperature,
    .focusMode,
    .lensPosition, .zoom, .pan, .tilt, .redGain, .blueGain, .backlightCompensation, .powerLineFrequency,
    .brightness, .contrast, .saturation, .hue,
    .gamma, .sharpness,
  ]

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    func outcome(
      _ fault: ControlOutcome.Fault, _ told: Double, result: CameraControlResult, expected: Double
    ) -> ControlOutcome {
      ControlOutcome(
        control: .zoom, fault: fault, wanted: .number(3), before: .number(1.5), expected: .number(expected),
        result: result,
        told: .number(told))
    }
    let clamped = CameraControlResult(.zoom, wanted: .number(3), took: .number(2), note: .clamped)
    let lying = CameraControlResult(.zoom, wanted: .number(3), took: .number(3))
    let refused = CameraControlResult(
      .zoom, wanted: .number(3), refusal: "zoom was not set: input/output error")
    guard outcome(.clamp, 2, result: clamped, expected: 2).complaint == nil,
      outcome(.clamp, 3, result: lying, expected: 2).complaint != nil,
      outcome(.clamp, 2, result: lying, expected: 2).complaint != nil,
      outcome(.refuse, 1.5, result: refused, expected: 1.5).complaint == nil,
      outcome(.refuse, 1.5, result: lying, expected: 1.5).complaint != nil
    else { return .failed("a value that the device did not take was accepted as taken") }
    return .passed(
      "a clamped or refused value passes if it is reported, and fails if the wish is reported")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let (lab, rig) = (try DeviceLab(), rig)
    let node = try await onOwnThread {
      try LabNode.first(lab, rig, wanted: NodeWish("USB camera") { $0.isUSB })
    }
    let source = try rig.source(at: "\(node.path)?format=YUYV&size=640x360")
    let trial = ControlsTrial(lab: lab, device: node.name, source: source)
    let session = try await trial.session()
    var observation = Observation(notes: ["On \(node.name), \(node.path)."])
    let found: [Check] = try await session.ending {
      var checks = [Self.offered(await session.controls.capabilities)]
      checks += try await trial.outcomes(session).map(\.check)
      checks.append(try await changed(session, trial))
      checks.append(try await followed(session, trial))
      return checks
    }
    observation.checks = found + [try await restarted(trial)]
    return observation
  }

  static func offered(_ capabilities: [CameraControlCapability]) -> Check {
    let there = Set(capabilities.filter(\.isPresent).map(\.control))
    let missing = expected.filter { !there.contains($0) }
    return Check(
      id: "device.controls.offered", title: "Every control that the driver maps has its name",
      passed: missing.isEmpty,
      subjects: capabilities.count,
      detail: missing.isEmpty
        ? "\(there.count) controls" : "missing: \(missing.map(\.rawValue).joined(separator: ", "))",
      requirement: "CTL-2")
  }

  /// Checks a change that the device makes by itself, as if somebody had turned its ring.
  private func changed(_ session: CaptureSession, _ trial: ControlsTrial) async throws -> Check {
    try await trial.command("control", "pan-tilt", "value", "108000")
    let began = MonotonicTime.now()
    var took: Double?
    while took == nil, MonotonicTime.now() - began < .seconds(5) {
      if await session.controls.values[.pan] == .number(30) {
        took = (MonotonicTime.now() - began).milliseconds
      }
      try await Task.sleep(for: .milliseconds(10))
    }
    return Check(
      id: "device.controls.changed",
      title: "Values that the device changes by itself are reported within 0.5 s",
      passed: took.map { $0 <= 500 } ?? false, subjects: 1,
      detail: took.map { "after \(Int($0)) ms" } ?? "not in 5 s", requirement: "CTL-2",
      missedBy: took.map { $0 - 500 })
  }

  /// Checks that the brightness of the pictures recovers when the light falls under shutter priority.
  private func followed(_ session: CaptureSession, _ trial: ControlsTrial) async throws -> Check {
    // Sets the light so that an exposure of half a frame interval needs a gain in the middle of the gain's range.
    try await trial.command("light", "-2")
    _ = await session.enableShutterPriority()
    try await Task.sleep(for: .seconds(3))
    let (before, held) = (trial.brightness, await session.controls.values[.exposureDuration])
    try await trial.command("light", "-3.5")
    try await Task.sleep(for: .seconds(3))
    let (after, kept) = (trial.brightness, await session.controls.values[.exposureDuration])
    try await trial.command("light", "0")
    _ = await session.disableShutterPriority()
    return Self.followed(before: before, after: after, isHeld: held != nil && held == kept)
  }

  static func followed(before: Double?, after: Double?, isHeld: Bool) -> Check {
    // An error of a sixth of an EV changes the code by 5.4 %, with the lab camera's gamma of 1/2.2.
    let isBack = before.flatMap { before in after.map { abs($0 / before - 1) < 0.06 } } ?? false
    return Check(
      id: "device.controls.shutter-priority",
      title: "Under shutter priority the gain follows the light, and the time stays",
      passed: isBack && isHeld, subjects: 1,
      detail:
        "mean luma \(before ?? .nan) before, \(after ?? .nan) in a scene 1.5 EV darker; the time \(isHeld ? "stayed" : "changed")",
      requirement: "CTL-3")
  }

  /// Checks a driver that falls back to manual exposure at each start of its stream.
  private func restarted(_ trial: ControlsTrial) async throws -> Check {
    try await trial.command("control", "exposure-mode", "reset", "1")
    let session = try await trial.session()
    let state = try await session.ending {
      try await Task.sleep(for: .seconds(1))
      return await session.controls
    }
    try await trial.command("control", "exposure-mode", "honest")
    let mode = state.values[.exposureMode]
    return Check(
      id: "device.controls.restarted",
      title: "Automatic exposure that is dropped at the start is set again, and this is reported",
      passed: mode != nil && mode != .choice("manual") && !state.findings.isEmpty, subjects: 1,
      detail: "\(mode.map { "\($0)" } ?? "no mode"); \(state.findings.last ?? "nothing was reported")",
      requirement: "CTL-2")
  }
}
