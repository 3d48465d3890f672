import Capture
import Glibc
import Harness
import Imagery
import Probes
import Replay
import System

/// Checks of exposure beyond its values: modes, locks, angles, light.
extension ValuePlay {
  func exposure() async throws -> [Check] {
    [
      try await verified(), try await locked(), try await followed(), try await biased(), try await angled(),
      try await lit(),
    ] + (try await recorded())
  }

  private func check(
    _ name: String, _ title: String, requirement: RequirementID, passed: Bool, detail: String
  ) -> Check {
    Check(
      id: "controls.values.\(name)", title: title, passed: passed, subjects: 1, detail: detail,
      requirement: requirement)
  }

  private func playing<Value: Sendable>(
    _ source: SensorSource, _ body: @escaping @Sendable (SensorPlay) async throws -> Value
  ) async throws -> Value {
    let play = await SensorPlay(source, rig: rig)
    return try await play.session.ending {
      try await play.session.start()
      try await play.run(.seconds(1))
      return try await body(play)
    }
  }

  /// Checks a driver that falls back to manual exposure when its stream starts.
  private func verified() async throws -> Check {
    let source = SensorSource(framesPerSecond: 30) { $0.lies[.exposureMode] = .resets(.choice("manual")) }
    return try await playing(source) { play in
      // Subscribes to the controls, as a page does that shows the exposure.
      _ = await play.session.controlStates()
      try await play.run(.seconds(1))
      let state = await play.session.controls
      let offset = play.truth.frames.last?.offset ?? .nan
      return check(
        "verified",
        "Automatic exposure that a driver dropped at its start is set again, and this is reported",
        requirement: "CTL-2",
        passed: state.values[.exposureMode] == .choice("auto") && abs(offset) < 0.2
          && !state.findings.isEmpty,
        detail:
          "\(state.values[.exposureMode].map { "\($0)" } ?? "no mode"), \(offset) EV off; \(state.findings.last ?? "nothing was reported")"
      )
    }
  }

  private func locked() async throws -> Check {
    try await playing(SensorSource(framesPerSecond: 30)) { play in
      _ = await play.session.lockExposure()
      try await play.run(.milliseconds(200))
      let before = play.truth.frames.last
      play.scene.setLight(13, at: play.clock.now())
      try await play.run(.seconds(1))
      let after = play.truth.frames.last
      return check(
        "locked", "A locked exposure stays when the light changes", requirement: "CTL-2",
        passed: before != nil && before?.duration == after?.duration && before?.iso == after?.iso
          && (after?.offset ?? 0) > 2,
        detail:
          "\(before?.duration ?? .nan) s and ISO \(before?.iso ?? .nan) before, \(after?.duration ?? .nan) s and ISO \(after?.iso ?? .nan) after"
      )
    }
  }

  /// Checks that changes that the device makes by itself are reported within half a second.
  private func followed() async throws -> Check {
    try await playing(SensorSource(framesPerSecond: 30)) { play in
      _ = await play.session.controlStates()
      play.scene.setLight(5, at: play.clock.now())
      try await play.run(.seconds(2))
      let settled = play.truth.frames.last
      try await play.run(.milliseconds(500))
      let told = await play.session.controls.values
      let (time, iso) = (told[.exposureDuration]?.number ?? .nan, told[.iso]?.number ?? .nan)
      return check(
        "followed", "Values that the device changes by itself are reported", requirement: "CTL-2",
        passed: abs(time / (settled?.duration ?? .nan) - 1) < 0.05
          && abs(iso / (settled?.iso ?? .nan) - 1) < 0.05,
        detail:
          "\(time) s and ISO \(iso) reported, \(settled?.duration ?? .nan) s and ISO \(settled?.iso ?? .nan) used"
      )
    }
  }

  private func biased() async throws -> Check {
    try await playing(SensorSource(framesPerSecond: 30)) { play in
      try await play.run(.seconds(1))
      let before = play.truth.frames.last?.level ?? .nan
      let answer = await play.session.set(.exposureBias, to: .number(1))
      try await play.run(.seconds(2))
      let after = play.truth.frames.last?.level ?? .nan
      let told = await play.session.controls.values[.exposureBias]
      _ = await play.session.set([(.exposureMode, .choice("manual"))])
      let refused = await play.session.set(.exposureBias, to: .number(0.5))
      return check(
        "bias",
        "One EV of bias doubles the light and is reported; a bias is refused, with the reason, while the "
          + "exposure is manual",
        requirement: "CTL-1",
        passed: answer.took == .number(1) && told == .number(1) && abs(log2(after / before) - 1) < 0.15
          && refused.refusal != nil,
        detail:
          "\(log2(after / before)) EV brighter, \(told.map { "\($0)" } ?? "nothing") told; \(refused.refusal ?? "not refused while manual")"
      )
    }
  }

