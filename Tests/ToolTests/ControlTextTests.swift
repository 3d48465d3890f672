import Capture
import Harness
import JSON
import Testing

@testable import swiftwing_tool

/// Controls as a user writes and reads them.
@Suite struct ControlTextTests {
  private let capabilities: [CameraControlCapability] = {
    var gain = CameraControlCapability(.iso, 100...800, step: 100, unit: .iso)
    gain.origin = .mapped("gain")
    var offset = CameraControlCapability(.exposureTargetOffset, -3...3, unit: .ev)
    offset.isReadOnly = true
    return [
      gain, offset, CameraControlCapability(.exposureMode, choices: ["auto", "manual"]),
      CameraControlCapability(.torch, absence: "this camera has no light"),
      CameraControlCapability(.focusPoint), CameraControlCapability(.stabilization),
    ]
  }()

  @Test(arguments: [
    ("iso=400", CameraControl.iso, CameraControlValue.number(400)), ("iso=-1.5", .iso, .number(-1.5)),
    ("exposure-mode=auto", .exposureMode, .choice("auto")),
    ("focus-point=0.25,1", .focusPoint, .point(x: 0.25, y: 1)),
    ("stabilization=on", .stabilization, .flag(true)), ("stabilization=off", .stabilization, .flag(false)),
  ])
  func whatIsWrittenIsRead(text: String, control: CameraControl, value: CameraControlValue) throws {
    let setting = try ControlText.setting(text, of: capabilities)
    #expect(setting.control == control && setting.value == value)
  }

  @Test(arguments: [
    ("iso", "write NAME=VALUE"), ("=3", "write NAME=VALUE"),
    ("colour=3", "there is no control colour; this camera has"),
    ("exposure-mode=night", "it takes auto, manual"), ("iso=much", "it takes a number"),
    ("iso=nan", "it takes a number"),
    ("focus-point=0.5,2", "it takes a number"), ("focus-point=1,1,1", "it takes a number"),
  ])
  func whatCannotBeIsRefusedInOneSentence(text: String, reason: String) {
    let failure = #expect(throws: Failure.self) { try ControlText.setting(text, of: capabilities) }
    #expect(failure?.description.contains(reason) == true && failure?.status == .usage)
  }

  @Test func aLineSaysWhatAControlIs() {
    let lines = capabilities.map { ControlText.line($0, $0.control == .iso ? .number(400) : nil) }
    #expect(lines[0] == "iso                         400 ISO         100…800 by 100, by gain")
    #expect(lines[1].hasSuffix("-3…3, read only"))
    #expect(lines[2].hasSuffix("auto|manual"))
    #expect(lines[3] == "torch                       absent: this camera has no light")
  }

  @Test func aResultSaysWhatTheDeviceTook() {
    let clamped = CameraControlResult(.iso, wanted: .number(9000), took: .number(800), note: .clamped)
    #expect(ControlText.line(clamped) == "iso is 800, not 9000 (clamped)")
    #expect(
      ControlText.line(CameraControlResult(.iso, wanted: .number(100), took: .number(100))) == "iso is 100")
    let refused = CameraControlResult(.torch, wanted: .number(1), refusal: "This camera has no light.")
    #expect(ControlText.line(refused) == "torch was not set to 1: This camera has no light.")
  }

  @Test(arguments: [
    CameraControlValue.number(0.5), .choice("auto"), .point(x: 0.25, y: 1), .flag(true), .number(3),
  ])
  func aPresetKeepsValues(value: CameraControlValue) throws {
    #expect(CameraControlValue(try JSONParser.parse(JSONSerializer.line(value.json))) == value)
  }

  @Test func aDamagedPresetHasNoValue() {
    #expect(CameraControlValue(JSONValue.null) == nil)
    #expect(CameraControlValue(JSONValue.array([.integer(1)])) == nil)
    #expect(CameraControlValue(JSONValue.object(["x": .integer(1)])) == nil)
  }

  @Test func severalPhotosAreNumbered() {
    #expect(CameraPhotoOptions.isSource("/dev/video0") && CameraPhotoOptions.isSource("corpus:turn"))
    #expect(!CameraPhotoOptions.isSource("/dev/zero") && !CameraPhotoOptions.isSource("a:b.jpg"))
  }
}
