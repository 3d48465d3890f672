import Capture
import Imagery
import JSON
import System
import Testing

@testable import RemoteControl

@Suite struct CommandTests {
  private func command(_ name: String, _ arguments: String = "{}") throws -> ViewfinderCommand {
    guard case .object(let members) = try JSONParser.parse(Array(arguments.utf8)) else {
      throw JSONError(reason: "no object")
    }
    return try ViewfinderCommand(name, members)
  }

  @Test func readsEveryCommand() throws {
    #expect(try command("takePhoto") == .takePhoto)
    #expect(try command("startRecording", #"{"codec":"hevc"}"#) == .startRecording(codec: "hevc"))
    #expect(
      try command("setExposureBias", #"{"value":-1,"phase":"preview"}"#)
        == .setExposureBias(-1, isCommit: false))
    #expect(try command("setExposureBias", #"{"value":0.5}"#) == .setExposureBias(0.5, isCommit: true))
    #expect(try command("setShutter", #"{"angle":180}"#) == .set(.shutterAngle, .number(180)))
    #expect(
      try command("setShutter", #"{"duration":0.02}"#) == .set(.exposureDuration, .number(0.02)))
    #expect(
      try command("setWhiteBalance", #"{"mode":"auto"}"#) == .set(.whiteBalanceMode, .choice("auto")))
    #expect(
      try command("setWhiteBalance", #"{"temperature":5600}"#)
        == .set(.whiteBalanceTemperature, .number(5600)))
    #expect(try command("setISO", #"{"value":400}"#) == .set(.iso, .number(400)))
    #expect(try command("setExposureMode", #"{"mode":"manual"}"#) == .set(.exposureMode, .choice("manual")))
    #expect(try command("setTint", #"{"value":-10}"#) == .set(.tint, .number(-10)))
    #expect(try command("setStabilization", #"{"on":true}"#) == .set(.stabilization, .flag(true)))
    #expect(try command("focus", #"{"x":0,"y":1,"lock":true}"#) == .focus(x: 0, y: 1, locks: true))
    #expect(try command("setZoom", #"{"factor":2,"ramp":true}"#) == .rampZoom(to: 2))
    #expect(try command("setZoom", #"{"factor":2}"#) == .set(.zoom, .number(2)))
    #expect(try command("setLook", #"{"name":null}"#) == .setLook(name: "", isActive: nil, bakesIn: nil))
    #expect(try command("setLook", #"{"active":true}"#) == .setLook(name: nil, isActive: true, bakesIn: nil))
    #expect(try command("dockStop") == .dock(name: "dockStop", arguments: [:]))
  }

  @Test(
    arguments: [
      ("launch", "{}", "there is no command of this name; Schemas/viewfinder.schema.json lists them"),
      ("setISO", "{}", "value is missing"),
      ("setISO", #"{"value":"400"}"#, "value must be a number from -1000000000.0 to 1000000000.0"),
      ("setISO", #"{"value":1e300}"#, "value must be a number from -1000000000.0 to 1000000000.0"),
      ("setExposureBias", #"{"value":0,"phase":"late"}"#, "phase must be preview or commit"),
      ("lockExposure", #"{"on":1}"#, "on must be true or false"),
      ("selectFormat", #"{"width":0,"height":1,"rate":30}"#, "width must be a whole number from 1 to 65536"),
      ("setSetting", #"{"key":"a"}"#, "value is missing"),
    ])
  func refusesInOneClause(name: String, arguments: String, reason: String) {
    #expect(throws: JSONError(reason: reason)) { try command(name, arguments) }
  }

  @Test(
    arguments: [
      (#"{"type":"command","id":"1","command":"retry"}"#, true),
      (#"{"type":"command","id":"1","command":"retry","arguments":{"a":1}}"#, true),
      (#"{"type":"clock","id":"x"}"#, true), (#"{"type":"shown","number":1}"#, true),
      (#"{"type":"command","command":"retry"}"#, false), (#"{"type":"state"}"#, false), ("[]", false),
      ("", false), (#"{"type":"command","id":1,"command":"retry"}"#, false),
      (#"{"type":"command","id":"1","command":"retry","arguments":[]}"#, false),
    ])
  func messageIsReadOrRefused(text: String, isOne: Bool) {
    #expect(((try? ClientMessage(Array(text.utf8))) != nil) == isOne)
  }

  @Test func messageAndItsNamesAreBounded() {
    let long = String(repeating: "x", count: 129)
    #expect(throws: JSONError.self) { try ClientMessage(Array(#"{"type":"clock","id":"\#(long)"}"#.utf8)) }
    let filler = [UInt8](repeating: 32, count: ClientMessage.byteLimit)
    #expect(throws: JSONError(reason: "a message must have at most 64 KiB")) {
      try ClientMessage(Array(#"{"type":"clock","id":"x"}"#.utf8) + filler)
    }
  }
}

@Suite struct BiasRulesTests {
  /// Returns the values that reach a device whose bias is `present`. Times are in milliseconds; a commit ends a drag.
  private func sent(
    _ values: [(value: Double, isCommit: Bool, time: Int64)], present: Double?
  ) -> [Double] {
    var (rules, present, sent) = (BiasRules(), present, [Double]())
    for (value, isCommit, time) in values {
      let time = MonotonicTime(nanoseconds: time * 1_000_000)
      guard rules.sends(value, isCommit: isCommit, present: present, at: time) else { continue }
      sent.append(value)
      present = value
    }
    return sent
  }

  /// CTL-1: of a drag's sixty positions in a second, at most about ten reach the device, and the commit sends the final one.
  @Test func dragReachesTheDeviceTenTimesASecond() {
    let drag = (1...60).map { (Double($0) / 60, false, Int64($0) * 1000 / 60) }
    let sent = sent(drag + [(1.1, true, 1001)], present: 0)
    #expect((9...11).contains(sent.count) && sent.last == 1.1)
  }

  @Test func commitOfWhatHoldsSendsNothing() {
    #expect(sent([(0.5, true, 0)], present: 0.5) == [])
    // The drag has already set the value that is committed.
    #expect(sent([(0.7, false, 1), (0.7, true, 2)], present: 0.5) == [0.7])
    #expect(sent([(0.7, false, 1), (0.7, true, 2), (0, true, 3)], present: 0.5) == [0.7, 0])
  }

  @Test func valueThatIsNotKnownIsSent() { #expect(sent([(0, true, 0)], present: nil) == [0]) }
}
