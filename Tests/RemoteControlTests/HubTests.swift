import Capture
import Dock
import Foundation
import Imagery
import JSON
import Recording
import Replay
import System
import Testing

@testable import Harness
@testable import RemoteControl

/// A hub with a simulated camera, and a folder for its files.
final class HubRig: Sendable {
  let folder: TestFolder
  let hub: ViewfinderHub

  /// Creates a hub.
  /// - Parameter pause: the time from the last viewer's departure until the camera is released.
  init(
    source: String = "sensor:80x64@20", of given: (any CameraSource)? = nil, pause: Duration? = nil,
    dock: (any DockControl)? = nil,
    spines: (any SpineControl)? = nil, settings: String? = nil, lenses: [LensList.Lens] = []
  ) throws {
    folder = try TestFolder()
    let camera = try given ?? SourceSpecification(source).makeSource(corpusRoots: [])
    var configuration = ViewfinderConfiguration(source: camera)
    (configuration.recordings, configuration.photos) = (folder.path, folder.path)
    configuration.settingsPath = settings ?? "\(folder.path)/settings.json"
    configuration.looks = "\(folder.path)/looks"
    configuration.lenses = lenses
    (configuration.pause, configuration.dock, configuration.spines) = (pause, dock, spines)
    hub = ViewfinderHub(configuration)
  }

  /// Waits for a state that `fits` accepts, beginning with the present one.
  func state(_ fits: @Sendable (SessionState) -> Bool) async {
    for await state in await hub.session.states() where fits(state) { return }
  }
}

/// A source whose camera is not made before it is released.
final class HeldSource: CameraSource {
  private let source: any CameraSource
  private let isReleased = Locked(false)

  init(_ source: any CameraSource) { self.source = source }

  var specification: String { source.specification }

  func release() {
    isReleased.withLock { $0 = true }
    isReleased.notify()
  }

  func makeCamera(clock: any CaptureClock) throws(CameraError) -> any Camera {
    isReleased.wait { $0 ? () : nil }
    return try source.makeCamera(clock: clock)
  }
}

/// The tests run serially, because each draws its camera's pictures in real time.
@Suite(.serialized) struct HubTests {
  @Test func documentFollowsTheSchema() async throws {
    let schema = JSONSchema(root: try JSONParser.parse(PackageResources.viewfinder_schema_json))
    let rig = try HubRig()
    #expect(schema.violations(of: await rig.hub.facts.document) == [])
    await rig.hub.begin()
    let listener = Listener(1)
    await rig.hub.connect(listener.client)
    _ = await rig.hub.ask(listener, "takePhoto", id: "photo")
    _ = await rig.hub.ask(listener, "startRecording", id: "start")
    _ = await rig.hub.ask(listener, "focus", ["x": .number(0.25), "y": .number(0.5)], id: "focus")
    let document = rig.hub.publisher.document
    #expect(schema.violations(of: document) == [])
    #expect(document["isRecording"] == .bool(true) && document["format"]?["width"] == .integer(80))
    #expect(document["focus"]?["point"] == .array([.number(0.25), .number(0.5)]))
    #expect(document["photos"]?["count"] == .integer(1))
    await rig.hub.end()
  }

  /// The schema has the arguments of each implemented command, and no others.
  @Test func schemaNamesEveryCommand() throws {
    let schema = try JSONParser.parse(PackageResources.viewfinder_schema_json)
    guard case .object(let definitions)? = schema["$defs"] else {
      Issue.record("the schema has no definitions")
      return
    }
    let names = definitions.keys.compactMap { $0.hasPrefix("command.") ? String($0.dropFirst(8)) : nil }
    #expect(Set(names) == Set(ViewfinderCommandName.allCases.map(\.rawValue)))
    for name in names {
      do throws(JSONError) { _ = try ViewfinderCommand(name, [:]) } catch {
        #expect(!error.reason.hasPrefix("there is no command of this name"), "\(name)")
      }
    }
    // The dock's commands are declared a second time, in the module that parses them.
    let docks = ViewfinderCommandName.allCases.map(\.rawValue).filter { $0.hasPrefix("dock") }
    #expect(Set(docks) == Set(DockCommandName.allCases.map(\.rawValue)))
  }