  /// Checks that a shutter angle is an exposure time as a share of the frame interval, from 1.1° to 360°.
  private func angled() async throws -> Check {
    try await playing(SensorSource(framesPerSecond: 25)) { play in
      var wrong: [String] = []
      for (asked, degrees) in [(180.0, 180.0), (90, 90), (0.5, 1.1), (400, 360)] {
        let answer = await play.session.set(.shutterAngle, to: .number(asked))
        try await play.run(.milliseconds(500))
        let (wanted, done) = (degrees / 360 / 25, play.truth.frames.last?.duration ?? .nan)
        // The sensor's unit is 100 µs.
        if abs(done - wanted) > 0.5e-4 + 1e-9 || (answer.note == .exact) != (asked == degrees) {
          wrong.append("\(asked)° is \(done) s, \(answer.note.rawValue)")
        }
      }
      return check(
        "angle", "A shutter angle is a time of the frame interval", requirement: "CTL-2",
        passed: wrong.isEmpty,
        detail: wrong.isEmpty ? "180°, 90°, and both ends" : wrong.joined(separator: "; "))
    }
  }

  /// Checks that the torch gives three flashes of decreasing brightness, then stays at the level, then goes out.
  private func lit() async throws -> Check {
    try await playing(SensorSource(framesPerSecond: 60)) { play in
      let count = play.truth.commands.count
      let countIn = await play.starting {
        await $0.lightTorch(0.9, countsIn: true)
      } hasBegun: { _, truth in
        truth.commands.count > count
      }
      try await play.run(.seconds(2))
      _ = await countIn.value
      _ = await play.session.lightTorch(0)
      try await play.run(.milliseconds(200))
      let levels = play.truth.commands.dropFirst(count).filter { $0.control == .torch }.compactMap(
        \.value.number)
      let flashes = levels.filter { $0 > 0 }.map { ($0 * 100).rounded() / 100 }
      let isOut = await play.session.controls.torch == 0 && levels.last == 0
      return check(
        "torch", "The torch counts in with three dimmer and dimmer flashes, stays lit and goes out",
        requirement: "CTL-6",
        passed: flashes == [0.9, 0.6, 0.3, 0.9] && isOut,
        detail: levels.map { "\(($0 * 100).rounded() / 100)" }.joined(separator: " "))
    }
  }

  /// Checks that a recording holds the exposure and afterwards restores the mode that the exposure was in.
  private func recorded() async throws -> [Check] {
    let modes: [(name: String, values: [(control: CameraControl, value: CameraControlValue)], locks: Bool)] =
      [
        ("automatic", [], false),
        (
          "manual",
          [(.exposureMode, .choice("manual")), (.exposureDuration, .number(0.01)), (.iso, .number(400))],
          false
        ),
        ("locked", [], true),
      ]
    var checks: [Check] = []
    for mode in modes {
      checks.append(
        try await playing(SensorSource(framesPerSecond: 30)) { [self] play in
          if !mode.values.isEmpty { _ = await play.session.set(mode.values) }
          if mode.locks { _ = await play.session.lockExposure() }
          try await play.run(.seconds(1))
          return try await held(play, mode.name)
        })
    }
    return checks
  }

  private func held(_ play: SensorPlay, _ name: String) async throws -> Check {
    let before = await play.session.controls
    _ = await play.session.lockForRecording()
    try await play.run(.milliseconds(200))
    let begun = play.clock.now()
    play.scene.setLight(12, at: begun)
    try await play.run(.seconds(1))
    let exposures = Set(play.exposed(after: begun).map { "\($0.duration) s, ISO \($0.iso)" })
    _ = await play.session.unlockAfterRecording()
    try await play.run(.seconds(1))
    let after = await play.session.controls
    let isBack =
      before.isExposureLocked == after.isExposureLocked && !after.isLockedForRecording
      && before.values[.exposureMode] == after.values[.exposureMode]
    return check(
      "recording-\(name)", "A recording holds an exposure that is \(name), and restores it",
      requirement: "CTL-3",
      passed: exposures.count == 1 && isBack,
      detail:
        "\(exposures.count) exposures while it was held; \(before.values[.exposureMode].map { "\($0)" } ?? "?") before, "
        + "\(after.values[.exposureMode].map { "\($0)" } ?? "?") after")
  }
}
