import Foundation
import Imagery
import System
import Testing

@testable import Capture

/// Controls under adverse behaviour of the camera, its user or another program, in virtual time.
@Suite struct ControlTroubleTests {
  private let clock = VirtualClock()
  private let frames = FrameRecorder()

  private func running(_ source: OperatedSource) async throws -> CaptureSession {
    var configuration = SessionConfiguration()
    configuration.inactivityTimeout = nil
    let session = CaptureSession(source: source, configuration: configuration, clock: clock)
    await session.add(frames)
    try await session.start()
    await clock.run(for: .milliseconds(300))
    return session
  }

  private func unplug(_ source: OperatedSource) async {
    source.device.withLock { $0.isUnplugged = true }
    await clock.run(for: .milliseconds(200))
  }

  private func replug(_ source: OperatedSource, _ change: (inout OperatedSource.Device) -> Void) async {
    source.device.withLock { device in
      change(&device)
      device.isUnplugged = false
    }
    await clock.run(for: .milliseconds(500))
  }

  // MARK: Values

  @Test(arguments: [false, true])
  func anExposureIsNoLongerThanAFrameUnlessItsRateMayFall(mayFall: Bool) async throws {
    let source = OperatedSource(framesPerSecond: 30) { device in
      device.capabilities.append(CameraControlCapability(.frameRateMayFall))
      device.values[.frameRateMayFall] = .flag(mayFall)
    }
    let session = try await running(source)
    let result = await session.set(.exposureDuration, to: .number(0.05))
    #expect(result.note == (mayFall ? .exact : .clamped))
    #expect(result.took == .number(mayFall ? 0.05 : 0.0333))
    #expect(await session.set(.exposureDuration, to: .number(1.0 / 30)).took == .number(0.0333))
    await session.stop()
  }

  /// A lock keeps the exposure time that the automatic mode chose, even if it is longer than a frame.
  @Test func aLockKeepsAnExposureThatIsLongerThanAFrame() async throws {
    let source = OperatedSource(framesPerSecond: 30) { $0.values[.exposureDuration] = .number(0.08) }
    let session = try await running(source)
    #expect(await session.lockExposure().refusal == nil)
    #expect(source[.exposureDuration] == .number(0.08) && source[.exposureMode] == .choice("manual"))
    await session.stop()
  }

  /// Another program left the camera in manual mode. The session restores that mode, although no request of its own set it.
  @Test(arguments: [true, false]) func whatAnotherProgramLeftIsGivenBack(isRecording: Bool) async throws {
    let source = OperatedSource()
    let session = try await running(source)
    source.device.withLock { device in
      (device.values[.exposureMode], device.values[.iso]) = (.choice("manual"), .number(1250))
    }
    if isRecording {
      await session.lockForRecording()
      await session.unlockAfterRecording()
    } else {
      await session.lockExposure()
      await session.lockExposure(false)
    }
    #expect(source[.exposureMode] == .choice("manual") && source[.iso] == .number(1250))
    #expect(await session.controls.wishes.isEmpty)
    await session.stop()
  }

  /// Values that another program set, such as `swiftwing controls set` before a photo, are kept.
  @Test func whatAnotherProgramSetIsLeftAsItIs() async throws {
    let found: [CameraControl: CameraControlValue] = [
      .exposureMode: .choice("manual"), .exposureDuration: .number(0.02), .iso: .number(400),
    ]
    let source = OperatedSource { $0.values.merge(found) { $1 } }
    let session = try await running(source)
    await session.set([])
    await session.set(.zoom, to: .number(2))
    await unplug(source)
    await replug(source) { _ in }
    for (control, value) in found { #expect(source[control] == value && source.sets(of: control).isEmpty) }
    #expect(await session.controls.findings.isEmpty)
    await session.stop()
  }

  /// A driver may drop the exposure mode when the stream begins. The session restores it.
  @Test(arguments: ["auto", "manual"]) func aModeThatTheStartDropsIsAsItWasFound(mode: String) async throws {
    let other = mode == "auto" ? "manual" : "auto"
    let source = OperatedSource { device in
      device.values[.exposureMode] = .choice(mode)
      device.afterStart = [.exposureMode: .choice(other)]
    }
    let session = try await running(source)
    #expect(source[.exposureMode] == .choice(mode))
    #expect(
      await session.controls.findings == ["after the start exposure-mode was \(other); it was set to \(mode)"]
    )
    await session.stop()
  }

  /// After the camera is released, its exposure follows the light again.
  @Test(arguments: ["locked", "recording", "shutter-priority"])
  func aCameraThatIsLetGoExposesAsItDidBefore(hold: String) async throws {
    let (source, other) = (OperatedSource("one"), OperatedSource("other"))
    let session = try await running(source)
    switch hold {
    case "locked": await session.lockExposure()
    case "recording": await session.lockForRecording()
    default: await session.enableShutterPriority()
    }
    #expect(source[.exposureMode] == .choice("manual"))
    try await clock.run { try await session.configure { $0.source = other } }
    await clock.run(for: .milliseconds(500))
    #expect(source[.exposureMode] == .choice("auto") && other[.exposureMode] == .choice("manual"))
    await session.stop()
    #expect(other[.exposureMode] == .choice("auto"))
  }

