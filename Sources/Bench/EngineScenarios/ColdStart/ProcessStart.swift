import Capture
import Harness
import Imagery
import Probes
import System

/// COLD-1: the time from the program's start to the first picture.
struct ProcessStart: Scenario {
  let id = "cold-start.process"
  let suite = Suite.coldStart
  let title = "Program start to first picture"
  let purpose =
    "A user who starts the program wants a picture at once."
  let exampleFailure =
    "A program that loads its text recogniser before it opens the camera: 600 ms of black before the first picture."
  let requirements: [RequirementID] = ["COLD-1"]
  private let rig: Rig

  init(rig: Rig) { self.rig = rig }

  private var specification: String { rig.specification ?? "corpus:shelf-pan" }
  private var launch: ViewfinderLaunch {
    ViewfinderLaunch(rig, arguments: ["view", "--frames", "1", "--json", "--source", specification])
  }

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let moments = try launch.run()
    let order = [
      moments.spawned, moments.main, moments.arrival, moments.render, moments.presented, moments.exited,
    ]
    guard order == order.sorted() else { return .failed("the stages are not in order: \(order)") }
    let silent = FirstPictureLine(#"{"event":"status"}"#)
    guard silent == nil else { return .failed("a start without a picture was counted") }
    return .passed("stages are reported in their order, and a start without a picture is not counted")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    var device = try DeviceStart(rig: rig, bundled: specification).turns()
    _ = try launch.run()
    var moments: [ViewfinderLaunch.Moments] = []
    for _ in 0..<context.duration.launches {
      try Task.checkCancellation()
      moments.append(try launch.run())
      try device.take()
    }
    return Observation(
      metrics: metrics(moments) + [
        device.measurement(id: "cold-start.device-first-frame", level: rig.evidence)
      ],
      evidence: moments.last.map { [.timeline("The last start by stages", $0.timeline)] } ?? [],
      notes: ["Executable and corpus were in the page cache; each sample is a new process."],
      reproduce: "swiftwing view --frames 1 --json \(ShellCommand.option("--source", specification))")
  }

  private func metrics(_ moments: [ViewfinderLaunch.Moments]) -> [Measurement] {
    func stage(
      _ id: String, _ title: String, from: (ViewfinderLaunch.Moments) -> MonotonicTime,
      to: (ViewfinderLaunch.Moments) -> MonotonicTime
    ) -> Measurement {
      Measurement(
        id: "cold-start.\(id)", title: title, unit: .milliseconds, level: rig.evidence,
        samples: moments.map { (to($0) - from($0)).milliseconds })
    }
    return [
      stage("presented", "Program start → first picture shown", from: \.spawned, to: \.presented),
      stage("load", "Program start → main", from: \.spawned, to: \.main),
      stage("device", "Main → first frame from the device", from: \.main, to: \.arrival),
      stage("hand-over", "First frame → drawing begins", from: \.arrival, to: \.render),
      stage("draw", "Drawing → shown", from: \.render, to: \.presented),
      stage("process", "Program start → program ended", from: \.spawned, to: \.exited),
    ]
  }
}

extension ViewfinderLaunch.Moments {
  fileprivate var timeline: Timeline {
    func time(_ instant: MonotonicTime) -> Double { (instant - spawned).milliseconds }
    return Timeline(lanes: [
      Timeline.Lane(
        "start",
        spans: [
          .init("load", from: 0, to: time(main)), .init("device", from: time(main), to: time(arrival)),
          .init("hand-over", from: time(arrival), to: time(render)),
          .init("draw", from: time(render), to: time(presented)),
        ]),
      Timeline.Lane(
        "picture", marks: [.init("shown", at: time(presented)), .init("ended", at: time(exited))]),
    ])
  }
}

extension RunDuration {
  /// Number of timed starts.
  var launches: Int {
    switch self {
    case .turn: 10
    case .short: 30
    case .full: 60
    case .soak: 300
    }
  }
}
