import Capture
import Imagery
import Testing

@testable import Replay

/// The driver of a simulated camera: the values that it reports, and the requests that it refuses or silently ignores.
@Suite struct SensorControlTests {
  private func fixture(_ change: (inout SensorModel) -> Void = { _ in }) throws -> SensorFixture {
    var model = SensorModel()
    change(&model)
    return try SensorFixture(SensorSource(size: PixelSize(width: 64, height: 48), model: model))
  }

  @Test func whatItHasNotSaysWhy() throws {
    let camera = try fixture {
      ($0.torchLight, $0.zoomRange, $0.tellsTargetOffset) = (nil, 1...1, false)
      $0.tellsFocusStatus = false
    }
    for control in [CameraControl.torch, .zoom, .exposureTargetOffset, .focusStatus] {
      #expect(camera.capability(control)?.absence?.isEmpty == false)
      #expect(camera.value(control) == nil)
      let result = camera.set((control, .number(1)))[0]
      #expect(result.refusal != nil && result.note == .refused)
    }
  }

  @Test func valuesAreClampedAndRoundedAndSaidSo() throws {
    let camera = try fixture()
    let results = camera.set(
      (.exposureMode, .choice("manual")), (.iso, .number(1_000_000)), (.exposureDuration, .number(0.010_04)),
      (.exposureMode, .choice("sideways")), (.exposureTargetOffset, .number(0)),
      (.lensPosition, .number(.nan)))
    #expect(results[0].note == .exact)
    #expect(results[1].took == .number(3200) && results[1].note == .clamped)
    #expect(abs((results[2].took?.number ?? 0) - 0.01) < 1e-9 && results[2].note == .rounded)
    #expect(results[3].note == .refused && results[4].note == .refused && results[5].note == .refused)
  }

  @Test func aLongerFrameAllowsALongerShutter() throws {
    let camera = try SensorFixture(
      SensorSource(size: PixelSize(width: 64, height: 48), rates: [FrameInterval(framesPerSecond: 24)]))
    #expect(abs((camera.capability(.exposureDuration)?.range?.upperBound ?? 0) - 1 / 24.0) < 1e-6)
  }

  @Test func controlsLieAsTheyAreToldTo() throws {
    let camera = try fixture {
      $0.lies = [
        .iso: .ignores, .exposureBias: .pretends, .zoom: .clamps(1...1.5), .tint: .delays(5), .torch: .fails,
      ]
    }
    let before = camera.number(.iso)
    #expect(camera.set((.iso, .number(777)))[0].took == .number(before))
    #expect(camera.set((.exposureBias, .number(1)))[0].took == .number(1))
    #expect(camera.set((.zoom, .number(3)))[0].note == .ignored)
    #expect(camera.set((.torch, .number(1)))[0].refusal?.contains("EIO") == true)
    camera.set((.whiteBalanceMode, .choice("manual")))
    try camera.frames(2)
    camera.set((.tint, .number(50)))
    try camera.frames(3)
    #expect(camera.value(.tint) != .number(50))
    try camera.frames(6)
    #expect(camera.value(.tint) == .number(50))
    #expect(camera.log.frames.allSatisfy { $0.zoom <= 1.5 })
    // The control reads 1 EV, but the picture is not changed.
    #expect(camera.number(.exposureBias) == 1 && camera.log.frames.suffix(1).allSatisfy { $0.offset > -0.5 })
  }

  @Test func aDriverMayForgetItsModeWhenItStarts() throws {
    let camera = try fixture { $0.lies = [.exposureMode: .resets(.choice("manual"))] }
    #expect(camera.value(.exposureMode) == .choice("manual"))
    camera.set((.exposureMode, .choice("auto")))
    try camera.frames(5)
    #expect(camera.value(.exposureMode) == .choice("auto"))
    try camera.restart()
    #expect(camera.value(.exposureMode) == .choice("manual"))
    guard case .controlsChanged(let changed) = try camera.event() else {
      Issue.record("nothing was reported")
      return
    }
    #expect(changed == [.exposureMode])
  }

  /// A driver writes its registers before it starts the stream, so values that are set before the start apply to the first frame.
  @Test(arguments: [1, 3]) func whatIsSetBeforeTheStartHoldsFromTheFirstFrame(delay: Int) throws {
    let camera = try fixture { $0.delay = delay }
    try camera.frames(5)
    try camera.restart(
      setting: (.exposureMode, .choice("manual")), (.exposureDuration, .number(0.02)), (.iso, .number(200)))
    let first = try camera.frame().sequence
    let frame = try #require(camera.log.frames.last)
    #expect(frame.sequence == first && frame.duration == 0.02 && frame.iso == 200)
    // A command that was pending when the stream stopped takes effect at the next start.
    camera.set((.iso, .number(400)))
    try camera.restart()
    try camera.frame()
    #expect(camera.log.frames.last?.iso == 400)
  }

  @Test func aDriverThatForgetsAtItsStartForgetsWhatWasSetBefore() throws {
    let camera = try fixture { $0.lies = [.exposureMode: .resets(.choice("manual"))] }
    try camera.frames(2)
    try camera.restart(setting: (.exposureMode, .choice("auto")))
    #expect(camera.value(.exposureMode) == .choice("manual"))
  }

  /// Values that are set in one call take effect with the same frame.
  @Test func whatIsSetTogetherComesTogether() throws {
    let camera = try fixture()
    camera.set(
      (.exposureMode, .choice("manual")), (.exposureDuration, .number(0.01)), (.iso, .number(100)))
    try camera.frames(5)
    camera.set((.exposureDuration, .number(0.02)), (.iso, .number(200)))
    try camera.frames(5)
    let pairs = Set(camera.log.frames.suffix(6).map { "\($0.duration) \($0.iso)" })
    #expect(pairs == ["0.01 100.0", "0.02 200.0"])
    #expect(Set(camera.log.commands.map(\.call)).count == 2)
  }

  @Test func framesTellWhatTheyWereExposedWith() throws {
    let camera = try fixture()
    let frames = try camera.frames(20)
    for (frame, truth) in zip(frames, camera.log.frames) {
      #expect(frame.settings?.iso == truth.iso && frame.settings?.exposureDuration == truth.duration)
    }
    #expect(frames[0].settings?.isSettled == false && frames[19].settings?.isSettled == true)
    let silent = try fixture { $0.tellsSettings = false }.frame()
    #expect(silent.settings == nil)
  }

  @Test func whatIsSetByHandEndsTheAutomatic() throws {
    let camera = try fixture()
    try camera.frames(20)
    let automatic = camera.number(.exposureDuration)
    camera.set((.iso, .number(400)))
    try camera.frames(4)
    #expect(camera.value(.exposureMode) == .choice("manual"))
    #expect(abs(camera.number(.exposureDuration) - automatic) < 1e-9)
    camera.set((.lensPosition, .number(0.25)))
    try camera.frames(10)
    #expect(camera.value(.focusMode) == .choice("locked") && camera.number(.lensPosition) == 0.25)
  }
}
