import JSON
import Testing

@testable import RemoteControl

@Suite struct FollowedStateTests {
  private func value(_ text: String) throws -> JSONValue { try JSONParser.parse(Array(text.utf8)) }

  @Test func followsChangesInTheirOrder() throws {
    var state = FollowedState()
    #expect(try state.take(value(#"{"type":"state","revision":7,"state":{"a":1,"b":{"c":2}}}"#)) == .changed)
    #expect(try state.take(value(#"{"type":"event","event":"flash"}"#)) == .other)
    #expect(
      try state.take(value(#"{"type":"change","revision":8,"change":{"b":{"c":null,"d":3}}}"#)) == .changed)
    #expect(try state.document == value(#"{"a":1,"b":{"d":3}}"#))
    #expect(state.revision == 8)
  }

  /// RMT-1: a remote that misses a change discards its outdated state.
  @Test(arguments: [
    #"{"type":"change","revision":9,"change":{"a":2}}"#, #"{"type":"change","revision":7,"change":{}}"#,
  ])
  func changeThatIsMissingClearsTheState(text: String) throws {
    var state = FollowedState()
    _ = try state.take(value(#"{"type":"state","revision":7,"state":{"a":1}}"#))
    #expect(try state.take(value(text)) == .broken)
    #expect(state.document == nil)
  }

  @Test func lostLinkClearsTheState() throws {
    var state = FollowedState()
    _ = try state.take(value(#"{"type":"state","revision":7,"state":{"a":1}}"#))
    state.lose()
    #expect(state.document == nil && state.revision == 0)
    #expect(try state.take(value(#"{"type":"change","revision":8,"change":{}}"#)) == .broken)
  }

  @Test func summaryTellsTheTimecodeOfARecording() throws {
    let summary = try RemoteSummary(
      value(
        #"{"isRecording":true,"isAppActive":true,"selectedFrameRate":25,"recordingStartTime":1000,"session":{"state":"running","message":null}}"#
      ))
    #expect(summary.timecode(at: 1000)?.description == "00:00:00:00")
    #expect(summary.timecode(at: 1000.96)?.description == "00:00:00:24")
    #expect(summary.timecode(at: 4661.04)?.description == "01:01:01:01")
    #expect(summary.timecode(at: 900)?.description == "00:00:00:00")
    #expect(summary.session == "running" && summary.message == nil)
  }

  @Test(
    arguments: [
      (0, 30, "00:00:00:00"), (67.4, 30, "00:01:07:12"), (0.05, 30, "00:00:00:01"),
      (59.9999, 24, "00:00:59:23"),
      (1, 29.97, "00:00:01:00"), (0.999, 29.97, "00:00:00:29"), (.infinity, 30, "00:00:00:00"),
      (-5, 30, "00:00:00:00"),
      (1e9, 30, "99:59:59:00"), (0.5, .nan, "00:00:00:00"),
    ] as [(Double, Double, String)])
  func timecodeCountsFrames(seconds: Double, rate: Double, expected: String) {
    #expect(Timecode(seconds: seconds, rate: rate).description == expected)
  }
}