  @Test func aLockWithinARecordingGivesBackTheModeBeforeBoth() async throws {
    let source = OperatedSource()
    let session = try await running(source)
    await session.lockForRecording()
    await session.lockExposure()
    await session.unlockAfterRecording()
    #expect(source[.exposureMode] == .choice("manual"))
    await session.lockExposure(false)
    #expect(source[.exposureMode] == .choice("auto"))
    await session.stop()
  }

  /// A reset before the start counts, rather than the mode in which the camera was found.
  @Test func aModeThatIsResetStaysSoAtTheStart() async throws {
    let source = OperatedSource { device in
      withDefaults(&device)
      device.values[.exposureMode] = .choice("manual")
    }
    let session = CaptureSession(source: source, clock: clock)
    try await session.prewarm()
    await clock.run(for: .milliseconds(100))
    await session.reset([.exposureMode])
    try await session.start()
    await clock.run(for: .milliseconds(300))
    #expect(source[.exposureMode] == .choice("auto") && source.device.withLock { $0.starts } == 1)
    #expect(await session.controls.findings.isEmpty)
    await session.stop()
  }

  /// A read-only sensitivity does not prevent the lock.
  @Test func aLockHoldsWhatCanBeHeld() async throws {
    let source = OperatedSource { device in
      for index in device.capabilities.indices where device.capabilities[index].control == .iso {
        device.capabilities[index].isReadOnly = true
      }
    }
    let session = try await running(source)
    #expect(await session.lockExposure().refusal == nil)
    #expect(source.sets(of: .iso).isEmpty && source.sets(of: .exposureDuration).count == 1)
    await session.stop()
  }

  @Test func whatIsNoNumberIsNotKept() async throws {
    let session = CaptureSession(source: OperatedSource(), clock: clock)
    for number in [Double.nan, .infinity, -.infinity] {
      #expect(await session.set(.iso, to: .number(number)).note == .refused)
      #expect(await session.enableShutterPriority(angle: number).note == .refused)
      #expect(await session.rampZoom(to: number, rate: 1).note == .refused)
    }
    #expect(await session.controls.wishes.isEmpty)
    await session.stop()
  }

