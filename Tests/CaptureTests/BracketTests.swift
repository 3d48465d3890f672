import Imagery
import System
import Testing

@testable import Capture

/// Photos of one scene with several exposures, in virtual time.
@Suite(.timeLimit(.minutes(5))) struct BracketTests {
  private let clock = VirtualClock()
  private let world = TroubledWorld(seed: 1, odds: nil)
  private let photos: PhotoOutput

  init() { photos = PhotoOutput(clock: clock) }

  private func started() async throws -> CaptureSession {
    let session = CaptureSession(source: TroubledSource(world: world, name: "sound"), clock: clock)
    await session.add(photos)
    try await session.start()
    await clock.run(for: .milliseconds(200))
    #expect(await session.state == .running)
    return session
  }

  private func bracket(_ steps: [BracketStep], of session: CaptureSession) async throws -> [BracketShot] {
    let photos = photos
    return try await clock.run {
      try await session.captureBracket(steps, PhotoSettings(longSide: 8), from: photos)
    }
  }

  @Test func eachPhotoHasItsExposure() async throws {
    let session = try await started()
    let steps: [BracketStep] = [
      .manual(duration: 0.002, iso: 200), .manual(duration: 0.008, iso: 200),
      .manual(duration: 0.016, iso: nil),
    ]
    let shots = try await bracket(steps, of: session)
    #expect(shots.map(\.step) == steps)
    let photos = try shots.map { try $0.result.get() }
    #expect(photos.map(\.settings.exposureDuration) == [0.002, 0.008, 0.016])
    #expect(photos.map(\.settings.iso) == [200, 200, 200])
    #expect(photos.allSatisfy { $0.settings.isSettled })
    let frames = photos.map(\.frame.sequence)
    #expect(frames == frames.sorted() && Set(frames).count == 3)
    await session.stop()
  }

  /// On a camera without a bias control, the engine brightens the pictures itself. Each step takes effect with the next picture.
  @Test func biasesOfASoftwareControl() async throws {
    let session = try await started()
    let shots = try await bracket([.bias(-1), .bias(0), .bias(1)], of: session)
    let biases = try shots.map { try $0.result.get().settings.digitalExposureBias }
    #expect(biases == [-1, 0, 1])
    await clock.run(for: .milliseconds(100))
    #expect(await session.controls.digitalExposureBias == 0)
    await session.stop()
  }

  /// A bracket mixes bias steps and manual steps. Afterwards the camera has its former exposure mode.
  @Test(arguments: [true, false]) func theExposureIsWhatItWas(isManual: Bool) async throws {
    let session = try await started()
    if isManual {
      await session.set([(.exposureDuration, .number(0.004)), (.iso, .number(800))])
    }
    let wishes = await session.controls.wishes
    let shots = try await bracket(
      [.manual(duration: 0.002, iso: 100), .bias(1), .manual(duration: 0.001, iso: nil)], of: session)
    for shot in shots { _ = try shot.result.get() }
    await clock.run(for: .milliseconds(200))
    let controls = await session.controls
    #expect(controls.values[.exposureMode] == .choice(isManual ? "manual" : "auto"))
    if isManual {
      #expect(controls.values[.exposureDuration] == .number(0.004) && controls.values[.iso] == .number(800))
      #expect(controls.wishes == wishes)
    }
    #expect(controls.digitalExposureBias == 0)
    await session.stop()
  }

  /// A manual exposure ignores the bias. The bias must apply again when the exposure is automatic.
  @Test func theBiasOfBeforeAManualExposureIsKept() async throws {
    let session = try await started()
    await session.set(.exposureBias, to: .number(0.5))
    await session.set([(.exposureDuration, .number(0.004)), (.iso, .number(800))])
    let wishes = await session.controls.wishes
    let shots = try await bracket([.bias(-1)], of: session)
    #expect(try shots.map { try $0.result.get().settings.digitalExposureBias } == [-1])
    await clock.run(for: .milliseconds(200))
    let controls = await session.controls
    #expect(controls.values[.exposureMode] == .choice("manual") && controls.wishes == wishes)
    #expect(controls.digitalExposureBias == 0.5)
    await session.stop()
  }

  /// An exposure time and a sensitivity define the exposure completely; no brightening is added.
  @Test(arguments: [0, 0.5]) func aManualStepHasNoBias(before: Double) async throws {
    let session = try await started()
    if before != 0 { await session.set(.exposureBias, to: .number(before)) }
    let wishes = await session.controls.wishes
    let manual = BracketStep.manual(duration: 0.002, iso: 200)
    let shots = try await bracket([manual, .bias(1), manual, manual, .bias(-1)], of: session)
    let photos = try shots.map { try $0.result.get() }
    #expect(photos.map(\.settings.digitalExposureBias) == [0, 1, 0, 0, -1])
    #expect(photos.map(\.settings.exposureDuration).prefix(1) == [0.002])
    await clock.run(for: .milliseconds(200))
    let controls = await session.controls
    #expect(controls.values[.exposureMode] == .choice("auto") && controls.digitalExposureBias == before)
    #expect(controls.wishes[.exposureBias] == wishes[.exposureBias])
    await session.stop()
  }

  /// A manual step that the camera refuses leaves the bias unchanged: under an exposure lock, it could not be restored.
  @Test func aManualStepThatIsRefusedKeepsTheBias() async throws {
    let session = try await started()
    await session.set(.exposureBias, to: .number(0.5))
    await session.lockExposure()
    let shots = try await bracket([.manual(duration: 0.002, iso: 200)], of: session)
    #expect(shots.allSatisfy { $0.controls.first?.refusal != nil })
    #expect(await session.controls.digitalExposureBias == 0.5)
    await session.stop()
  }

  @Test func aStepThatTheCameraRefusesSaysWhyAndTheOthersAreTaken() async throws {
    let session = try await started()
    await session.lockExposure()
    let shots = try await bracket([.bias(1)], of: session)
    let error = #expect(throws: SessionError.self) { try shots[0].result.get() }
    #expect(error?.code == .exposureRefused && error?.description.contains("locked") == true)
    #expect(shots[0].controls.first?.refusal != nil)
    await session.stop()
  }

  @Test func aBracketThatIsCancelledBringsTheExposureBack() async throws {
    let session = try await started()
    let photos = photos
    let taking = Task {
      try await session.captureBracket(
        [.manual(duration: 0.001, iso: 100), .manual(duration: 0.002, iso: 100)], from: photos)
    }
    while photos.waitingCount == 0 {
      try Task.checkCancellation()
      await Task.yield()
    }
    taking.cancel()
    await #expect(throws: CancellationError.self) { try await clock.run { try await taking.value } }
    await clock.run(for: .milliseconds(200))
    #expect(await session.controls.values[.exposureMode] == .choice("auto"))
    await session.stop()
  }

  /// If a bracket is never answered, these tests fail instead of waiting forever.
  @Test func whoIsNeverAnsweredIsGivenUp() async throws {
    let (clock, began) = (clock, clock.now())
    let (silence, never) = AsyncStream.makeStream(of: Void.self)
    let given = Task {
      try await clock.run(within: .seconds(1), machine: .zero) { for await _ in silence {} }
    }
    let error = await #expect(throws: VirtualClock.Overdue.self) { try await given.value }
    #expect(error?.passed == .seconds(1) && clock.now() == began + .seconds(1))
    never.finish()
  }
}
