import Imagery
import System
import Testing

@testable import Capture

/// The exposures of a bracket on a camera without a bias control.
@Suite(.timeLimit(.minutes(5))) struct BracketExposureTests {
  private func controls(iso: Double? = 100, mode: Bool = true) -> ControlsState {
    var (state, bias) = (ControlsState(), CameraControlCapability(.exposureBias, -2...2))
    bias.origin = .software
    state.capabilities = [bias, CameraControlCapability(.exposureDuration, 0.0001...0.5)]
    state.values[.exposureDuration] = .number(0.01)
    if mode {
      state.capabilities.append(CameraControlCapability(.exposureMode, choices: ["manual", "auto"]))
      state.values[.exposureMode] = .choice("auto")
    }
    if let iso {
      state.capabilities.append(CameraControlCapability(.iso, 100...1600))
      state.values[.iso] = .number(iso)
    }
    return state
  }

  @Test func eachStepHasItsExposureTime() throws {
    let exposures = try #require(BracketExposures(controls(), longest: 100))
    #expect(
      [-2, 0, 2].map(exposures.step) == [
        .manual(duration: 0.0025, iso: 100), .manual(duration: 0.01, iso: 100),
        .manual(duration: 0.04, iso: 100),
      ])
  }

  /// An exposure time beyond a frame is replaced by a higher sensitivity, if the camera has one.
  @Test func theSensitivityDoesWhatNoTimeCan() throws {
    let exposures = try #require(BracketExposures(controls(), longest: 20))
    #expect(exposures.step(2) == .manual(duration: 0.02, iso: 200))
    let alone = try #require(BracketExposures(controls(iso: nil), longest: 20))
    #expect(alone.step(2) == .manual(duration: 0.04, iso: nil), "the camera reports the value that it took")
  }

  @Test func aCameraThatCannotBeSetIsBrightened() {
    var state = controls()
    state.capabilities.removeAll { $0.control == .exposureDuration }
    #expect(BracketExposures(state, longest: 20) == nil)
    state = controls()
    state.values[.exposureDuration] = nil
    #expect(BracketExposures(state, longest: 20) == nil)
    state = controls()
    state.capabilities[0].origin = .device
    #expect(BracketExposures(state, longest: 20) == nil)
    #expect(BracketExposures(controls(mode: false), longest: 20) != nil)
  }

  @Test func photosTellTheExposuresThatTheyWereTakenWith() async throws {
    let (clock, world) = (VirtualClock(), TroubledWorld(seed: 1, odds: nil))
    let photos = PhotoOutput(clock: clock)
    let session = CaptureSession(source: TroubledSource(world: world, name: "sound"), clock: clock)
    await session.add(photos)
    try await session.start()
    await clock.run(for: .milliseconds(200))
    _ = try await clock.run { await session.set([]) }
    let before = await session.controls
    let shots = try await clock.run {
      let steps = await session.bracketSteps(biases: [-1, 0, 1])
      return try await session.captureBracket(steps, PhotoSettings(longSide: 8), from: photos)
    }
    let taken = try shots.map { try $0.result.get().settings }
    let exposures = try taken.map { try #require($0.exposureDuration) * #require($0.iso) }
    #expect(abs(exposures[1] / exposures[0] - 2) < 0.1 && abs(exposures[2] / exposures[1] - 2) < 0.1)
    #expect(taken.allSatisfy { $0.digitalExposureBias == 0 })
    let after = await session.controls
    #expect(after.values[.exposureMode] == .choice("auto") && after.values[.iso] == before.values[.iso])
    #expect(after.wishes == before.wishes || after.wishes[.iso] == nil)
    await session.stop()
  }
}
