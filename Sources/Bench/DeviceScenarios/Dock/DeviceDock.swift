import Capture
import Dock
import Harness
import Probes

/// DCK-1 on a real driver: `uvcvideo`, and a USB camera whose picture moves with its motors.
struct DeviceDock: Scenario {
  let id = "device.dock"
  let suite = Suite.device
  let title = "A USB camera follows a subject with its motors"
  let purpose =
    "Pan and tilt of a webcam are one control of the device and two of the kernel's; half a move goes astray."
  let exampleFailure =
    "A dock that sets pan and tilt one after the other, the second of which cancels the first."
  let requirements: [RequirementID] = ["DCK-1"]
  let rig: Rig

  /// The measurements, in picture widths, milliseconds and degrees.
  struct Log: Sendable {
    /// Name of the dock. Nil if there is none.
    var name: String?
    /// Milliseconds until the subject, at rest, was at its place. Nil if it did not get there.
    var centred: Double?
    /// Milliseconds until the subject was at its place again after it moved. Nil if it did not get there.
    var followed: Double?
    /// Degrees that a manual move turned the camera.
    var turned: Double
    /// Degrees that the camera kept turning after the move's client was gone.
    var overrun: Double
    /// Frames per second that the tracker processed.
    var pace = 30.0
  }

  /// Minimum rate of the tracker, in frames per second. Below it, a tracker that loses its subject proves nothing about the dock.
  static let leastPace = 8.0

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let good = Log(name: "Lab camera", centred: 400, followed: 500, turned: 12, overrun: 0)
    let bad = Log(name: nil, centred: nil, followed: nil, turned: 0, overrun: 3)
    guard Self.checks(good).allSatisfy(\.passed), !Self.checks(bad).contains(where: \.passed) else {
      return .failed("a dock that does nothing was judged as following")
    }
    return .passed("a subject that is reached passes; one that is not, and a motor that turns on, do not")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let (lab, rig) = (try DeviceLab(), rig)
    let node = try await onOwnThread {
      try LabNode.first(lab, rig, wanted: NodeWish("USB camera") { $0.isUSB })
    }
    let source = try rig.source(at: "\(node.path)?format=YUYV&size=640x360")
    let trial = DockTrial(lab: lab, device: node.name, source: rig.operable(source))
    let log = try await trial.log()
    guard log.pace >= Self.leastPace || (log.centred != nil && log.followed != nil) else {
      throw Unsupported(
        "the tracker looked at \((log.pace * 10).rounded() / 10) frames a second here, "
          + "and needs \(Int(Self.leastPace)) to be judged; take a faster machine")
    }
    return Observation(
      metrics: [
        Measurement(
          id: "device.dock.centred", title: "From a tap until the device has the subject at its place",
          unit: .milliseconds, level: .buffer, kind: .timed,
          samples: log.centred.map { [$0] } ?? [])
      ],
      checks: Self.checks(log),
      notes: [
        "On \(node.name), \(node.path); places by the device's own pan and tilt, and where the lab has put the subject."
      ])
  }

  static func checks(_ log: Log) -> [Check] {
    func check(_ name: String, _ title: String, passed: Bool, detail: String) -> Check {
      Check(
        id: "device.dock.\(name)", title: title, passed: passed, subjects: 1, detail: detail,
        requirement: "DCK-1")
    }
    func word(_ time: Double?) -> String { time.map { "after \(Int($0)) ms" } ?? "never" }
    return [
      check(
        "connected", "a camera with pan and tilt is a dock", passed: log.name != nil,
        detail: log.name ?? "there is none"),
      check(
        "centred", "a subject that is tapped comes to the middle", passed: log.centred != nil,
        detail: word(log.centred)),
      check(
        "followed", "and again when it has moved", passed: log.followed != nil, detail: word(log.followed)),
      check(
        "hand", "a move by hand turns it, and ends with its client",
        passed: log.turned > 2 && log.overrun < 0.5,
        detail:
          "turned \((log.turned * 10).rounded() / 10)°, and \((log.overrun * 10).rounded() / 10)° after its client was gone"
      ),
    ]
  }
}
