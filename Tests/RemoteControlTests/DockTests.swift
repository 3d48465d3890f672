import Capture
import Dock
import JSON
import Replay
import System
import Testing

@testable import Harness
@testable import RemoteControl

/// A viewfinder with a simulated dock, and with buttons beside the camera. The tests run serially, because each draws its camera's
/// pictures in real time.
@Suite(.serialized) struct ViewfinderDockTests {
  private static let source = "simulated:96x64@20?dock=absolute"

  /// DCK-1, RMT-1: a dock connects with its camera, is moved by hand, and stops when the client that moved it disconnects.
  @Test func aDockIsMovedAndStopsWhenItsClientGoes() async throws {
    let rig = try HubRig(source: Self.source, dock: ViewfinderDock(DockController()))
    let schema = JSONSchema(root: try JSONParser.parse(PackageResources.viewfinder_schema_json))
    await rig.hub.begin()
    let (watcher, mover) = (Listener(1), Listener(2))
    await rig.hub.connect(watcher.client)
    #expect(await rig.hub.ask(watcher, "dockStop", id: "early")?["status"] == .string("refused"))
    await rig.hub.wake()
    _ = await watcher.first { $0["change"]?["dock"]?["status"] == .string("connected") }
    #expect(schema.violations(of: rig.hub.publisher.document) == [])
    await rig.hub.connect(mover.client)
    let early = await rig.hub.ask(mover, "dockMove", ["pan": .number(0.2), "tilt": .number(0)], id: "1")
    #expect(
      early?["reason"] == .string("cannot move by hand in the mode system; choose the mode manual first"))
    let wrong = await rig.hub.ask(mover, "dockMove", ["pan": .string("left")], id: "2")
    #expect(wrong?["status"] == .string("refused"))
    _ = await rig.hub.ask(mover, "dockMode", ["mode": .string("manual")], id: "3")
    // Presses in alternating directions. On a busy machine, a dock that is pressed once may stop by itself, and one that is pressed
    // in one direction may reach its end, before its movement is reported.
    var (isTurning, presses) = (false, 0)
    while !isTurning && presses < 100_000 {
      presses += 1
      let moved = await rig.hub.ask(
        mover, "dockMove", ["pan": .number(presses % 2 == 0 ? 9 : -9), "tilt": .number(0)],
        id: "held-\(presses)")
      #expect(moved?["result"]?["note"] == .string("the speed was limited to 2.0 rad/s"))
      isTurning = watcher.messages.contains {
        // JSON parsing gives an integer for a whole number.
        $0["change"]?["dock"]?["motion"]?["pan"].map { $0 != .integer(0) } ?? false
      }
    }
    #expect(isTurning)
    await rig.hub.disconnect(mover.client)
    #expect(rig.hub.publisher.document["dock"]?["motion"]?["pan"] == .number(0))
    await rig.hub.end()
  }

  /// PHO-1, REC-1, DCK-1: a key beside the camera acts like the page's button, even if no client is connected.
  @Test func buttonsTakePhotosRecordAndChangeTheLens() async throws {
    let dock = DockController()
    let rig = try HubRig(dock: ViewfinderDock(dock))
    await rig.hub.begin()
    let watcher = Listener(1)
    await rig.hub.connect(watcher.client)
    dock.note(.photo)
    let photo = await watcher.first { $0["event"] == .string("button") && $0["button"] == .string("photo") }
    #expect(photo?["refused"] == nil && photo != nil)
    #expect(rig.hub.publisher.document["photos"]?["count"] == .integer(1))
    dock.note(.shutter)
    _ = await watcher.first { $0["change"]?["isRecording"] == .bool(true) }
    _ = await watcher.first {
      $0["change"]?["recording"]?["written"].map { $0 != .integer(0) && $0 != .null } ?? false
    }
    dock.note(.shutter)
    _ = await watcher.first { $0["change"]?["isRecording"] == .bool(false) }
    dock.note(.flip)
    let flip = await watcher.first { $0["button"] == .string("flip") }
    let reason = "there is no other camera; add one with `swiftwing view --serve --lens`"
    #expect(flip?["refused"] == .string(reason))
    await rig.hub.end()
  }
}
