import Capture
import Glibc
import Harness
import Probes
import System
import Video4Linux

/// INT-2, INT-3 on two cameras of one batch: a session never switches to the twin of its camera.
struct TwinCameras: Scenario {
  let id = "device.twins"
  let suite = Suite.device
  let title = "Two cameras with one serial number"
  let purpose =
    "Webcams of one batch can share a serial number; an engine that opens the wrong one shows the wrong "
    + "scene."
  let exampleFailure =
    "An engine that finds its camera by serial number alone, and opens the first that has it."
  let requirements: [RequirementID] = ["INT-2", "INT-3"]
  let rig: Rig
  private static let options = "?format=YUYV&size=640x360"

  /// Proves that only the camera's own node is accepted. The twin's node, both nodes, and no node are refused.
  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let own = HeldNodes.complaint(["/dev/video2"], own: "/dev/video2")
    let wrong = [
      HeldNodes.complaint(["/dev/video0"], own: "/dev/video2"), HeldNodes.complaint([], own: "/dev/video2"),
      HeldNodes.complaint(["/dev/video0", "/dev/video2"], own: "/dev/video2"),
      HeldNodes.complaint(["/dev/video0"], own: nil),
    ]
    guard own == nil, HeldNodes.complaint([], own: nil) == nil, wrong.allSatisfy({ $0 != nil }) else {
      return .failed("the twin's node, two nodes or none were judged as the camera's own")
    }
    return .passed("the twin's node, two nodes and none were distinguished from the camera's own")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let lab = try DeviceLab()
    let cameras = try await onOwnThread { try lab.devices().filter { $0.kind == "uvc" } }
    let twins = cameras.filter { one in cameras.count { $0.serial == one.serial } == 2 }
    guard twins.count == 2, let node = twins[1].node, let path = Self.byPath(node) else {
      throw Unsupported(
        "the lab has no two cameras with one serial number; give lab/run `--camera uvc,serial=BATCH` twice")
    }
    // The second twin: an engine that takes the first camera with the serial number gets the other twin.
    let trial = TwinTrial(lab: lab, name: twins[1].name, rig: rig, options: Self.options)
    var checks = try await trial.awayAndBack(node, id: "\(id).node", title: "Named by its number")
    checks += try await trial.awayAndBack(path, id: "\(id).path", title: "Named by its port")
    checks += try await trial.unplugged(node, id: id)
    if let lone = cameras.first(where: { one in cameras.count { $0.serial == one.serial } == 1 }),
      let node = lone.node
    {
      let trial = TwinTrial(lab: lab, name: lone.name, rig: rig, options: Self.options)
      checks.append(try await trial.moved(node, id: "\(id).moved"))
    }
    return Observation(
      checks: checks, notes: ["On \(twins[1].name), \(node), beside \(twins[0].name), its twin."])
  }

  private static func byPath(_ node: String) -> String? {
    DeviceDirectory().entry(at: node)?.stableNames.map(\.description).first {
      $0.hasPrefix("/dev/v4l/by-path/")
    }
  }
}

/// The video nodes that this process has open, as reported by the kernel instead of the engine.
enum HeldNodes {
  static func now() -> Set<String> {
    var nodes: Set<String> = []
    for number in 0..<256 {
      var buffer = [UInt8](repeating: 0, count: 64)
      let count = readlink("/proc/self/fd/\(number)", &buffer, buffer.count)
      let target = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
      if target.hasPrefix("/dev/video") { nodes.insert(target) }
    }
    return nodes
  }

  /// Returns a complaint unless the camera's node is the only open node. Nil if the open nodes are right.
  static func complaint(_ held: Set<String>, own: String?) -> String? {
    if held == Set([own].compactMap { $0 }) { return nil }
    let names = held.sorted().joined(separator: ", ")
    return "\(names.isEmpty ? "no camera" : names) was open, not \(own ?? "none")"
  }
}

struct TwinTrial: Sendable {
  let lab: DeviceLab
  /// The name that `lab-ctl` uses.
  let name: String
  let rig: Rig
  let options: String
  /// Time for which the camera stays away: long enough for a faulty engine to open another camera.
  private static let temptation = Duration.milliseconds(1500)

  func awayAndBack(_ path: String, id: String, title: String) async throws -> [Check] {
    try await watching(path) { watch in
      await watch.play.session.background()
      try await watch.play.session.foreground()
      let (complaint, shown) = try await whatIsShown(watch)
      return [
        Check(
          id: id, title: "\(title), away and back: the same camera", passed: complaint == nil, subjects: 1,
          detail: complaint ?? shown, requirement: "INT-3")
      ]
    }
  }

  func unplugged(_ path: String, id: String) async throws -> [Check] {
    try await watching(path) { watch in
      let before = watch.states.count
      try await command("unplug")
      let published = await watch.until { watch.interruption(after: before) }
      let taken = await tempted()
      try await command("replug")
      let (complaint, shown) = try await whatIsShown(watch)
      return [
        Check(
          id: "\(id).unplugged", title: "Unplugged beside its twin: disconnected, and the twin is left alone",
          passed: published?.state == .interrupted(.deviceDisconnected) && taken == nil, subjects: 1,
          detail: taken ?? published.map { "published as \($0.state)" } ?? "no interruption was published",
          requirement: "INT-3"),
        Check(
          id: "\(id).replugged", title: "Plugged in again: the same camera", passed: complaint == nil,
          subjects: 1, detail: complaint ?? shown, requirement: "INT-2"),
      ]
    }
  }

  /// Moves a camera whose serial number no other camera has to another port.
  func moved(_ path: String, id: String) async throws -> Check {
    try await watching(path) { watch in
      try await command("unplug")
      try await command("replug", "6")
      let (complaint, shown) = try await whatIsShown(watch)
      return Check(
        id: id, title: "The only one of its serial number, in another port: found", passed: complaint == nil,
        subjects: 1, detail: complaint ?? shown, requirement: "INT-2")
    }
  }

  /// Runs `body` on a session that has shown pictures of the camera, and ends the session in any case.
  private func watching<Value: Sendable>(
    _ path: String, _ body: @Sendable (DeviceWatch) async throws -> Value
  ) async throws -> Value {
    let watch = await DeviceWatch(source: try rig.source(at: path + options), rig: rig)
    return try await watch.play.session.ending {
      try await watch.start()
      guard await watch.play.untilPresented(5, within: DeviceWatch.patience) else {
        throw LaunchError(
          path, "it shows no pictures: \(await watch.play.session.state)",
          remedy: "try it with `swiftwing view`")
      }
      return try await body(watch)
    }
  }

  /// Waits for a new picture, and returns which camera is open.
  private func whatIsShown(_ watch: DeviceWatch) async throws -> (complaint: String?, shown: String) {
    let now = MonotonicTime.now()
    let picture = await watch.until { watch.picture(after: now) }
    let node = try await onOwnThread { try lab.devices().first { $0.name == name }?.node }
    let held = HeldNodes.complaint(HeldNodes.now(), own: node)
    return (picture == nil ? "no picture in \(DeviceWatch.patience)" : held, "pictures of \(node ?? "none")")
  }

  /// Checks the open nodes repeatedly while the camera is away.
  private func tempted() async -> String? {
    let deadline = MonotonicTime.now() + Self.temptation
    while MonotonicTime.now() < deadline, !Task.isCancelled {
      if let complaint = HeldNodes.complaint(HeldNodes.now(), own: nil) { return complaint }
      try? await Task.sleep(for: .milliseconds(20))
    }
    return nil
  }

  private func command(_ words: String...) async throws {
    _ = try await onOwnThread { try lab.command(name, words) }
  }
}