  @Test func everyCommandIsAnsweredOnceAndAChangeComesBeforeItsAnswer() async throws {
    let rig = try HubRig()
    await rig.hub.begin()
    let listener = Listener(1)
    await rig.hub.connect(listener.client)
    let refused = await rig.hub.ask(listener, "launch", id: "a")
    #expect(refused?["status"] == .string("refused"))
    let reason =
      "cannot do launch: there is no command of this name; Schemas/viewfinder.schema.json lists them"
    #expect(refused?["reason"] == .string(reason))
    let accepted = await rig.hub.ask(listener, "setOverlay", ["visible": .bool(true)], id: "b")
    #expect(accepted?["status"] == .string("accepted"))
    var state = FollowedState()
    for message in listener.messages where state.take(message) == .other {
      guard message["id"] == .string("b") else { continue }
      #expect(state.document?["overlay"]?["isVisible"] == .bool(true))
      #expect(message["revision"] == .integer(Int64(state.revision)))
    }
    rig.hub.take(Array("{".utf8), from: listener.client)
    let error = await listener.first { $0["type"] == .string("error") }
    #expect(error?["reason"] != nil)
    rig.hub.take(Array(#"{"type":"clock","id":"c"}"#.utf8), from: listener.client)
    let clock = await listener.first { $0["type"] == .string("clock") }
    #expect(clock?["id"] == .string("c"))
    await rig.hub.end()
  }

  /// PHO-1, REC-1, RMT-1: a remote takes photos and records while no client views pictures.
  @Test func remoteTakesPhotosAndRecords() async throws {
    let rig = try HubRig()
    await rig.hub.begin()
    let listener = Listener(1)
    await rig.hub.connect(listener.client)
    let photo = await rig.hub.ask(listener, "takePhoto", id: "1")
    #expect(photo?["status"] == .string("accepted"), "\(String(describing: photo))")
    #expect(await rig.hub.ask(listener, "stopRecording", id: "2")?["status"] == .string("refused"))
    #expect(await rig.hub.ask(listener, "startRecording", id: "3")?["status"] == .string("accepted"))
    let again = await rig.hub.ask(listener, "startRecording", id: "4")
    #expect(again?["status"] == .string("refused"))
    _ = await listener.first {
      $0["change"]?["recording"]?["written"].map { $0 != .integer(0) && $0 != .null } ?? false
    }
    let stopped = await rig.hub.ask(listener, "stopRecording", id: "5")
    #expect(stopped?["status"] == .string("accepted"), "\(String(describing: stopped))")
    guard case .string(let name)? = stopped?["result"]?["name"] else { return }
    #expect(rig.folder.names.contains(name))
    #expect(rig.hub.publisher.document["isRecording"] == .bool(false))
    #expect(
      await rig.hub.ask(listener, "deleteRecording", ["name": .string("../\(name)")], id: "6")?["status"]
        == .string("refused"))
    #expect(
      await rig.hub.ask(listener, "deleteRecording", ["name": .string(name)], id: "7")?["status"]
        == .string("accepted"))
    #expect(!rig.folder.names.contains(name))
    #expect(rig.hub.publisher.document["recordings"] == .array([]))
    await rig.hub.end()
  }

  /// Photos of the same millisecond do not replace each other.
  @Test func noPhotoTakesTheNameOfAnother() async throws {
    let rig = try HubRig()
    for name in ["photo-x.jpg", "photo-x-2.jpg"] {
      try DurableFile.replace("\(rig.folder.path)/\(name)", with: [1])
    }
    #expect(await rig.hub.freeName("photo-x") == "photo-x-3.jpg")
    #expect(await rig.hub.freeName("photo-y") == "photo-y.jpg")
  }