  @Test func noMoreIsKeptOfNamesThatNobodyKnows() async throws {
    let session = CaptureSession(source: OperatedSource(), clock: clock)
    let results = await session.set(
      (0..<300).map {
        (control: CameraControl(rawValue: "unknown-\($0)"), value: CameraControlValue.number(1))
      })
    #expect(results.count { $0.note == .deferred } == 256)
    #expect(
      results.last?.refusal
        == "cannot keep unknown-299 for the next camera: 256 values are kept already; start the session first"
    )
    await session.stop()
  }

  @Test func aPresetThatNamesWhatIsAbsentSetsTheRest() async throws {
    let source = OperatedSource { $0.capabilities.removeAll { $0.control == .stabilization } }
    let session = try await running(source)
    let before = source.device.withLock { $0.calls.count }
    let results = await session.set([
      (.stabilization, .flag(true)), (CameraControl(rawValue: "v4l2:0x1"), .number(1)),
      (.exposureMode, .number(4)), (.whiteBalanceTemperature, .number(3200)),
    ])
    #expect(results.map { $0.refusal == nil } == [false, false, false, true])
    #expect(source[.whiteBalanceTemperature] == .number(3200))
    #expect(source.device.withLock { $0.calls.count } == before + 1)
    #expect(await session.controls.wishes.keys.sorted() == [.whiteBalanceMode, .whiteBalanceTemperature])
    await session.stop()
  }

  @Test func aCameraThatTellsNoNumberTellsNothing() async throws {
    let source = OperatedSource()
    let session = try await running(source)
    await session.set([])
    for control in [CameraControl.iso, .zoom, .lensPosition] { source[control] = .number(.nan) }
    source[.focusPoint] = .point(x: .infinity, y: 0)
    await clock.run(for: .seconds(1))
    let controls = await session.controls
    #expect(controls.values[.iso] == .number(200) && controls.zoom == 1)
    #expect(try JSONEncoder().encode(controls).count > 1000, "JSON has no infinite numbers")
    await session.stop()
  }

  // MARK: Unplugging and returning

  @Test func whatIsSetWhileItIsUnpluggedIsSetWhenItIsBack() async throws {
    let source = OperatedSource()
    let session = try await running(source)
    await unplug(source)
    let results = await session.set([(.iso, .number(640)), (.zoom, .number(2))])
    #expect(results.map(\.note) == [.deferred, .deferred])
    #expect(
      await session.lightTorch(1).refusal == "cannot light the torch: no camera is open; start the session")
    await replug(source) { _ in }
    #expect(source[.iso] == .number(640) && source[.zoom] == .number(2))
    await session.stop()
  }

  @Test func aCameraThatReturnsWithFewerControlsSaysWhatIsLost() async throws {
    let source = OperatedSource()
    let session = try await running(source)
    await session.set(.stabilization, to: .flag(true))
    await session.enableShutterPriority()
    await unplug(source)
    await replug(source) { device in
      device.capabilities.removeAll { [.iso, .stabilization, .zoom].contains($0.control) }
      for lost in [CameraControl.iso, .stabilization, .zoom] { device.values[lost] = nil }
      device.values[.exposureMode] = .choice("manual")
    }
    let controls = await session.controls
    #expect(controls.shutterPriority == nil && source[.exposureMode] == .choice("auto"))
    #expect(controls.values[.iso] == nil && controls.values[.stabilization] == nil)
    #expect(controls.capability(.iso)?.absence != nil && controls.capability(.zoom)?.origin == .software)
    #expect(
      controls.findings.suffix(2) == [
        "shutter priority is lost: this camera does not have both exposure-duration and iso",
        "stabilization on is lost: cannot set stabilization: the device has no control for it",
      ])
    #expect(controls.isSettled && frames.frames.last?.settings.isSettled == true)
    await session.stop()
  }

  /// After the camera has lost a lock, the state does not show it, because the exposure varies again.
  @Test(arguments: ["locked", "recording", "frozen"]) func aLockThatTheCameraHasLostIsNotShown(hold: String)
    async throws
  {
    let source = OperatedSource()
    let session = try await running(source)
    if hold == "frozen" { await session.enableShutterPriority() }
    _ = await hold == "locked" ? session.lockExposure() : session.lockForRecording()
    await unplug(source)
    await replug(source) { device in
      let lost: [CameraControl] = [.exposureMode, .exposureDuration, .iso]
      device.capabilities.removeAll { lost.contains($0.control) }
      for control in lost { device.values[control] = nil }
    }
    let controls = await session.controls
    #expect(!controls.isExposureLocked && !controls.isLockedForRecording && controls.shutterPriority == nil)
    #expect(
      controls.findings.count {
        $0.hasSuffix("this camera has none") || $0.hasSuffix("both exposure-duration and iso")
      } == 1)
    #expect(await session.unlockAfterRecording().refusal == nil)
    await session.stop()
  }

  @Test func aLockOfTheWhiteBalanceComesBackAsItWasSetLast() async throws {
    let source = OperatedSource()
    let session = try await running(source)
    for (isLast, mode) in [(true, "manual"), (false, "auto")] {
      await session.set(.whiteBalanceTemperature, to: .number(3200))
      await session.set(.whiteBalanceLock, to: .flag(!isLast))
      if isLast { await session.set(.whiteBalanceMode, to: .choice("auto")) }
      await session.set(.whiteBalanceLock, to: .flag(isLast))
      await unplug(source)
      await replug(source) { $0.values[.whiteBalanceMode] = .choice(isLast ? "auto" : "manual") }
      #expect(source[.whiteBalanceMode] == .choice(mode), "lock \(isLast)")
    }
    await session.stop()
  }

  // MARK: Reset

  private func withDefaults(_ device: inout OperatedSource.Device) {
    let defaults: [CameraControl: CameraControlValue] = [.exposureMode: .choice("auto"), .iso: .number(100)]
    for index in device.capabilities.indices {
      device.capabilities[index].defaultValue = defaults[device.capabilities[index].control]
    }
  }

  @Test func aResetLeavesTheModesTheLastWord() async throws {
    let source = OperatedSource { withDefaults(&$0) }
    let session = try await running(source)
    await session.set(.iso, to: .number(800))
    #expect(source[.exposureMode] == .choice("manual"))
    let results = await session.reset([.exposureMode, .iso, .torch])
    #expect(results.map(\.control) == [.exposureMode, .iso, .torch])
    #expect(
      results[2].refusal == "cannot reset torch: the device reports no default for it; set it to a value")
    #expect(source[.exposureMode] == .choice("auto") && source[.iso] == .number(100))
    #expect(await session.controls.wishes.isEmpty)
    // The mode is automatic again, so the camera controls the sensitivity itself.
    #expect(await session.reset([.iso]).first?.note == .ignored)
    #expect(source[.exposureMode] == .choice("auto"))
    await session.stop()
  }

  @Test func aResetOfAValueKeepsItsMode() async throws {
    let source = OperatedSource { withDefaults(&$0) }
    let session = try await running(source)
    await session.set([(.iso, .number(800)), (.exposureDuration, .number(0.01))])
    #expect(await session.reset([.iso]).first?.took == .number(100))
    #expect(
      await session.controls.wishes == [.exposureMode: .choice("manual"), .exposureDuration: .number(0.01)])
    await session.stop()
  }
}
