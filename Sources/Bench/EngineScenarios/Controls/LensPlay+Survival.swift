import Capture
import Harness
import Imagery
import Probes
import Replay
import System

/// Checks that settings survive a change of lens or format.
extension LensPlay {
  /// Checks that settings survive a change of lens, each read from the device.
  func survivals() async throws -> [Check] {
    let wishes: [(name: String, values: [(control: CameraControl, value: CameraControlValue)])] = [
      ("bias", [(.exposureBias, .number(1))]),
      (
        "manual",
        [(.exposureMode, .choice("manual")), (.exposureDuration, .number(0.01)), (.iso, .number(400))]
      ),
      ("white-balance", [(.whiteBalanceMode, .choice("manual")), (.whiteBalanceTemperature, .number(3200))]),
      ("stabilization", [(.stabilization, .flag(true))]),
      ("zoom", [(.zoom, .number(2))]),
    ]
    var checks: [Check] = []
    for wish in wishes { checks.append(try await survival(wish.name, wish.values)) }
    return checks + [try await reformatted(), try await recorded()]
  }

  /// Checks another frame rate of the same lens, whose driver forgets settings at each start of its stream.
  private func reformatted() async throws -> Check {
    var source = lens("Wide")
    source.rates.append(FrameInterval(framesPerSecond: 25))
    source.model.lies[.stabilization] = .resets(.flag(false))
    let play = await SensorPlay(source, rig: rig)
    let after = try await play.session.ending {
      try await play.session.start()
      try await play.run(.seconds(1))
      _ = await play.session.set(.stabilization, to: .flag(true))
      try await play.run(.seconds(1))
      try await play.session.configure { setup in
        setup.configuration.chooseFormat = { $0.first { $0.frameInterval.denominator == 25 } }
      }
      try await play.run(.seconds(1))
      return await play.session.controls
    }
    let kept = after.values[.stabilization]
    return Check(
      id: "controls.lenses.format",
      title: "Another frame rate keeps what was set, though the driver forgets it",
      passed: kept == .flag(true) && !after.findings.isEmpty, subjects: 1,
      detail:
        "stabilization is \(kept.map { "\($0)" } ?? "unknown"); \(after.findings.last ?? "nothing was reported")",
      requirement: "CTL-6")
  }

  /// Checks that a recording under shutter priority continues through a change of lens and of light.
  private func recorded() async throws -> Check {
    let play = await SensorPlay(lens("Wide"), rig: rig)
    return try await play.session.ending {
      try await play.session.start()
      try await play.run(.seconds(1))
      _ = await play.session.enableShutterPriority()
      try await play.run(.seconds(2))
      _ = await play.session.lockForRecording()
      let before = await play.session.controls.shutterPriority
      try await play.change(to: lens("Tele"))
      try await play.run(.seconds(1))
      let time = play.clock.now()
      play.scene.setLight(8.5, at: time)
      try await play.run(.seconds(1))
      let held = Set(play.exposed(after: time).map { "\($0.duration) s, ISO \($0.iso)" })
      let after = await play.session.controls.shutterPriority
      return Check(
        id: "controls.lenses.recording", title: "A recording's exposure is held across a change of lens",
        passed: held.count == 1 && before != nil && before?.iso == after?.iso && after?.isFrozen == true,
        subjects: 1,
        detail:
          "\(held.sorted().joined(separator: "; ")); ISO \(before?.iso ?? .nan) before, \(after?.iso ?? .nan) after",
        requirement: "CTL-3")
    }
  }

  private func survival(
    _ name: String, _ values: [(control: CameraControl, value: CameraControlValue)]
  ) async throws -> Check {
    let play = await SensorPlay(lens("Wide"), rig: rig)
    let after = try await play.session.ending {
      try await play.session.start()
      try await play.run(.seconds(1))
      _ = await play.session.set(values)
      try await play.run(.seconds(1))
      try await play.change(to: lens("Tele"))
      try await play.run(.seconds(2))
      return await play.session.controls
    }
    let lost = values.filter { after.values[$0.control] != $0.value }
    return Check(
      id: "controls.lenses.\(name)", title: "Another lens keeps what was set: \(name)", passed: lost.isEmpty,
      subjects: values.count,
      detail: lost.isEmpty
        ? "\(values.count) values as before"
        : lost.map {
          "\($0.control) is \(after.values[$0.control].map { "\($0)" } ?? "unknown"), not \($0.value)"
        }
        .joined(separator: "; "), requirement: "CTL-7")
  }
}
