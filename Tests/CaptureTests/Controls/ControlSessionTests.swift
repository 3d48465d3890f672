import Imagery
import System
import Testing

@testable import Capture

/// Records frames with their settings.
final class FrameRecorder: FrameOutput {
  private let all = Locked<[Frame]>([])
  var frames: [Frame] { all.withLock { $0 } }
  func receive(_ frame: Frame) { all.withLock { $0.append(frame) } }
  /// Releases the frames, which hold their device's memory.
  func letGo() { all.withLock { $0 = [] } }
}

/// A session's controls, in virtual time, on a camera that records its calls.
@Suite struct ControlSessionTests {
  private let clock = VirtualClock()
  private let frames = FrameRecorder()

  private func running(
    _ source: OperatedSource, _ configure: (inout SessionConfiguration) -> Void = { _ in }
  ) async throws -> CaptureSession {
    var configuration = SessionConfiguration()
    configuration.inactivityTimeout = nil
    configure(&configuration)
    let session = CaptureSession(source: source, configuration: configuration, clock: clock)
    await session.add(frames)
    try await session.start()
    await clock.run(for: .milliseconds(300))
    return session
  }

  // MARK: Setting

  @Test func severalChangesAreOneRequestAndModesComeWithTheirValues() async throws {
    let source = OperatedSource(framesPerSecond: 30)
    let session = try await running(source)
    let before = source.device.withLock { $0.calls.count }
    let results = await session.set([(.iso, .number(9000)), (.exposureDuration, .number(1.0 / 48))])
    #expect(results.map(\.note) == [.clamped, .rounded])
    #expect(results.map(\.took) == [.number(6400), .number(0.0208)])
    let calls = source.device.withLock { Array($0.calls.dropFirst(before)) }
    #expect(calls.count == 1)
    #expect(calls.first?.values[.exposureMode] == .choice("manual"))
    let controls = await session.controls
    #expect(controls.values[.exposureMode] == .choice("manual"))
    #expect(controls.values[.iso] == .number(6400), "the value of the device")
    #expect(controls.wishes[.iso] == .number(9000), "the wishes for the next camera")
    await session.stop()
  }

  @Test func whatTheDeviceLacksSaysWhy() async throws {
    let source = OperatedSource { $0.capabilities.removeAll { $0.control == .torch || $0.control == .zoom } }
    let session = try await running(source)
    let torch = await session.lightTorch(1)
    #expect(torch.refusal == "cannot set torch: the device has no control for it")
    let controls = await session.controls
    #expect(controls.capability(.torch)?.isPresent == false)
    #expect(controls.capability(.zoom)?.origin == .software)
    #expect(controls.capability(.exposureLock)?.origin == .mapped("exposure-mode"))
    await session.stop()
  }

  @Test func aPlainCameraIsZoomedAndBrightenedBySoftware() async throws {
    let session = CaptureSession(source: SimulatedPlainSource(), clock: clock)
    await session.add(frames)
    try await session.start()
    await clock.run(for: .milliseconds(100))
    #expect(await session.set(.zoom, to: .number(9)).took == .number(4))
    #expect(await session.set(.exposureBias, to: .number(-2.6)).took == .number(-2))
    #expect(await session.set(.iso, to: .number(100)).refusal != nil)
    await clock.run(for: .milliseconds(100))
    let last = try #require(frames.frames.last)
    #expect(last.settings.digitalZoom == 4 && last.settings.digitalExposureBias == -2)
    await session.stop()
  }

  @Test func aControlThatIgnoresIsToldAsThat() async throws {
    let source = OperatedSource { $0.ignored = [.iso] }
    let session = try await running(source)
    let result = await session.set(.iso, to: .number(800))
    #expect(result.note == .ignored && result.took == .number(200))
    await session.stop()
  }

