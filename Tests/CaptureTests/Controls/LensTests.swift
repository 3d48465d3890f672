import Glibc
import Imagery
import System
import Testing

@testable import Capture

/// Focus, zoom, torch, and changes of the lens, in virtual time.
@Suite struct LensTests {
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

  // MARK: Focus

  @Test func aTapFocusesOnceAndThenContinuously() async throws {
    let source = OperatedSource()
    let session = try await running(source)
    let states = await session.controlStates()
    let before = source.device.withLock { $0.calls.count }
    let result = await session.focus(x: 0.25, y: 1.5)
    #expect(result.took == .point(x: 0.25, y: 1) && result.note == .clamped)
    await clock.run(for: .milliseconds(400))
    #expect(source[.focusMode] == .choice("continuous") && source[.focusPoint] == .point(x: 0.25, y: 1))
    let touched = source.device.withLock { Set($0.calls.dropFirst(before).flatMap { $0.values.keys }) }
    #expect(touched.isSubset(of: [.focusMode, .focusPoint]), "the exposure is left alone")
    await session.stop()
    #expect(await sequence(states) == [.continuous, .focusing, .continuous])
  }

  @Test(arguments: [true, false]) func aLockGoesThroughThreeStates(isReached: Bool) async throws {
    let source = OperatedSource { $0.values[.focusStatus] = .choice(isReached ? "reached" : "busy") }
    let session = try await running(source)
    let states = await session.controlStates()
    await session.lockFocus(x: 0.5, y: 0.5)
    await clock.run(for: .milliseconds(2200))
    #expect(source[.focusMode] == .choice("locked"))
    let wanted = isReached ? FocusState.locked : .lockedUnreached
    #expect(await session.controls.focus == wanted)
    await session.lockFocus(x: 0.1, y: 0.1)
    await clock.run(for: .milliseconds(2400))
    await session.stop()
    #expect(await sequence(states) == [.continuous, .single, wanted, .continuous, .single, wanted])
  }

  private func sequence(_ states: AsyncStream<ControlsState>) async -> [FocusState] {
    var seen: [FocusState] = []
    for await state in states where state.focus != seen.last { seen.append(state.focus) }
    return seen
  }

  // MARK: Zoom

  @Test func theFirstFrameAfterTheCommandHasTheNewCrop() async throws {
    let session = try await running(OperatedSource { $0.capabilities.removeAll { $0.control == .zoom } })
    await clock.run(for: .milliseconds(1))
    let before = frames.frames.count
    #expect(await session.set(.zoom, to: .number(3)).took == .number(3))
    await clock.run(for: .milliseconds(40))
    let after = frames.frames.dropFirst(before)
    #expect(!after.isEmpty && after.allSatisfy { $0.settings.digitalZoom == 3 })
    await session.stop()
  }

  @Test func theDeviceZoomsAndTheCropMakesUpForTheRest() async throws {
    let source = OperatedSource()
    let session = try await running(source)
    #expect(await session.set(.zoom, to: .number(1.8)).took == .number(1.8))
    #expect(source[.zoom] == .number(1.5))
    await clock.run(for: .milliseconds(200))
    let last = try #require(frames.frames.last?.settings)
    #expect(abs(last.digitalZoom - 1.2) < 1e-9 && abs((last.zoom ?? 0) - 1.8) < 1e-9)
    await session.set(.zoom, to: .number(4))
    #expect(source[.zoom] == .number(2))
    #expect(await session.controls.digitalZoom == 2)
    await session.stop()
  }

