import Capture
import Harness
import Imagery
import Probes
import Replay
import System

/// COLD-3: a slow start shows a loading state; a quick start does not flash it.
struct LoadingState: Scenario {
  let id = "cold-start.loading"
  let suite = Suite.coldStart
  let title = "Loading state"
  let purpose =
    "A slow start must show that it is loading; a fast one must not flash that state."
  let exampleFailure = "A spinner that is shown at every start and gone after one frame."
  let requirements: [RequirementID] = ["COLD-3"]

  init() {}

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let never = try await states(opening: .zero)
    return never.contains(.running)
      ? .passed("a start was watched to its end, state by state") : .failed("the start never ended: \(never)")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    var checks: [Check] = []
    // The delays are exact to the millisecond, in virtual time. After the delay, the first frame takes another interval of 20 ms.
    for (delay, isSlow) in [
      (0, false), (60, false), (79, false), (81, true), (300, true), (2000, true), (4500, true),
    ] {
      let seen = try await states(opening: .milliseconds(delay))
      checks.append(
        Check(
          id: "cold-start.loading.\(delay)",
          title: "First frame after \(delay + 20) ms: loading is \(isSlow ? "" : "not ")shown",
          passed: seen.contains(.loading) == isSlow && seen.last == .running, subjects: seen.count,
          detail: seen.map(\.description).joined(separator: " → "), requirement: "COLD-3"))
    }
    return Observation(checks: checks, notes: ["Virtual time."])
  }

  /// Returns the states of a start in which the device takes `delay` before its first exposure.
  private func states(opening delay: Duration) async throws -> [SessionState] {
    let clock = VirtualClock()
    let source = SlowSource(
      base: SimulatedSource(
        size: PixelSize(width: 64, height: 64), frameInterval: FrameInterval(framesPerSecond: 50)),
      delay: delay)
    let session = CaptureSession(source: source, configuration: .unattended, clock: clock)
    let states = await session.states()
    try await session.start()
    await clock.run(for: delay + .seconds(1))
    let last = await session.state
    await session.stop()
    var seen: [SessionState] = []
    for await state in states {
      seen.append(state)
      if state == last { break }
    }
    return seen
  }
}
