import Capture
import Harness
import JSON
import Testing

@testable import swiftwing_tool

/// Controls as users write and read them.
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
      CameraControlCapability(.exposureDuration, 0.0001...0.5, step: 0.0001, unit: .seconds),
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
    ("exposure-mode=night", "it takes auto, manual"),
    ("iso=much", "it takes a number from 100 to 800 ISO"),
    ("iso=nan", "it takes a number"), ("iso=on", "it takes a number"), ("iso=1/50", "100 to 800 ISO"),
    ("exposure-duration=1/50", "a number from 0.0001 to 0.5 s; 1/50 s is 0.02"),
    ("exposure-duration=1/0", "it takes a number from 0.0001 to 0.5 s"),
    ("focus-point=0.5,2", "it takes X,Y from 0 to 1"), ("focus-point=1,1,1", "it takes X,Y from 0 to 1"),
    ("stabilization=much", "it takes on or off"),
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

  /// Text that is too long for its column continues on the next line, in the same column.
  @Test func aLineHasEightyColumns() {
    let words = (1...20).map { "choice-\($0)" }
    var long = CameraControlCapability(CameraControl(rawValue: "v4l2:0x980913"), choices: words)
    long.origin = .mapped("a name that is long enough for another line, or for two of them")
    let absent = CameraControlCapability(.torch, absence: String(repeating: "no light ", count: 20))
    let wide = CameraControlCapability(CameraControl(rawValue: String(repeating: "n", count: 40)))
    for capability in [long, absent, wide] {
      let lines = ControlText.line(capability, .choice(String(repeating: "v", count: 20)))
        .split(separator: "\n")
      #expect(lines.allSatisfy { $0.count <= 80 && $0.last != " " }, "\(lines)")
    }
    let lines = ControlText.line(long, .choice("choice-1")).split(separator: "\n")
    let indent = String(repeating: " ", count: 44)
    #expect(
      lines.count > 4
        && lines.dropFirst().allSatisfy { $0.hasPrefix(indent) && $0.dropFirst(44).first != " " })
    #expect(ControlText.line(wide, .flag(true)).hasSuffix("n on"), "columns do not run together")
  }

  /// A number has only the digits that the device's step needs.
  @Test func figuresAreShort() {
    let duration = CameraControlCapability(.exposureDuration, 0.0001...0.5, step: 0.0001, unit: .seconds)
    let angle = CameraControlCapability(.shutterAngle, 1.1...360, unit: .degrees)
    #expect(ControlNumber.text(50.00000000000001) == "50")
    #expect(ControlNumber.text(0.1 + 0.2) == "0.3")
    #expect(ControlNumber.text(0.033333333, duration) == "0.033333")
    #expect(ControlNumber.text(0.0156, duration) == "0.0156", "a step is distinguished from the next")
    #expect(ControlNumber.text(108.00000108, angle) == "108")
    #expect(ControlNumber.text(1e-17, angle) == "0")
    #expect(ControlNumber.text(-0.3) == "-0.3" && ControlNumber.text(1e20) == "1e+20")
    #expect(
      ControlNumber.text(.point(x: 0.1 + 0.2, y: 1)) == "0.3,1" && ControlNumber.text(.flag(true)) == "on")
    #expect(ControlText.line(angle, .number(50.00000000000001)).contains(" 50 °  "))
  }

  @Test func whatWasClampedIsOneSentence() {
    let results = [-8.0, 0, 8].map { wanted in
      CameraControlResult(
        .exposureBias, wanted: .number(wanted), took: .number(min(max(wanted, -2), 2)),
        note: wanted == 0 ? .exact : .clamped)
    }
    #expect(
      ControlText.clamped(results)
        == "clamped, because the camera has no more: exposure-bias -8 to -2, exposure-bias 8 to 2")
    #expect(ControlText.clamped([results[1]]) == nil)
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