  @Test func aRampIsMonotoneAtItsRateAndEndsOnItsTarget() async throws {
    let session = try await running(OperatedSource { $0.capabilities.removeAll { $0.control == .zoom } })
    let before = frames.frames.count
    let result = try await clock.run { await session.rampZoom(to: 4, rate: 2) }
    #expect(result.took == .number(4) && result.note == .exact)
    await clock.run(for: .milliseconds(100))
    let trace = frames.frames.dropFirst(before).map { ($0.arrivalTime, $0.settings.digitalZoom) }
    let factors = trace.map { $0.1 }
    #expect(factors == factors.sorted() && factors.last == 4)
    let moving = trace.filter { $0.1 > 1 && $0.1 < 4 }
    let (first, last) = (try #require(moving.first), try #require(moving.last))
    let rate = log2(last.1 / first.1) / Double((last.0 - first.0).nanoseconds) * 1e9
    #expect(abs(rate - 2) < 0.1, "within 5 %")
    await session.stop()
  }

  @Test func aRampThatIsCancelledStopsWithinAFrame() async throws {
    let session = try await running(OperatedSource { $0.capabilities.removeAll { $0.control == .zoom } })
    let ramp = Task { await session.rampZoom(to: 4, rate: 1) }
    while await session.controls.zoomTarget == nil { await Task.yield() }
    await clock.run(for: .milliseconds(500))
    await session.cancelZoomRamp()
    #expect(await ramp.value.note == .superseded)
    let count = frames.frames.count
    let here = await session.controls.zoom
    #expect(here > 1.2 && here < 2)
    await clock.run(for: .milliseconds(500))
    #expect(frames.frames.dropFirst(count).allSatisfy { $0.settings.digitalZoom == here })
    await session.stop()
  }

  // MARK: Torch

  @Test func theTorchCountsInStaysOnAndGoesOutWithTheDevice() async throws {
    let source = OperatedSource()
    let session = try await running(source)
    let began = clock.now()
    let result = try await clock.run { await session.lightTorch(0.9, countsIn: true) }
    #expect(result.took == .number(0.9))
    let sets = source.sets(of: .torch)
    #expect(sets.map { (($0.value.number ?? 9) * 10).rounded() } == [9, 0, 6, 0, 3, 0, 9])
    #expect(sets.map { ($0.time - began).milliseconds.rounded() } == [0, 50, 150, 200, 300, 350, 450])
    await session.stop()
    #expect(source[.torch] == .number(0))
  }

  // MARK: Another lens

  @Test func twentySwitchesInTwoSecondsAreOneReapplication() async throws {
    let sources = [
      OperatedSource("wide") { $0.tellsSettings = true }, OperatedSource("tele") { $0.tellsSettings = true },
    ]
    let session = try await running(sources[0])
    await session.set([
      (.iso, .number(640)), (.exposureDuration, .number(0.008)), (.stabilization, .flag(true)),
    ])
    let before = await session.controls.reapplications
    let start = frames.frames.count
    for turn in 1...20 {
      let (next, began) = (sources[turn % 2], clock.now())
      try await clock.run { try await session.configure { $0.source = next } }
      let taken: Duration = clock.now() - began
      await clock.run(for: Duration.milliseconds(100) - taken)
    }
    await clock.run(for: .seconds(1))
    let controls = await session.controls
    #expect(controls.reapplications == before + 1)
    #expect(sources[0][.iso] == .number(640) && sources[0][.stabilization] == .flag(true))
    for frame in frames.frames.dropFirst(start) where frame.settings.isSettled {
      #expect(
        frame.settings.iso == 640 && frame.settings.exposureDuration == 0.008,
        "a settled frame with another exposure")
    }
    #expect(frames.frames.last?.settings.isSettled == true)
    await session.stop()
  }

  @Test func shutterPriorityGoesOnWithWhatTheOtherLensHas() async throws {
    let wide = OperatedSource("wide") { $0.tellsSettings = true }
    let tele = OperatedSource("tele", framesPerSecond: 25) { device in
      device.tellsSettings = true
      device.capabilities.removeAll { $0.control == .iso }
      device.capabilities.append(CameraControlCapability(.iso, 100...150, unit: .iso))
    }
    let session = try await running(wide)
    await session.enableShutterPriority()
    await session.set(.exposureBias, to: .number(0))
    try await clock.run { try await session.configure { $0.source = tele } }
    await clock.run(for: .milliseconds(500))
    #expect(tele[.exposureDuration] == .number(0.02), "180° at 25 frames a second")
    #expect(tele[.iso]?.number.map { (100...150).contains($0) } == true)
    #expect(tele[.exposureMode] == .choice("manual"))
    await session.stop()
  }

  /// The first lens has a bias control, the second does not.
  @Test func aBiasSurvivesAnotherLensWhicheverWayItIsDone() async throws {
    let wide = OperatedSource("wide")
    let tele = OperatedSource("tele") { $0.capabilities.removeAll { $0.control == .exposureBias } }
    let session = try await running(wide)
    await session.set(.exposureBias, to: .number(0.5))
    for (source, digital) in [(tele, 0.5), (wide, 0)] {
      try await clock.run { try await session.configure { $0.source = source } }
      await clock.run(for: .milliseconds(500))
      #expect(await session.controls.values[.exposureBias] == .number(0.5))
      #expect(frames.frames.last?.settings.digitalExposureBias == digital)
    }
    #expect(wide[.exposureBias] == .number(0.5))
    await session.stop()
  }

