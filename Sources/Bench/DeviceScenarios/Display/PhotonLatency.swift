import Capture
import Harness
import Imagery
import Probes
import System

/// LAT-1 through a camera's lens: the camera looks at a screen, whose codes state when each number was shown.
struct PhotonLatency: Scenario {
  let id = "latency.photon"
  let suite = Suite.device
  let title = "From light to the presented picture"
  let purpose =
    "A driver stamps a frame on arrival; the time that sensor, electronics and cable took before shows "
    + "only outside."
  let exampleFailure =
    "A webcam that keeps two frames back in its own memory: every stamp is right, and all are 66 ms late."
  let requirements: [RequirementID] = ["LAT-1"]
  /// Minimum number of timed numbers for meaningful percentiles.
  static let least = 30
  /// Size of the surface. A code that fills a third of the picture's height can be read.
  private static let size = PixelSize(width: 640, height: 360)
  let rig: Rig

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let seen = (0..<20).map { number in
      GlassReading.Seen(
        presentedTime: MonotonicTime(nanoseconds: Int64(number) * 100_000_000 + 140_000_000),
        code: GlassCode(number: number, before: number == 0 ? nil : Int64(number - 1) * 100_000 + 100_000))
    }
    let reading = GlassReading(seen)
    guard reading.latencies.count == 18, reading.latencies.allSatisfy({ abs($0 - 40) < 0.001 }) else {
      return .failed("40 ms were injected and \(reading.latencies) read")
    }
    let strange = GlassReading(
      seen.map { .init(presentedTime: $0.presentedTime + .seconds(-2), code: $0.code) })
    guard strange.isOfAnotherClock, !reading.isOfAnotherClock else {
      return .failed("a picture that was seen before it was shown was given a latency")
    }
    return .passed("18 made-up changes of a screen read as 40 ms late; those of another clock are known")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let watch = GlassWatch()
    let session = CaptureSession(
      source: try rig.source(orBundled: "corpus:shelf-pan"), configuration: .unattended)
    await session.add(PreviewOutput(surface: OffscreenSurface(size: Self.size)) { watch.note($0) })
    try await session.start()
    try await Task.sleep(for: context.duration.looking)
    await session.stop()
    return try observation(try await onOwnThread { watch.read() })
  }

  func observation(_ reading: GlassReading) throws -> Observation {
    guard reading.latencies.count >= Self.least else {
      throw Unsupported(
        "\(reading.latencies.count) numbers could be timed in \(reading.pictures) pictures, and \(Self.least) are needed: show them with `swiftwing glass show --display /dev/dri/card0`, and point the camera of --source at that screen, so that the code fills a third of the picture's height or more"
      )
    }
    guard !reading.isOfAnotherClock else {
      throw Unsupported(
        "the screen that the camera looks at belongs to another machine, which has another clock; run `swiftwing glass show` on this one"
      )
    }
    return Observation(
      metrics: [
        Measurement(
          id: "latency.photon", title: "Shown by a screen → presented", unit: .milliseconds, level: .photon,
          samples: reading.latencies)
      ],
      checks: [
        Check(
          id: "latency.photon.read", title: "at least half of the pictures show one number",
          passed: reading.unread * 2 <= reading.pictures, subjects: reading.pictures,
          detail: "\(reading.unread) of \(reading.pictures) show none, or two at once", requirement: "LAT-1")
      ],
      notes: [
        "Each sample is from the vblank of a new number to the first picture with it that was presented to memory: the screen's own delay, the exposure, the camera, the cable and the engine. The screen changes by itself, so up to one frame interval of it is chance."
      ])
  }
}

extension RunDuration {
  /// Duration for which the camera looks at the screen, which shows ten numbers per second.
  fileprivate var looking: Duration {
    switch self {
    case .turn, .short: .seconds(8)
    case .full: .seconds(30)
    case .soak: .seconds(60)
    }
  }
}
