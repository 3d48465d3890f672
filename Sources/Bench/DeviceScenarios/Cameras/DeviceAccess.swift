import Capture
import Glibc
import Harness
import Probes
import System

/// INT-1, PER-1 on a real driver: another program uses the camera, or the user may not open it.
struct DeviceAccess: Scenario {
  let id = "device.access"
  let suite = Suite.device
  let title = "In use, and not permitted"
  let purpose =
    "A camera that another program holds, or that the user may not open, is the first thing that goes wrong."
  let exampleFailure =
    "A viewfinder that ends with EBUSY instead of waiting until the other program closes the camera."
  let requirements: [RequirementID] = ["INT-1", "INT-2", "PER-1"]
  let rig: Rig

  private static let unavailable: Int32 = 4

  /// Proves that a viewfinder is judged as refused only if it ends with status 4 and exactly one sentence.
  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    func check(_ status: Int32, _ said: String) -> Check { Self.permission(status, said) }
    let sentence =
      "swiftwing: no permission for /dev/video0: permission denied; add yourself to the group video"
    guard check(Self.unavailable, sentence).passed, !check(0, "").passed, !check(2, sentence).passed,
      !check(Self.unavailable, "\(sentence)\n\(sentence)").passed
    else {
      return .failed("a viewfinder that got the camera, or printed two sentences, was judged as refused")
    }
    return .passed("status 4 with one sentence passes; being let in, another status or two sentences do not")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let (lab, rig) = (try DeviceLab(), rig)
    let node = try await onOwnThread {
      try LabNode.first(lab, rig, wanted: NodeWish("camera without a loop") { $0.output == nil })
    }
    let use = try await inUse(node)
    let refused = try await onOwnThread { try Self.refusal(of: rig.viewfinder, node.path) }
    return Observation(checks: use + [refused], notes: ["On \(node.name), \(node.path)."])
  }

  private func inUse(_ node: LabNode) async throws -> [Check] {
    let first = await DeviceWatch(source: try rig.source(at: node.path), rig: rig)
    let second = await DeviceWatch(source: try rig.source(at: node.path), rig: rig)
    try await first.start()
    _ = await first.play.untilPresented(3, within: DeviceWatch.patience)
    try await second.start()
    let published = await second.until { second.interruption(after: 0) }
    await first.stop()
    let letGo = MonotonicTime.now()
    let shown = await second.until { second.picture(after: letGo) }
    await second.stop()
    return Self.use(published: published?.state, shown: shown.map { ($0.presentedTime - letGo).milliseconds })
  }

  /// - Parameter shown: milliseconds from when the other program released the camera to the next picture; nil if none came.
  static func use(published: SessionState?, shown: Double?) -> [Check] {
    [
      Check(
        id: "device.access.published", title: "A camera that another program uses: deviceInUse",
        passed: published == .interrupted(.deviceInUse), subjects: 1,
        detail: published.map { "published as \($0)" } ?? "no interruption was published",
        requirement: "INT-1"),
      Check(
        id: "device.access.resumed", title: "The other program closes it: pictures come",
        passed: shown != nil, subjects: 1,
        detail: shown.map { "a picture after \(Int($0)) ms" } ?? "no picture in \(DeviceWatch.patience)",
        requirement: "INT-2"),
    ]
  }

  /// Runs the viewfinder as a user without access to the camera, and checks its exit status and its sentence.
  private static func refusal(of viewfinder: String, _ path: String) throws -> Check {
    var status = stat()
    guard stat(path, &status) == 0, chmod(path, 0o600) == 0 else {
      throw LaunchError(path, errno, remedy: "run it as root, as in the lab")
    }
    defer { chmod(path, status.st_mode & 0o777) }
    // Open the program before the privileges are dropped: the program may lie in a home folder that other users may not enter.
    let outcome = try ChildProgram(
      executable: "sh",
      arguments: [
        "-c",
        "exec 9<\"$1\"; exec setpriv --reuid=65534 --regid=65534 --clear-groups "
          + "sh -c 'exec /proc/self/fd/9 view --source \"$1\" --frames 1 2>&1' sh \"$2\"",
        "sh", viewfinder, path,
      ]
    ).run()
    return permission(outcome.status, outcome.output)
  }

  static func permission(_ status: Int32, _ said: String) -> Check {
    let lines = said.split(separator: "\n")
    return Check(
      id: "device.access.permission",
      title: "No permission: one sentence with the remedy, exit status \(unavailable)",
      passed: status == unavailable && lines.count == 1 && said.contains("permission"), subjects: 1,
      detail: "status \(status): \(said.prefix(300))", requirement: "PER-1")
  }
}
