import Capture
import Harness
import Imagery
import Probes
import Replay
import System

/// COLD-4: the time until the first press of the shutter is accepted.
struct ShutterReady: Scenario {
  let id = "cold-start.shutter"
  let suite = Suite.coldStart
  let title = "Start to the first accepted photo"
  let purpose =
    "A viewfinder that shows pictures but takes no photo yet is worse than one that shows nothing yet."
  let exampleFailure =
    "A session that sets up its photo path only after it has shown its first picture."
  let requirements: [RequirementID] = ["COLD-4"]
  private let rig: Rig

  init(rig: Rig) { self.rig = rig }

  private static let bundled = "corpus:shelf-pan"

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let clock = VirtualClock()
    let session = CaptureSession(source: SimulatedSource(), configuration: .unattended, clock: clock)
    let output = PhotoOutput(clock: clock)
    await session.add(output)
    try await session.start()
    do {
      _ = try await session.capturePhoto(from: output)
      await session.stop()
      return .failed("a press before the first frame was accepted")
    } catch SessionError.Code.captureRefused {
      await session.stop()
      return .passed("a press before the first frame was refused")
    }
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    var samples: [Double] = []
    var device = try DeviceStart(rig: rig, bundled: Self.bundled).turns()
    for _ in 0..<30 {
      try Task.checkCancellation()
      samples.append(try await once())
      try device.take()
    }
    return Observation(metrics: [
      Measurement(
        id: "cold-start.shutter-ready", title: "Session made → first press accepted", unit: .milliseconds,
        level: rig.evidence, samples: samples),
      device.measurement(id: "cold-start.shutter-device", level: rig.evidence),
    ])
  }

  /// Returns the milliseconds from the creation of a session to the state in which it accepts photos, proved by taking one.
  private func once() async throws -> Double {
    let began = MonotonicTime.now()
    let session = CaptureSession(source: try rig.source(orBundled: Self.bundled), configuration: .unattended)
    let output = rig.makePhotoOutput(clock: SystemClock())
    await session.add(output)
    let states = await session.states()
    try await session.start()
    for await state in states where state.acceptsPhotos { break }
    let ready = (MonotonicTime.now() - began).milliseconds
    _ = try await session.capturePhoto(from: output)
    await session.stop()
    return ready
  }
}