  /// CTL-1, checklist A 12: the bias applies to automatic exposure only. In manual exposure it is refused.
  @Test func biasIsRefusedInManualExposure() async throws {
    let rig = try HubRig()
    await rig.hub.begin()
    await rig.hub.wake()
    let listener = Listener(1)
    await rig.hub.connect(listener.client)
    let bias = await rig.hub.ask(listener, "setExposureBias", ["value": .number(0.52)], id: "1")
    #expect(bias?["result"]?["took"] == .number(0.5), "\(String(describing: bias))")
    _ = await rig.hub.ask(listener, "setISO", ["value": .number(400)], id: "2")
    let refused = await rig.hub.ask(listener, "setExposureBias", ["value": .number(1)], id: "3")
    #expect(
      refused?["reason"]
        == .string(
          "the exposure bias is not set: the exposure is manual, and compensation is for automatic exposure; "
            + "make it automatic first"))
    #expect(rig.hub.publisher.document["exposure"]?["bias"]?["enabled"] == .bool(false))
    await rig.hub.end()
  }

  /// PWR-1, checklist E 68: the first viewer opens the camera, and the departure of the last one releases it.
  @Test func cameraLivesWithItsViewers() async throws {
    let rig = try HubRig(pause: .milliseconds(20))
    await rig.hub.begin()
    #expect(await rig.hub.session.state == .idle)
    let (first, second) = (rig.hub.pictures.enter(), rig.hub.pictures.enter())
    await rig.hub.noteViewers()
    await rig.state { $0 == .running }
    #expect(rig.hub.publisher.document["isAppActive"] == .bool(true))
    rig.hub.pictures.leave(first)
    await rig.hub.noteViewers()
    #expect(await rig.hub.session.state == .running)
    rig.hub.pictures.leave(second)
    await rig.hub.noteViewers()
    await rig.state { $0 == .paused(.inactivity) }
    #expect(rig.hub.publisher.document["isAppActive"] == .bool(false))
    let third = rig.hub.pictures.enter()
    await rig.hub.noteViewers()
    await rig.state { $0 == .running }
    rig.hub.pictures.leave(third)
    await rig.hub.end()
  }

  /// A viewer that leaves while the camera is being opened is not taken for one that is still there: the next viewer opens the camera.
  @Test func aViewerMayLeaveWhileTheCameraOpens() async throws {
    let source = HeldSource(try SourceSpecification("sensor:80x64@20").makeSource(corpusRoots: []))
    let rig = try HubRig(of: source, pause: .milliseconds(20))
    await rig.hub.begin()
    let first = rig.hub.pictures.enter()
    let opening = Task { await rig.hub.noteViewers() }
    await rig.state { [.starting, .loading].contains($0) }
    rig.hub.pictures.leave(first)
    await rig.hub.noteViewers()
    source.release()
    await opening.value
    await rig.state { $0 == .paused(.inactivity) }
    let second = rig.hub.pictures.enter()
    await rig.hub.noteViewers()
    #expect(await rig.hub.session.state != .paused(.inactivity))
    rig.hub.pictures.leave(second)
    await rig.hub.end()
  }

  /// INT-4, checklist D 62 and H 83: a hidden page pauses the camera, and recordings are then refused.
  @Test func hiddenPagePausesTheCamera() async throws {
    let rig = try HubRig()
    await rig.hub.begin()
    let page = Listener(1, isViewer: true)
    await rig.hub.connect(page.client)
    await rig.state { $0 == .running }
    _ = await rig.hub.ask(page, "pause", id: "1")
    #expect(await rig.hub.session.state == .paused(.background))
    #expect(rig.hub.publisher.document["isAppActive"] == .bool(false))
    #expect(await rig.hub.ask(page, "startRecording", id: "2")?["status"] == .string("refused"))
    _ = await rig.hub.ask(page, "resume", id: "3")
    await rig.state { $0 == .running }
    // Another visible page keeps the camera running.
    let other = Listener(2, isViewer: true)
    await rig.hub.connect(other.client)
    _ = await rig.hub.ask(page, "pause", id: "4")
    #expect(await rig.hub.session.state == .running)
    await rig.hub.disconnect(other.client)
    #expect(await rig.hub.session.state == .paused(.background))
    await rig.hub.end()
  }

  /// Disconnecting a client ends the dock's movements that it holds (a dead man's switch).
  @Test func dockHearsOfClientsThatGo() async throws {
    let dock = FakeDock()
    let rig = try HubRig(dock: dock)
    await rig.hub.begin()
    let listener = Listener(7)
    await rig.hub.connect(listener.client)
    let moved = await rig.hub.ask(listener, "dockMove", ["pan": .number(0.2)], id: "1")
    #expect(moved?["status"] == .string("accepted"))
    await rig.hub.disconnect(listener.client)
    #expect(dock.calls.withLock { $0 } == ["dockMove 7", "lost 7"])
    await rig.hub.end()
  }

  @Test func withoutADockItsCommandsAreRefused() async throws {
    let rig = try HubRig()
    await rig.hub.begin()
    let listener = Listener(1)
    await rig.hub.connect(listener.client)
    let answer = await rig.hub.ask(listener, "dockStop", id: "1")
    #expect(answer?["reason"] == .string("no dock is connected"))
    #expect(rig.hub.publisher.document["dock"]?["unsupported"] == .string("no dock is connected"))
    await rig.hub.end()
  }

  /// CFG-1, REC-1: the camera and recordings use the size, rate and codec of the settings.
  @Test func formatAndCodecFollowTheSettings() async throws {
    let rig = try HubRig(source: "sensor:80x64@30")
    await rig.hub.begin()
    await rig.hub.wake()
    let listener = Listener(1)
    await rig.hub.connect(listener.client)
    let setting = ["key": JSONValue.string("selectedFrameRate"), "value": .integer(25)]
    #expect(await rig.hub.ask(listener, "setSetting", setting, id: "1")?["status"] == .string("accepted"))
    _ = await listener.first { $0["change"]?["format"]?["rate"] == .integer(25) }
    #expect(rig.hub.publisher.document["selectedFrameRate"] == .number(25))
    let codec = ["key": JSONValue.string("selectedCodecRaw"), "value": .string("MJPEG")]
    _ = await rig.hub.ask(listener, "setSetting", codec, id: "2")
    await rig.state { $0 == .running }
    _ = await rig.hub.ask(listener, "startRecording", id: "3")
    #expect(rig.hub.publisher.document["recording"]?["codec"] == .string("mjpeg"))
    let late = ["key": JSONValue.string("selectedFrameRate"), "value": .integer(24)]
    let answer = await rig.hub.ask(listener, "setSetting", late, id: "4")
    #expect(answer?["result"]?["note"] == .string("the format changes when the recording has ended"))
    #expect(rig.hub.publisher.document["format"]?["rate"] == .number(25))
    _ = await rig.hub.ask(listener, "stopRecording", id: "5")
    _ = await listener.first { $0["change"]?["format"]?["rate"] == .integer(24) }
    await rig.hub.end()
  }

  /// LUT-1, REC-1: an unreadable look is an error of each photo and recording that it would be baked into. It is never left out
  /// silently.
  @Test func aLookThatCannotBeReadIsNeverLeftOut() async throws {
    let rig = try HubRig()
    try FileManager.default.createDirectory(
      atPath: "\(rig.folder.path)/looks", withIntermediateDirectories: true)
    let cube = "LUT_3D_SIZE 2\n" + (0..<8).map { "\($0 & 1) \($0 >> 1 & 1) \($0 >> 2)\n" }.joined()
    rig.folder.write(cube, to: "looks/good.cube")
    rig.folder.write("LUT_3D_SIZE 2\n0 0 0\n", to: "looks/bad.cube")
    await rig.hub.begin()
    let listener = Listener(1)
    await rig.hub.connect(listener.client)
    func ask(_ name: String, _ arguments: [String: JSONValue] = [:], _ id: String) async -> (String, String) {
      let answer = await rig.hub.ask(listener, name, arguments, id: id)
      func text(_ key: String) -> String { if case .string(let text)? = answer?[key] { text } else { "" } }
      return (text("status"), text("reason"))
    }
    #expect(await ask("setLook", ["name": .string("bad.cube")], "1").0 == "refused")
    let file = JSONValue.string("\(rig.folder.path)/looks/bad.cube")
    #expect(await ask("setSetting", ["key": .string("lastLUT"), "value": file], "2").0 == "refused")
    let good: [String: JSONValue] = [
      "name": .string("good.cube"), "active": .bool(true), "bakesIn": .bool(true),
    ]
    #expect(await ask("setLook", good, "3").0 == "accepted")
    #expect(await ask("takePhoto", [:], "4").0 == "accepted")
    #expect(rig.hub.publisher.document["look"]?["trouble"] == .null)
    rig.folder.write("nothing", to: "looks/good.cube")
    let (photo, recording) = (await ask("takePhoto", [:], "5"), await ask("startRecording", [:], "6"))
    #expect(photo.0 == "refused" && photo.1.contains("good.cube cannot be used"), "\(photo)")
    #expect(recording.0 == "refused" && recording.1.contains("good.cube cannot be used"), "\(recording)")
    try FileManager.default.removeItem(atPath: "\(rig.folder.path)/looks/good.cube")
    #expect(await ask("startRecording", [:], "7").0 == "refused")
    await rig.hub.end()
  }

  /// REC-1: a recording that ends by itself is reported in the document and by an event, not only in the answer to a stop.
  @Test func aRecordingThatEndsByItselfIsToldAtOnce() async throws {
    let rig = try HubRig(source: "sensor:80x64@30")
    await rig.hub.begin()
    let listener = Listener(1)
    await rig.hub.connect(listener.client)
    _ = await rig.hub.ask(listener, "startRecording", id: "1")
    _ = await listener.first {
      $0["change"]?["recording"]?["written"].map { $0 != .integer(0) && $0 != .null } ?? false
    }
    // These frames have another size, as after a camera's return with another format.
    let pool = PixelBufferPool()
    let format = ImageFormat(
      pixelFormat: .i420, size: PixelSize(width: 32, height: 24),
      color: ColorDescription(matrix: .bt709, range: .limited))
    let recorder = await rig.hub.recorder
    recorder.receive(
      Frame(
        image: try pool.makeBuffer(format), sequence: 9, exposureTime: .now(), exposureEdge: .startOfExposure,
        arrivalTime: .now(), orientation: .upright))
    let ended = await listener.first {
      if case .string? = $0["change"]?["recording"]?["ended"]?["trouble"] { true } else { false }
    }
    #expect(ended != nil)
    #expect(rig.hub.publisher.document["isRecording"] == .bool(false))
    _ = await rig.hub.ask(listener, "startRecording", id: "2")
    #expect(rig.hub.publisher.document["recording"]?["ended"] == .null)
    await rig.hub.end()
  }

  @Test func settingOfAnotherProgramIsTold() async throws {
    let rig = try HubRig()
    await rig.hub.begin()
    let listener = Listener(1)
    await rig.hub.connect(listener.client)
    rig.folder.write(#"{"isEVBiasVisible":true}"#, to: "settings.json")
    let change = await listener.first { $0["change"]?["settings"]?["isEVBiasVisible"] == .bool(true) }
    #expect(change != nil)
    await rig.hub.end()
  }
}

/// A dock that records its calls.
final class FakeDock: DockControl {
  let calls = Locked<[String]>([])

  func attach(to session: CaptureSession) async {}
  func detach() async {}
  func offer(_ rects: [DockRect]) async {}
  func buttons() async -> AsyncStream<DockEvent> { AsyncStream { $0.finish() } }
  func state() async -> JSONValue { .object(["status": .string("connected")]) }
  func perform(_ command: String, _ arguments: [String: JSONValue], client: Int) async -> CommandOutcome {
    calls.withLock { $0.append("\(command) \(client)") }
    return .accepted()
  }
  func lost(client: Int) async { calls.withLock { $0.append("lost \(client)") } }
  func observe(_ tell: @escaping @Sendable () -> Void) async {}
}
