import Capture
import Glibc
import Harness
import Imagery
import Probes
import Replay
import System

/// A camera under shutter priority, whose light changes.
struct PriorityPlay: Sendable {
  let rig: Rig
  let camera: ShutterPriority.Camera
  /// Light value at which an exposure of half a frame interval needs a sensitivity in the middle of the sensor's range.
  private static let light = 5.0
  private static let rest = Duration.milliseconds(1500)

  private var source: SensorSource {
    SensorSource(framesPerSecond: camera.rate, light: Self.light) {
      $0.delay = camera.delay
      // The range of sensitivities reaches three stops to either side of the needed sensitivity, at every rate.
      $0.isos = 50...25_600
      $0.tellsTargetOffset = camera.meters
    }
  }

  /// Returns two responses for each step: to the step of the light, and to the step back.
  func steps(_ stops: [Double]) async throws -> [LightStep] {
    let play = await SensorPlay(source, rig: rig)
    return try await play.session.ending {
      try await play.session.start()
      try await play.run(Self.rest)
      _ = await play.session.enableShutterPriority()
      try await play.run(Self.rest)
      var found: [LightStep] = []
      for stop in stops {
        // The light changes at the beginning of a frame. On the way back it changes in the middle of a frame.
        found.append(try await step(play, to: Self.light + stop, stop, after: 0))
        found.append(try await step(play, to: Self.light, -stop, after: 0.5))
      }
      return found
    }
  }

  /// - Parameter part: the share of a frame interval after which the light changes.
  private func step(
    _ play: SensorPlay, to light: Double, _ stop: Double, after part: Double
  ) async throws -> LightStep {
    let rest = play.truth.frames.last?.offset ?? .nan
    let time = play.clock.now() + .nanoseconds(Int64(part / Double(camera.rate) * 1e9))
    play.scene.setLight(light, at: time)
    try await play.run(Self.rest)
    let exposed = play.exposed(after: time)
    let sets = play.truth.commands.filter { $0.control == .iso && $0.time >= time }
    return LightStep(
      name: "\(camera.name), \(stop > 0 ? "+" : "")\(stop) EV", stop: stop, isMetered: camera.meters,
      rest: rest, offsets: exposed.map(\.offset), sets: sets.map(\.time),
      sensitivities: sets.compactMap(\.value.number), range: source.model.isos,
      durations: exposed.map(\.duration),
      wanted: wanted)
  }

  /// Half a frame interval, rounded to the sensor's unit.
  private var wanted: Double { (1 / (2.0 * Double(camera.rate)) / 1e-4).rounded() * 1e-4 }

  /// Checks switching on and off, and the exposure lock meanwhile.
  func life() async throws -> [Check] {
    let play = await SensorPlay(source, rig: rig)
    return try await play.session.ending {
      try await play.session.start()
      try await play.run(Self.rest)
      _ = await play.session.lockExposure()
      let begun = play.clock.now()
      let answer = await play.session.enableShutterPriority()
      let state = await play.session.controls
      let refused = await play.session.lockExposure()
      try await play.run(.milliseconds(500))
      // The frame that was being exposed at the time of the command. The log has this frame only now.
      let before = play.truth.frames.last { $0.start <= begun }
      let first = play.exposed(after: begun).first { abs($0.duration - wanted) < 1e-4 }
      _ = await play.session.disableShutterPriority()
      try await play.run(.seconds(1))
      let after = await play.session.controls
      return try await recorded() + [
        Self.check(
          "begins", "It begins with the sensitivity that was there",
          passed: Self.isNear(first?.iso, before?.iso),
          detail:
            "ISO \(before?.iso ?? .nan) before, \(first?.iso ?? .nan) in the first frame of \(wanted) s; \(answer)"
        ),
        Self.check(
          "unlocks", "It ends a lock of the exposure, and refuses another",
          passed: state.shutterPriority != nil && !state.isExposureLocked && refused.refusal != nil,
          detail: "locked \(state.isExposureLocked), \(refused.refusal ?? "not refused")"),
        Self.check(
          "ends", "Switched off, the exposure is automatic again",
          passed: after.shutterPriority == nil && after.values[.exposureMode] == .choice("auto"),
          detail: "\(after.values[.exposureMode].map { "\($0)" } ?? "no mode")"),
      ]
    }
  }

  /// Returns whether two sensitivities differ by less than a thousandth: automatic exposure never quite stops moving.
  private static func isNear(_ iso: Double?, _ other: Double?) -> Bool {
    guard let iso, let other else { return false }
    return abs(iso / other - 1) < 1e-3
  }

  /// Checks a recording that holds the exposure, and another frame rate.
  private func recorded() async throws -> [Check] {
    var source = self.source
    source.rates.append(FrameInterval(framesPerSecond: 25))
    let play = await SensorPlay(source, rig: rig)
    return try await play.session.ending {
      try await play.session.start()
      try await play.run(Self.rest)
      _ = await play.session.enableShutterPriority()
      try await play.run(Self.rest)
      _ = await play.session.lockForRecording()
      let began = play.clock.now()
      play.scene.setLight(Self.light + 2, at: began)
      try await play.run(.seconds(1))
      let held = Set(play.exposed(after: began).map { "\($0.duration) s, ISO \($0.iso)" })
      let isLocked = await play.session.controls.isExposureLocked
      _ = await play.session.unlockAfterRecording()
      try await play.session.configure { setup in
        setup.configuration.chooseFormat = { $0.first { $0.frameInterval.denominator == 25 } }
      }
      let changed = play.clock.now()
      try await play.run(.seconds(1))
      let other = play.exposed(after: changed)
      return [
        Self.check(
          "recording", "A recording holds time and sensitivity, and leaves the sign of the lock alone",
          passed: held.count == 1 && !isLocked,
          detail: "\(held.count) exposures in changed light, locked \(isLocked)"),
        Self.check(
          "rate",
          "At another frame rate the exposure is half of that rate's interval, from its first frame on",
          passed: !other.isEmpty && other.allSatisfy { abs($0.duration - 0.02) < 1e-6 },
          detail:
            "\(other.first?.duration ?? .nan) s in the first frame of 25 fps, \(other.last?.duration ?? .nan) s in the last"
        ),
      ]
    }
  }

  private static func check(_ name: String, _ title: String, passed: Bool, detail: String) -> Check {
    Check(
      id: "controls.shutter-priority.\(name)", title: title, passed: passed, subjects: 1, detail: detail,
      requirement: "CTL-3")
  }
}
