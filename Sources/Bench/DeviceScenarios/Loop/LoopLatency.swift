import Harness
import Imagery
import Probes
import System

/// LAT-1 through the kernel: a picture is written to a driver's output, comes back from its camera, and is shown.
struct LoopLatency: Scenario {
  let id = "latency.loop"
  let suite = Suite.device
  let title = "Glass to glass through the kernel's loop"
  let purpose =
    "A recording cannot show what a driver, its buffers and a sleeping thread add; a picture through the kernel does."
  let exampleFailure =
    "An engine that asks for the newest buffer only when it has drawn the last: one frame late, and right in every recording."
  let requirements: [RequirementID] = ["LAT-1"]
  let rig: Rig

  /// Number of rounds, which alternate between the loop alone and the engine. Output and camera have separate clocks, and their phase difference is
  /// part of the latency, so each round shifts it by another fraction of a frame.
  static let rounds = 4

  /// Proves that numbers that are shown 40 ms after they were written read as 40 ms, and that unwritten, repeated and unreadable numbers do not
  /// count.
  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let written = (0..<20).map { MonotonicTime(nanoseconds: Int64($0) * 16_000_000) }
    let shown = written.enumerated().map { number, time in
      Presentation.example(exposure: time, presented: time + .milliseconds(40), code: UInt32(number))
    }
    let strange = [
      Presentation.example(exposure: written[0], presented: written[19], code: 0),
      Presentation.example(exposure: written[0], presented: written[19], code: 400),
      Presentation.example(exposure: written[0], presented: written[19], code: nil),
    ]
    let reading = LoopReading(shown + strange, written: written)
    guard reading.latencies.count == 20, reading.latencies.allSatisfy({ $0 == 40 }), reading.unreadable == 2
    else {
      return .failed(
        "40 ms were injected and \(reading.latencies) read, \(reading.unreadable) of 2 unreadable")
    }
    return .passed(
      "20 made-up pictures read as 40 ms late; a repeated, a foreign and an unreadable one as none")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let (lab, rig) = (try DeviceLab(), rig)
    let loops = try await onOwnThread { try LabNode.list(lab, rig).filter { $0.output != nil } }
    guard !loops.isEmpty else {
      throw Unsupported(
        "this scenario needs the lab's camera loop; boot the lab with it: "
          + "`lab/run --camera vivid-loop:720p60 -- …`")
    }
    var whole = Observation(notes: [
      "The engine and the loop alone are measured by turns in one boot. The two ends of the loop have separate clocks, so the driver shows a frame twice or skips one at times; this does not count against the engine."
    ])
    for loop in loops {
      let one = try await LoopTrial(loop: loop, rig: rig, frames: context.duration.loopFrames).run()
      whole.metrics += one.metrics
      whole.checks += one.checks
      whole.evidence += one.evidence
    }
    return whole
  }
}

extension RunDuration {
  /// Number of frames through each loop, or to its display, in each round.
  var loopFrames: Int {
    switch self {
    case .turn, .short: 120
    case .full: 600
    case .soak: 6000
    }
  }
}

/// Latencies computed from the numbers written and shown.
struct LoopReading {
  /// Milliseconds from writing to presentation. A number that is shown again counts once.
  let latencies: [Double]
  /// Number of pictures without a readable number, or with a number that was never written.
  let unreadable: Int

  init(_ log: [Presentation], written: [MonotonicTime]) {
    var (latencies, unreadable, seen): ([Double], Int, Set<UInt32>) = ([], 0, [])
    for entry in log {
      guard let code = entry.code, written.indices.contains(Int(code)) else {
        unreadable += 1
        continue
      }
      if seen.insert(code).inserted {
        latencies.append((entry.presentedTime - written[Int(code)]).milliseconds)
      }
    }
    self.latencies = latencies
    self.unreadable = unreadable
  }
}
