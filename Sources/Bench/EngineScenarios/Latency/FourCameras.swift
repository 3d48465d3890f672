import Capture
import Harness
import Imagery
import Probes
import Replay
import System

/// LAT-2: four cameras of 720p at once.
struct FourCameras: Scenario {
  let id = "latency.four-cameras"
  let suite = Suite.latency
  let title = "Four cameras at once"
  let purpose =
    "Sessions share nothing but the machine: four previews of 720p at 30 frames a second show every frame, on two processors too."
  let exampleFailure =
    "Sessions that take turns at one lock while they draw: the fourth camera's pictures are overtaken by its own next ones."
  let requirements: [RequirementID] = ["LAT-2"]
  private let rig: Rig
  private static let cameras = 4
  private static let size = PixelSize(width: 1280, height: 720)
  private static let interval = FrameInterval(framesPerSecond: 30)

  init(rig: Rig) { self.rig = rig }

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let readings = [[1, 2, 3], [1, 3, 4, 7], [5], []].map(Self.lost)
    guard readings == [0, 3, 0, nil] else {
      return .failed("rows of frames without 0, 3 and 0 were read as \(readings)")
    }
    return .passed("rows that lack 0, 3 and 0 frames were read as that, and no frames as no row")
  }

  /// Returns the number of missing frames between the first and the last shown frame. Nil if no frame was shown.
  static func lost(_ shown: [UInt32]) -> Int? {
    guard let first = shown.min(), let last = shown.max() else { return nil }
    return Int(last - first) + 1 - Set(shown).count
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    guard rig.specification == nil, rig.camera == nil else {
      throw Unsupported("this scenario draws four cameras of its own; run it without --source")
    }
    let time = context.duration.watching / 2
    let shown = try await withThrowingTaskGroup(of: [UInt32].self) { group in
      for _ in 0..<Self.cameras { group.addTask { try await watch(for: time) } }
      return try await group.reduce(into: [[UInt32]]()) { $0.append($1) }
    }
    return observation(shown, time)
  }

  /// Runs one camera from start to end.
  private func watch(for time: Duration) async throws -> [UInt32] {
    let (clock, shown) = (SystemClock(), Locked<[UInt32]>([]))
    let source = rig.broken(SimulatedSource(size: Self.size, frameInterval: Self.interval))
    let session = CaptureSession(source: source, configuration: .unattended, clock: clock)
    let surface = rig.makeSurface(size: Self.size, interval: Self.interval.duration, clock: clock)
    await session.add(
      PreviewOutput(surface: surface, clock: clock) { picture in
        shown.withLock { $0.append(picture.frame.sequence) }
      })
    try await session.ending {
      defer { surface.hurry() }
      try await session.start()
      try await Task.sleep(for: time)
    }
    // The first frames are dropped: they arrive while the other cameras are opened and draw their first pictures.
    return shown.withLock { Array($0.dropFirst(Self.warming)) }
  }

  private static let warming = 15

  func observation(_ shown: [[UInt32]], _ time: Duration) -> Observation {
    let expected = Int(time / Self.interval.duration) - Self.warming
    let least = shown.map(\.count).min() ?? 0
    return Observation(
      metrics: [
        Measurement(
          id: "latency.four-cameras.lost", title: "Frames that were not shown, of each camera", unit: .count,
          level: .synthetic, kind: .timed, samples: shown.compactMap(Self.lost).map(Double.init))
      ],
      checks: [
        Check(
          id: "latency.four-cameras.shown", title: "Four cameras showed their pictures",
          passed: shown.count == Self.cameras && least * 10 >= expected * 9, subjects: shown.count,
          detail: "at least \(least) of \(expected) pictures each", requirement: "LAT-2",
          missedBy: shown.count == Self.cameras ? Double(expected * 9 - least * 10) / 10 : nil)
      ])
  }
}
