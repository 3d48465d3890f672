import Capture
import Foundation
import JSON
import Replay
import System
import Testing

@testable import RemoteControl

/// Changes that no command causes appear in the state document at once.
@Suite(.serialized) struct NewsTests {
  private func listener(_ rig: HubRig) async -> Listener {
    await rig.hub.begin()
    await rig.hub.wake()
    await rig.state { $0 == .running }
    let listener = Listener(1)
    await rig.hub.connect(listener.client)
    return listener
  }

  /// REC-1: the reason is reported without a request.
  @Test func aRecordingThatEndsByItselfSaysWhy() async throws {
    let rig = try HubRig()
    let listener = await listener(rig)
    let started = await rig.hub.ask(listener, "startRecording", ["codec": .string("mjpeg")], id: "1")
    #expect(started?["status"] == .string("accepted"), "\(String(describing: started))")
    await rig.hub.session.stop()
    let change = await listener.first { $0["change"]?["recording"]?["ended"]?["trouble"] != nil }
    #expect(
      change?["change"]?["recording"]?["ended"]?["trouble"]
        == .string("The camera was closed."))
    let document = rig.hub.publisher.document
    #expect(document["isRecording"] == .bool(false))
    #expect(
      try RemoteSummary(document).recordingTrouble == "The camera was closed.")
    // The recording is over: it cannot be stopped, and the next one starts without the old message.
    #expect(await rig.hub.ask(listener, "stopRecording", id: "2")?["status"] == .string("refused"))
    await rig.hub.wake()
    await rig.state { $0 == .running }
    let again = await rig.hub.ask(listener, "startRecording", ["codec": .string("mjpeg")], id: "3")
    #expect(again?["status"] == .string("accepted"), "\(String(describing: again))")
    #expect(rig.hub.publisher.document["recording"]?["ended"] == .null)
    _ = await listener.first {
      $0["change"]?["recording"]?["written"].map { $0 != .integer(0) && $0 != .null } ?? false
    }
    _ = await rig.hub.ask(listener, "stopRecording", id: "4")
    let stopped = rig.hub.publisher.document["recording"]?["ended"]
    #expect(stopped?["trouble"] == .null && stopped?["file"] != .null)
    await rig.hub.end()
  }

  @Test func recordingsSayHowTheyAreCompressed() async throws {
    let rig = try HubRig()
    let listener = await listener(rig)
    _ = await rig.hub.ask(listener, "startRecording", ["codec": .string("mjpeg")], id: "1")
    _ = await listener.first {
      $0["change"]?["recording"]?["written"].map { $0 != .integer(0) && $0 != .null } ?? false
    }
    _ = await rig.hub.ask(listener, "stopRecording", id: "2")
    guard case .array(let films)? = rig.hub.publisher.document["recordings"] else { return }
    #expect(films.map { $0["codec"] } == [.string("mjpeg")])
    await rig.hub.end()
  }

  /// CTL-7: after a change of the lens, the document's source is the new lens's.
  @Test func theSourceIsThatOfTheLens() async throws {
    let tele = try SourceSpecification("simulated:96x64@20").makeSource(corpusRoots: [])
    let rig = try HubRig(source: "simulated:80x64@20", lenses: [LensList.Lens(factor: 5, source: tele)])
    let listener = await listener(rig)
    #expect(rig.hub.publisher.document["camera"]?["source"] == .string("simulated:80x64@20.0"))
    let index = try #require(await rig.hub.lenses.choices.firstIndex { $0.factor == 5 })
    let answer = await rig.hub.ask(listener, "selectLens", ["id": .string("\(index)")], id: "1")
    #expect(answer?["status"] == .string("accepted"), "\(String(describing: answer))")
    #expect(rig.hub.publisher.document["camera"]?["source"] == .string("simulated:96x64@20.0"))
    await rig.hub.end()
  }

  private static let look = "LUT_1D_SIZE 2\n0 0 0\n1 1 1\n"

  /// LUT-1: the document shows a look's error wherever the look is used. The error disappears when the file is repaired.
  @Test func aLookThatCannotBeReadSaysWhy() async throws {
    let rig = try HubRig()
    try FileManager.default.createDirectory(
      atPath: "\(rig.folder.path)/looks", withIntermediateDirectories: true)
    rig.folder.write("LUT_1D_SIZE 2\n0 0 0\n", to: "looks/broken.cube")
    let listener = await listener(rig)
    let chosen = await rig.hub.ask(listener, "setLook", ["name": .string("broken.cube")], id: "1")
    guard case .string(let reason)? = chosen?["reason"] else {
      Issue.record("it was taken: \(String(describing: chosen))")
      return
    }
    #expect(reason.hasPrefix("the look broken.cube cannot be used: "))
    // The look is valid when it is chosen, and is damaged afterwards.
    rig.folder.write(Self.look, to: "looks/broken.cube")
    _ = await rig.hub.ask(listener, "setLook", ["name": .string("broken.cube")], id: "2")
    rig.folder.write("LUT_1D_SIZE 2\n0 0 0\n", to: "looks/broken.cube")
    let change = await listener.first {
      if case .string? = $0["change"]?["look"]?["trouble"] { true } else { false }
    }
    guard case .string(let trouble)? = change?["change"]?["look"]?["trouble"] else { return }
    #expect(trouble.hasPrefix("The look broken.cube cannot be used: "))
    // If the look is to be baked in, a recording needs it.
    _ = await rig.hub.ask(listener, "setLook", ["bakesIn": .bool(true)], id: "3")
    #expect(rig.hub.publisher.document["refusals"]?["startRecording"] != nil)
    #expect(await rig.hub.ask(listener, "startRecording", id: "4")?["status"] == .string("refused"))
    rig.folder.write(Self.look, to: "looks/broken.cube")
    _ = await listener.first { $0["change"]?["look"]?["trouble"] == .null }
    #expect(rig.hub.publisher.document["refusals"]?["startRecording"] == nil)
    await rig.hub.end()
  }
}
