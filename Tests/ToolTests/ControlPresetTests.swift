import Harness
import Testing

@testable import Capture
@testable import swiftwing_tool

/// The controls that a preset stores.
@Suite struct ControlPresetTests {
  /// Returns controls like a V4L2 camera's. Controls that an automatic mode may change are always volatile.
  private static func state(
    exposure: String, whiteBalance: String, focus: String, _ change: (inout ControlsState) -> Void = { _ in }
  ) -> ControlsState {
    var state = ControlsState()
    state.values = [
      .exposureMode: .choice(exposure), .exposureDuration: .number(0.02), .shutterAngle: .number(180),
      .iso: .number(400), .whiteBalanceMode: .choice(whiteBalance), .whiteBalanceTemperature: .number(5200),
      .redGain: .number(128), .blueGain: .number(120), .focusMode: .choice(focus),
      .lensPosition: .number(0.5),
      .focusStatus: .choice("idle"), .brightness: .number(128), .zoom: .number(1), .torch: .number(1),
    ]
    let changing: [CameraControl] = [
      .exposureDuration, .iso, .whiteBalanceTemperature, .redGain, .blueGain, .lensPosition, .focusStatus,
    ]
    state.capabilities = state.values.keys.sorted().map { control in
      var capability = CameraControlCapability(control)
      (capability.isVolatile, capability.isReadOnly) = (changing.contains(control), control == .focusStatus)
      return capability
    }
    change(&state)
    return state
  }

  /// Returns the controls that a preset stores. As in a session, controls under an automatic mode are inactive.
  private static func kept(_ state: ControlsState) -> [CameraControl] {
    var camera = CameraOperator()
    camera.state = state
    camera.markInactive()
    return camera.state.settable.keys.sorted()
  }

  private static let always: [CameraControl] = [
    .brightness, .exposureMode, .focusMode, .whiteBalanceMode, .zoom,
  ]

  @Test func whatIsSetByHandIsKept() {
    let state = Self.state(exposure: "manual", whiteBalance: "manual", focus: "locked")
    let byHand: [CameraControl] = [
      .exposureDuration, .iso, .whiteBalanceTemperature, .redGain, .blueGain, .lensPosition,
    ]
    #expect(Self.kept(state) == (Self.always + byHand).sorted())
  }

  @Test func whatIsAutomaticIsNotKept() {
    let state = Self.state(exposure: "auto", whiteBalance: "auto", focus: "continuous")
    #expect(Self.kept(state) == Self.always)
  }

  /// Each mode governs only its own values.
  @Test func oneModeByHandKeepsItsValuesAlone() {
    let exposed = Self.state(exposure: "manual", whiteBalance: "auto", focus: "continuous")
    #expect(Self.kept(exposed) == (Self.always + [.exposureDuration, .iso]).sorted())
    let focused = Self.state(exposure: "auto", whiteBalance: "daylight", focus: "locked")
    #expect(Self.kept(focused) == (Self.always + [.lensPosition]).sorted())
  }

  /// If an automatic mode does not exist, its values are always stored.
  @Test func whatHasNoModeIsKept() {
    let state = Self.state(exposure: "manual", whiteBalance: "auto", focus: "continuous") { state in
      state.capabilities.removeAll { $0.control == .exposureMode }
      state.values[.exposureMode] = nil
    }
    let kept = Self.kept(state)
    #expect(kept.contains(.exposureDuration) && kept.contains(.iso))
  }

  /// If the tint is computed from the colour gains, only the gains are stored, which loses nothing.
  @Test(arguments: [true, false]) func aTintIsKeptOnce(isMapped: Bool) {
    let state = Self.state(exposure: "auto", whiteBalance: "manual", focus: "continuous") { state in
      var tint = CameraControlCapability(.tint, -150...150, step: 1)
      if isMapped { tint.origin = .mapped("red-gain, blue-gain") }
      state.capabilities.append(tint)
      state.values[.tint] = .number(10)
    }
    let kept = Self.kept(state)
    #expect(kept.contains(.redGain) && kept.contains(.tint) == !isMapped)
  }
}