  @Test func aBiasIsForAutomaticExposureOnly() async throws {
    let session = try await running(OperatedSource())
    #expect(await session.set(.exposureBias, to: .number(0.7)).refusal == nil)
    await session.set(.exposureMode, to: .choice("manual"))
    let refused = await session.set(.exposureBias, to: .number(1))
    #expect(
      refused.refusal
        == "cannot set exposure-bias: it is for automatic exposure only; set exposure-mode to auto first")
    #expect(await session.set(.exposureBias, to: .number(0)).took == .number(0))
    await session.stop()
  }

  @Test func withoutACameraAWishIsKeptForTheNext() async throws {
    let source = OperatedSource()
    let session = CaptureSession(source: source, clock: clock)
    let result = await session.set(.iso, to: .number(400))
    #expect(result.note == .deferred && result.took == nil)
    try await session.start()
    #expect(source[.iso] == .number(400), "before the stream began")
    #expect(source.device.withLock { $0.calls.count } == 1)
    await session.stop()
  }

  @Test func everyOrderIsAnsweredThoughTheSessionStops() async throws {
    let session = try await running(OperatedSource())
    let answers = Task { await session.rampZoom(to: 4, rate: 0.01) }
    while await session.controls.zoomTarget == nil { await Task.yield() }
    await session.stop()
    #expect(await answers.value.note == .superseded)
    #expect(await session.set(.iso, to: .number(100)).note == .deferred)
  }

  /// Many tasks set the same two controls at once. Afterwards both values come from one request, and session and device agree.
  @Test func ordersAreTakenInTheirOrder() async throws {
    let source = OperatedSource()
    let session = try await running(source)
    var random = SystemRandomNumberGenerator()
    for round in 0..<100 {
      let count = Int.random(in: 2...100, using: &random)
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<count {
          group.addTask {
            await session.set([
              (.iso, .number(Double(100 + number))),
              (.exposureDuration, .number(Double(1 + number) / 10_000)),
            ])
          }
        }
      }
      let device = source.device.withLock { $0.values }
      let controls = await session.controls
      let (iso, duration) = (device[.iso]?.number ?? 0, device[.exposureDuration]?.number ?? 0)
      #expect(abs((iso - 99) / 10_000 - duration) < 1e-9, "one order's two values together, round \(round)")
      #expect(
        controls.values[.iso] == device[.iso]
          && controls.values[.exposureDuration] == device[.exposureDuration])
      #expect(controls.wishes[.iso] == device[.iso], "no update is lost")
    }
    await session.stop()
  }

  // MARK: Changes by the device

  @Test func aDriverThatResetsItsModeIsSetAgain() async throws {
    let source = OperatedSource { $0.afterStart = [.exposureMode: .choice("manual")] }
    let session = try await running(source)
    #expect(source[.exposureMode] == .choice("auto"))
    #expect(
      await session.controls.findings == ["after the start exposure-mode was manual; it was set to auto"])
    await session.stop()
  }

  @Test func whatAnotherProgramChangesIsSeenWithinHalfASecond() async throws {
    let source = OperatedSource()
    let session = try await running(source)
    _ = await session.controlStates()
    await clock.run(for: .milliseconds(100))
    source[.whiteBalanceTemperature] = .number(3200)
    await clock.run(for: .milliseconds(500))
    #expect(await session.controls.values[.whiteBalanceTemperature] == .number(3200))
    await session.stop()
  }

  @Test func whatNobodyLooksAtIsNotAsked() async throws {
    let source = OperatedSource()
    let session = try await running(source)
    source[.whiteBalanceTemperature] = .number(3200)
    await clock.run(for: .seconds(2))
    #expect(await session.controls.values[.whiteBalanceTemperature] == nil)
    await session.stop()
  }

  // MARK: Locks

  @Test func aLockFreezesAndUnlockingGoesOnInTheModeBefore() async throws {
    let source = OperatedSource()
    let session = try await running(source)
    #expect(await session.lockExposure().refusal == nil)
    #expect(await session.controls.isExposureLocked)
    #expect(source[.exposureMode] == .choice("manual") && source[.iso] == .number(200))
    #expect(
      await session.set(.iso, to: .number(800)).refusal?.hasPrefix("cannot set iso: the exposure is locked")
        == true)
    await session.lockExposure(false)
    #expect(source[.exposureMode] == .choice("auto"))
    await session.set([(.iso, .number(320)), (.exposureDuration, .number(0.02))])
    await session.lockExposure()
    await session.lockExposure(false)
    #expect(source[.exposureMode] == .choice("manual") && source[.iso] == .number(320))
    await session.stop()
  }

  /// After a recording, the exposure is automatic, manual or locked as before.
  @Test(arguments: ["auto", "manual", "locked"]) func aRecordingGivesBackWhatItHeld(mode: String) async throws
  {
    let source = OperatedSource()
    let session = try await running(source)
    if mode == "manual" { await session.set([(.iso, .number(320)), (.exposureDuration, .number(0.02))]) }
    if mode == "locked" { await session.lockExposure() }
    let before = source.device.withLock { $0.values }
    let locked = await session.controls.isExposureLocked
    #expect(await session.lockForRecording().refusal == nil)
    #expect(source[.exposureMode] == .choice("manual") && source[.iso] == before[.iso])
    #expect(
      await session.controls.isExposureLocked == locked, "a recording's lock is separate from the user's")
    await session.unlockAfterRecording()
    for control in [CameraControl.exposureMode, .iso, .exposureDuration] {
      #expect(source[control] == before[control], "\(control)")
    }
    #expect(await session.controls.isExposureLocked == locked)
    await session.stop()
  }

  // MARK: Shutter priority

  @Test func shutterPriorityHoldsTheTimeAndEndsTheLock() async throws {
    let source = OperatedSource { $0.tellsSettings = true }
    let session = try await running(source)
    await session.lockExposure()
    let states = await session.controlStates()
    let result = await session.enableShutterPriority()
    #expect(result.refusal == nil)
    #expect(source[.exposureDuration] == .number(0.01) && source[.exposureMode] == .choice("manual"))
    let controls = await session.controls
    #expect(controls.shutterPriority?.duration == 0.01 && !controls.isExposureLocked)
    #expect(
      await session.lockExposure().refusal
        == "cannot lock the exposure: shutter priority is on; switch it off first")
    #expect(await session.set(.exposureDuration, to: .number(0.05)).refusal != nil)
    await session.disableShutterPriority()
    #expect(source[.exposureMode] == .choice("auto"))
    await session.stop()
    // No state has an exposure lock and shutter priority together.
    for await state in states { #expect(!(state.isExposureLocked && state.shutterPriority != nil)) }
  }

  @Test(arguments: [-3.0, 3], [0, 2]) func itFollowsTheLightAtMostTenTimesASecond(stops: Double, delay: Int)
    async throws
  {
    let source = OperatedSource(framesPerSecond: 30) { ($0.tellsSettings, $0.delay) = (true, delay) }
    let session = try await running(source)
    await session.enableShutterPriority()
    await clock.run(for: .seconds(1))
    let before = source.sets(of: .iso).count
    source.device.withLock { $0.light = stops }
    await clock.run(for: .milliseconds(200 + 34))
    let offset = source[.exposureTargetOffset]?.number ?? 9
    #expect(abs(offset) <= 0.1, "after six frames")
    await clock.run(for: .seconds(2))
    let sets = source.sets(of: .iso).dropFirst(before)
    #expect((1...3).contains(sets.count))
    for (first, second) in zip(sets, sets.dropFirst()) {
      #expect(second.time - first.time >= .milliseconds(99))
    }
    await session.stop()
  }

  @Test func aRecordingFreezesItAndTheLockSignStaysAsItWas() async throws {
    let source = OperatedSource { $0.tellsSettings = true }
    let session = try await running(source)
    await session.enableShutterPriority()
    await session.lockForRecording()
    let before = source.sets(of: .iso).count
    source.device.withLock { $0.light = 2 }
    await clock.run(for: .seconds(2))
    #expect(source.sets(of: .iso).count == before)
    #expect(await session.controls.shutterPriority?.isFrozen == true)
    #expect(await !session.controls.isExposureLocked)
    await session.unlockAfterRecording()
    await clock.run(for: .seconds(1))
    #expect(source.sets(of: .iso).count > before)
    await session.stop()
  }
}

/// A camera without controls.
private struct SimulatedPlainSource: CameraSource {
  let specification = "plain"
  let source = OperatedSource("plain")
  func makeCamera(clock: any CaptureClock) throws(CameraError) -> any Camera {
    PlainCamera(OperatedCamera(source, clock: clock))
  }

  private final class PlainCamera: Camera {
    private let base: OperatedCamera
    init(_ base: OperatedCamera) { self.base = base }
    func open() throws(CameraError) -> CameraDescription { try base.open() }
    func prepare(_ format: CameraFormat) throws(CameraError) -> CameraFormat { try base.prepare(format) }
    func start() throws(CameraError) { try base.start() }
    func next(until deadline: MonotonicTime, wake: WakeSignal) throws(CameraError) -> CameraEvent {
      try base.next(until: deadline, wake: wake)
    }
    func stop() { base.stop() }
    func close() { base.close() }
    func awaitReturn(after reason: InterruptionReason, wake: WakeSignal) -> Bool {
      base.awaitReturn(after: reason, wake: wake)
    }
  }
}