  @Test func aRecordingAcrossALensHoldsTheSensitivity() async throws {
    let (wide, tele) = (
      OperatedSource("wide") { $0.tellsSettings = true }, OperatedSource("tele") { $0.tellsSettings = true }
    )
    let session = try await running(wide)
    await session.enableShutterPriority()
    await clock.run(for: .milliseconds(500))
    await session.lockForRecording()
    let iso = try #require(wide[.iso])
    tele.device.withLock { $0.light = 2 }
    try await clock.run { try await session.configure { $0.source = tele } }
    await clock.run(for: .seconds(2))
    #expect(tele[.iso] == iso && tele[.exposureMode] == .choice("manual"))
    #expect(await session.controls.shutterPriority?.isFrozen == true)
    #expect(tele.sets(of: .iso).count == 1, "it was set once")
    await session.stop()
  }

  @Test func shutterPriorityIsThereAgainAfterAnInterruption() async throws {
    let source = OperatedSource { $0.tellsSettings = true }
    let session = try await running(source)
    await session.enableShutterPriority()
    await clock.run(for: .milliseconds(500))
    let iso = try #require(source[.iso]?.number)
    source.device.withLock { $0.isUnplugged = true }
    await clock.run(for: .milliseconds(200))
    source.device.withLock { device in
      device.isUnplugged = false
      device.values[.exposureMode] = .choice("auto")
      (device.values[.exposureDuration], device.values[.iso]) = (.number(0.03), .number(3000))
    }
    let before = frames.frames.count
    await clock.run(for: .milliseconds(500))
    let settled = try #require(frames.frames.dropFirst(before).first { $0.settings.isSettled })
    #expect(settled.settings.exposureDuration == 0.01 && settled.settings.iso == iso)
    await session.stop()
  }

  @Test func aCameraThatReturnsIsSetAsItWas() async throws {
    let source = OperatedSource { $0.tellsSettings = true }
    let session = try await running(source)
    await session.set([(.whiteBalanceTemperature, .number(3200)), (.exposureBias, .number(0.5))])
    source.device.withLock { $0.isUnplugged = true }
    await clock.run(for: .milliseconds(200))
    source.device.withLock { device in
      device.isUnplugged = false
      device.values[.whiteBalanceTemperature] = .number(5000)
      device.values[.whiteBalanceMode] = .choice("auto")
      device.values[.exposureBias] = .number(0)
    }
    let before = frames.frames.count
    await clock.run(for: .milliseconds(500))
    #expect(frames.frames.count > before)
    #expect(
      source[.whiteBalanceTemperature] == .number(3200) && source[.whiteBalanceMode] == .choice("manual"))
    #expect(source[.exposureBias] == .number(0.5), "before the first settled frame")
    await session.stop()
  }
}

/// The list of lenses, and the zoom choices that it offers.
@Suite struct LensListTests {
  private func list(_ factors: Double...) -> LensList {
    LensList(factors.map { LensList.Lens(factor: $0, source: OperatedSource("lens \($0)")) })
  }

  @Test func twiceTheMainLensIsACropWhereNoLensHasIt() {
    #expect(list(5, 1, 0.5).choices.map(\.factor) == [0.5, 1, 2, 5])
    #expect(list(5, 1, 0.5).choices.map(\.isCrop) == [false, false, true, false])
    #expect(list(1, 2.04).choices.map(\.isCrop) == [false, false])
    #expect(list().choices.isEmpty)
    #expect(list().choice(for: 1).map(\.factor) == nil)
  }

  /// Two lenses may be inputs of one device.
  @Test func inputsOfOneDeviceAreDifferentCameras() {
    var request = V4L2Request()
    request.input = 1
    #expect(V4L2Source(path: "/dev/video0", request: request).specification == "/dev/video0?input=1")
    #expect(V4L2Source(path: "/dev/video0").specification == "/dev/video0")
  }

  @Test func aFactorIsHadByTheLongestLensThatShowsAsMuch() throws {
    let lenses = list(0.5, 1, 5)
    for (factor, lens, zoom) in [(1.04, 1.0, 1.0), (2, 1, 2), (5, 5, 1), (7.5, 5, 1.5), (0.2, 0.5, 1)] {
      let choice = try #require(lenses.choice(for: factor))
      #expect(choice.lens.factor == lens && abs(choice.zoom - zoom) < 1e-9)
    }
  }
}
