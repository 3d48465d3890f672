import Harness
import Probes

/// INT-1, INT-2, INT-3, INT-6 on a real driver: the cable is unplugged while pictures and photos are in progress.
struct Unplugging: Scenario {
  let id = "recovery.unplug"
  let suite = Suite.device
  let title = "Cable pulled while streaming"
  let purpose =
    "A cable that slips out in the middle of a shelf must cost a moment: no hung photo, no restart by hand, nothing left behind."
  let exampleFailure =
    "An engine that looks for `/dev/video0` again when its camera has come back as `/dev/video2`, or keeps a buffer mapped each time."
  let requirements: [RequirementID] = ["INT-1", "INT-2", "INT-3", "INT-6"]
  let rig: Rig

  /// Proves that the footprint notices a descriptor and a thread that come and go.
  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let before = await ProcessFootprint.lasting()
    let during = try await FootprintProbe.holding()
    guard during.descriptors >= before.descriptors + 2, during.threads > before.threads,
      during.engineThreads == 1
    else {
      return .failed("two descriptors and a thread were added, and counted as \(during) after \(before)")
    }
    let leak = Growth(counts: [9, 4, 5, 4, 6, 5, 7, 6, 8, 7]).lasting
    let pool = Growth(counts: [9, 4, 5, 4, 6, 4, 6, 5, 4, 5]).lasting
    guard leak == 3, pool == 0 else {
      return .failed("a growth of 3 was read as \(leak), and a coming and going as \(pool)")
    }
    return .passed(
      "two added descriptors and an added thread were counted; growth was distinguished from fluctuation")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let camera = try LabCamera(rig)
    let device = try await DeviceStart(rig: rig, bundled: "").samples(count: 20)
    let log = try await UnplugPlay(camera: camera, rig: rig, count: context.duration.unplugs).run()
    return UnplugFindings(log: log, wanted: context.duration.unplugs, device: device).observation
  }
}

extension RunDuration {
  fileprivate var unplugs: Int {
    switch self {
    case .turn, .short: 10
    case .full: 100
    case .soak: 1000
    }
  }
}
