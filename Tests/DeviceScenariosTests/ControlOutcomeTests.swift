import Capture
import Harness
import Testing

@testable import DeviceScenarios

/// The verdict of `device.controls` on invented observations, without a lab.
@Suite struct ControlOutcomeTests {
  private func outcome(
    _ fault: ControlOutcome.Fault, took: Double?, note: CameraControlResult.Note, told: Double?,
    expected: Double,
    before: Double? = 1.5
  ) -> ControlOutcome {
    func value(_ number: Double?) -> CameraControlValue? { number.map { .number($0) } }
    var result = CameraControlResult(.zoom, wanted: .number(3), took: value(took), note: note)
    if note == .refused {
      result = CameraControlResult(.zoom, wanted: .number(3), refusal: "input/output error")
    }
    return ControlOutcome(
      control: .zoom, fault: fault, wanted: .number(3), before: value(before), expected: value(expected),
      result: result,
      told: value(told))
  }

  @Test func whatIsToldAsItIsPasses() {
    #expect(outcome(.honest, took: 3, note: .exact, told: 3, expected: 3).complaint == nil)
    #expect(outcome(.ignore, took: 1.5, note: .ignored, told: 1.5, expected: 1.5).complaint == nil)
    #expect(outcome(.clamp, took: 2, note: .ignored, told: 2, expected: 2).complaint == nil)
    #expect(outcome(.delay, took: 1.5, note: .ignored, told: 3, expected: 3).complaint == nil)
    #expect(outcome(.refuse, took: nil, note: .refused, told: 1.5, expected: 1.5).complaint == nil)
  }

  @Test func whatIsNotSoIsAComplaint() {
    #expect(outcome(.honest, took: 2, note: .exact, told: 3, expected: 3).complaint != nil)
    #expect(outcome(.ignore, took: 3, note: .exact, told: 1.5, expected: 1.5).complaint != nil)
    #expect(outcome(.ignore, took: 1.5, note: .ignored, told: 3, expected: 1.5).complaint != nil)
    #expect(outcome(.clamp, took: 2, note: .exact, told: 2, expected: 2).complaint != nil)
    #expect(outcome(.delay, took: 3, note: .exact, told: 1.5, expected: 3).complaint != nil)
    #expect(outcome(.refuse, took: 3, note: .exact, told: 1.5, expected: 1.5).complaint != nil)
    #expect(outcome(.honest, took: 3, note: .exact, told: 3, expected: 3, before: nil).complaint != nil)
  }

  @Test func whatIsMissingIsNamed() {
    let all = DeviceControls.expected.map { CameraControlCapability($0) }
    #expect(DeviceControls.offered(all).passed)
    let check = DeviceControls.offered(Array(all.dropLast()))
    #expect(!check.passed && check.detail.contains("sharpness"))
    let absent = all.map { CameraControlCapability($0.control, absence: "not there") }
    #expect(!DeviceControls.offered(absent).passed)
  }

  @Test func thePictureMustComeBack() {
    #expect(DeviceControls.followed(before: 100, after: 96, isHeld: true).passed)
    #expect(!DeviceControls.followed(before: 100, after: 70, isHeld: true).passed)
    #expect(!DeviceControls.followed(before: 100, after: 100, isHeld: false).passed)
    #expect(!DeviceControls.followed(before: nil, after: nil, isHeld: true).passed)
  }
}
