import Capture
import JSON
import Testing

@testable import RemoteControl

/// A command is refused if and only if the state document says so, because a page disables its controls by the document.
@Suite(.serialized) struct RefusalTests {
  /// Returns arguments with which the command succeeds if it is possible at all. Nil if its success depends on the arguments, or if
  /// it would change the state for the commands after it.
  private static func arguments(_ name: ViewfinderCommandName) -> [String: JSONValue]? {
    switch name {
    case .setExposureBias: ["value": .number(0.5)]
    case .setISO: ["value": .integer(400)]
    case .setShutter: ["duration": .number(0.01)]
    case .setExposureMode: ["mode": .string("auto")]
    case .lockExposure, .shutterPriority: ["on": .bool(true)]
    case .setWhiteBalance: ["temperature": .integer(5000)]
    case .setTint: ["value": .integer(0)]
    case .focus: ["x": .number(0.5), "y": .number(0.5)]
    case .setZoom: ["factor": .integer(1)]
    case .setTorch: ["level": .number(0)]
    case .setStabilization, .readSpines: ["on": .bool(false)]
    case .editBook: ["id": .integer(1)]
    case .selectFormat: ["width": .integer(80), "height": .integer(64), "rate": .integer(20)]
    case .setOverlay: ["visible": .bool(true)]
    case .unlockFocus, .cancelZoom, .takePhoto: [:]
    case .dockStop: [:]
    case .startRecording, .stopRecording, .selectLens, .setLook, .setSetting, .deletePhoto,
      .deleteRecording, .restore, .pause, .resume, .retry, .logOut, .dockMove, .dockMode, .dockFraming,
      .dockROI, .dockSelect, .dockAnimate, .dockPreset,
      .dockZoom,
      .dockFeature:
      nil
    }
  }

  /// Sends every command to a camera in the given state, which is restored before each, and compares the answers with the document.
  private func isTold(
    in state: [(String, [String: JSONValue])], source: String = "sensor:80x64@20", refusing: Set<String>
  ) async throws {
    let rig = try HubRig(source: source)
    await rig.hub.begin()
    await rig.hub.wake()
    await rig.state { $0 == .running }
    let listener = Listener(1)
    await rig.hub.connect(listener.client)
    for name in ViewfinderCommandName.allCases {
      guard let arguments = Self.arguments(name) else { continue }
      for (index, (command, given)) in state.enumerated() {
        let answer = await rig.hub.ask(listener, command, given, id: "\(name) \(index)")
        #expect(answer?["status"] == .string("accepted") || command == "startRecording", "\(command)")
      }
      await rig.hub.refresh()
      let told = rig.hub.publisher.document["refusals"]?[name.rawValue]
      let answer = await rig.hub.ask(listener, name.rawValue, arguments, id: name.rawValue)
      #expect(
        (told != nil) == (answer?["status"] == .string("refused")),
        "\(name): \(told as Any), \(answer as Any)")
    }
    guard case .object(let refusals)? = rig.hub.publisher.document["refusals"] else {
      Issue.record("the document has no refusals")
      return
    }
    #expect(refusing.subtracting(refusals.keys) == [])
    await rig.hub.end()
  }

  private static let auto: [(String, [String: JSONValue])] = [
    ("shutterPriority", ["on": .bool(false)]), ("lockExposure", ["on": .bool(false)]),
    ("setExposureMode", ["mode": .string("auto")]),
  ]

  @Test func automatic() async throws {
    try await isTold(in: Self.auto, refusing: ["stopRecording", "readSpines", "editBook", "dockMove"])
  }

  @Test func manual() async throws {
    try await isTold(in: Self.auto + [("setISO", ["value": .integer(200)])], refusing: ["setExposureBias"])
  }

  @Test func locked() async throws {
    try await isTold(
      in: Self.auto + [("lockExposure", ["on": .bool(true)])],
      refusing: ["setExposureBias", "setISO", "setShutter", "setExposureMode"])
  }

  @Test func shutterPriority() async throws {
    try await isTold(
      in: [("shutterPriority", ["on": .bool(true)])],
      refusing: ["setExposureBias", "setISO", "setShutter", "setExposureMode", "lockExposure"])
  }

  /// The camera has no controls except those that the engine applies to its pictures.
  @Test func withoutControls() async throws {
    try await isTold(
      in: [], source: "simulated:80x64@20",
      refusing: [
        "setISO", "setShutter", "lockExposure", "shutterPriority", "setWhiteBalance", "setTint", "setTorch",
      ])
  }

  @Test func whileARecordingHoldsTheExposure() async throws {
    try await isTold(
      in: [
        ("setSetting", ["key": .string("isExposureLockEnabledDuringRecording"), "value": .bool(true)]),
        ("startRecording", ["codec": .string("mjpeg")]),
      ],
      refusing: [
        "setExposureBias", "setISO", "setShutter", "setExposureMode", "shutterPriority", "selectFormat",
        "startRecording",
      ])
  }

  /// Checklist A 12: shutter priority refuses the bias too, and says why.
  @Test func theBiasSaysWhyUnderShutterPriority() async throws {
    let rig = try HubRig()
    await rig.hub.begin()
    await rig.hub.wake()
    await rig.state { $0 == .running }
    let listener = Listener(1)
    await rig.hub.connect(listener.client)
    _ = await rig.hub.ask(listener, "shutterPriority", ["on": .bool(true)], id: "1")
    let bias = rig.hub.publisher.document["exposure"]?["bias"]
    #expect(bias?["enabled"] == .bool(false))
    #expect(bias?["reason"] == .string("shutter priority is on; switch it off first"))
    await rig.hub.end()
  }
}
