import JSON
import RemoteControl
import Testing

@testable import swiftwing_tool

@Suite struct RemoteTextTests {
  @Test func serveTakesAPortOrItsUsualOne() throws {
    func port(_ line: String) throws -> UInt16? {
      let words = line.split(separator: " ").map(String.init)
      return try #require(try Invocation(words).command() as? View).service.serve
    }
    #expect(try port("view") == nil)
    #expect(try port("view --serve") == 8480)
    #expect(try port("view --serve --json") == 8480)
    #expect(try port("view --serve 0 --json") == 0)
    #expect(try port("view --serve=9000") == 9000)
  }

  @Test(
    arguments: [
      ("stop", [], "dockStop", "{}"), ("mode", ["manual"], "dockMode", #"{"mode":"manual"}"#),
      ("move", ["0.2", "-0.1"], "dockMove", #"{"pan":0.2,"tilt":-0.1}"#),
      ("select", ["none"], "dockSelect", #"{"none":true}"#), ("select", ["a"], "dockSelect", #"{"id":"a"}"#),
      ("select", ["0.5", "0.25"], "dockSelect", #"{"x":0.5,"y":0.25}"#),
      ("roi", ["none"], "dockROI", #"{"rect":null}"#),
      ("roi", ["0", "0", "1", "0.5"], "dockROI", #"{"rect":[0,0,1,0.5]}"#),
      ("preset", ["desk"], "dockPreset", #"{"name":"desk","save":true}"#),
      ("feature", ["tracking", "off"], "dockFeature", #"{"name":"tracking","on":false}"#),
    ])
  func dockIsToldInWords(action: String, values: [String], command: String, arguments: String) throws {
    let call = try #require(DockWords.call(action, values, save: true))
    #expect(call.name == command)
    #expect(String(decoding: JSONSerializer.line(.object(call.arguments)), as: UTF8.self) == arguments)
  }

  @Test(arguments: [
    ("move", ["a", "b"]), ("move", ["1"]), ("feature", ["tracking", "maybe"]), ("wave", []),
    ("zoom", ["inf"]),
  ])
  func otherWordsAreRefused(action: String, values: [String]) {
    #expect(DockWords.call(action, values, save: false) == nil)
  }

  @Test func lineTellsWhatARemoteShows() throws {
    let document = try JSONParser.parse(
      Array(
        #"{"isRecording":true,"isAppActive":false,"selectedFrameRate":29.97,"recordingStartTime":1000,"session":{"state":"running"}}"#
          .utf8))
    let summary = try RemoteSummary(document)
    #expect(
      RemoteText.line(summary, at: 1061.5)
        == "running, no client watches, 29.97 frames a second, recording 00:01:01:14")
  }
}
