import Foundation
import System

@testable import Harness

/// A report like a real run's: five suites, a failure, a regression, an unsupported scenario, pictures and timelines.
enum SampleReport {
  /// A PNG picture of one grey pixel.
  static let pixel = Data(
    base64Encoded:
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==")!

  static func make(hostile: String = "", pictures: [Data] = [pixel]) async throws -> Report {
    let profile = try Profile.load("seed")
    let base = try await run(profile, slowdown: 1, seed: 1, hostile, pictures, baseline: nil)
    return try await run(profile, slowdown: 1.31, seed: 2, hostile, pictures, baseline: base)
  }

  /// Returns a report without a failure, which may be a baseline.
  static func sound(seed: UInt64 = 1, baseline: Report? = nil) async throws -> Report {
    try await run(
      try Profile.load("seed"), slowdown: 1, seed: seed, "", [pixel], baseline: baseline)
  }

  private static func run(
    _ profile: Profile, slowdown: Double, seed: UInt64, _ hostile: String, _ pictures: [Data],
    baseline: Report?
  ) async throws -> Report {
    var source = SourceDescription.make(digest: "9f2c41d8a07be3b1")
    source.name = "shelf-pan\(hostile)"
    source.driver = "replay\(hostile)"
    var environment = RunEnvironment.make(cpu: "Intel Xeon Processor (Skylake)\(hostile)")
    environment.warnings = [
      "The machine was busy when the run began: load 1.42 on 2 cores.",
      "A virtual machine shares its cores: expect noise from neighbours.",
    ]
    var runner = Runner(
      profile: profile, tool: Report.Tool(version: "0.1.0", commit: "dd148512c0", build: "release"),
      environment: environment, baseline: baseline.map { Baseline($0) }, clock: StoppedClock())
    runner.processorUse = { nil }
    let context = ScenarioContext(
      source: source, command: "swiftwing bench --source corpus:shelf-pan --profile seed")
    return try await runner.run(
      SampleScenarios(slowdown: slowdown, seed: seed, hostile: hostile, pictures: pictures).all,
      context: context)
  }
}

/// The scenarios of the sample report.
struct SampleScenarios {
  let slowdown: Double
  let seed: UInt64
  let hostile: String
  let pictures: [Data]

  var all: [ScriptedScenario] {
    [coldStart, prewarmed, latency, pan, angles, turn, photo, torch, interruption, foreground]
  }

  private func noise(_ count: Int, _ median: Double, _ spread: Double) -> [Double] {
    var random = SplitMix64(seed: seed &+ UInt64(count))
    return (0..<count).map { _ in median * exp(spread * random.normal()) }
  }

  private func scenario(
    _ id: String, _ suite: Harness.Suite, _ title: String, _ requirements: [RequirementID], _ purpose: String,
    _ failure: String, _ observation: Observation
  ) -> ScriptedScenario {
    ScriptedScenario(
      id: id, suite: suite, title: title, purpose: purpose + hostile, exampleFailure: failure,
      requirements: requirements,
      proof: { .passed("no delay read as 0.0 ms; an injected 40 ms read as 40.1 ms") },
      body: { _ in observation })
  }

  private func metric(
    _ id: String, _ title: String, _ samples: [Double], _ unit: MeasurementUnit = .milliseconds,
    _ level: EvidenceLevel = .synthetic
  ) -> Measurement {
    Measurement(id: id, title: title + hostile, unit: unit, level: level, samples: samples)
  }

  private var coldStart: ScriptedScenario {
    let stages = Timeline(lanes: [
      .init("process", spans: [.init("exec", from: 0, to: 1.4), .init("open device", from: 1.4, to: 6.2)]),
      .init(
        "stream", spans: [.init("buffers", from: 6.2, to: 9.1), .init("first frame", from: 9.1, to: 44.2)]),
      .init("surface\(hostile)", marks: [.init("presented\(hostile)", at: 46.3)]),
    ])
    return scenario(
      "cold-start.process", .coldStart, "Cold launch", ["COLD-1", "COLD-4"],
      "From the start of the process to the first preview frame on the surface: what a reader waits for.",
      "An engine that opens every device before it shows the first frame.",
      Observation(
        metrics: [
          metric("cold-start.presented", "Process start to first frame", noise(20, 46, 0.08)),
          metric("cold-start.shutter-ready", "Process start to first photo accepted", noise(20, 49, 0.08)),
        ], evidence: [.timeline("The median launch by stages", stages)]))
  }

  private var prewarmed: ScriptedScenario {
    scenario(
      "cold-start.prewarmed", .coldStart, "Pre-warmed start", ["COLD-2"],
      "The same with the session pre-warmed.", "A prewarm() that does not open the device.",
      Observation(metrics: [metric("cold-start.prewarmed", "start() to first frame", noise(20, 31, 0.05))]))
  }

  private var latency: ScriptedScenario {
    scenario(
      "latency.glass-to-glass", .latency, "Glass to glass", ["LAT-1"],
      "How far behind the world the preview is, read from a time-code in the picture.",
      "A preview that queues frames instead of showing the latest.",
      Observation(metrics: [
        metric("latency.glass-to-glass", "Exposure to presented frame", noise(294, 30 * slowdown, 0.08)),
        metric("latency.frame-interval", "Interval of the source's frames", noise(294, 33.3, 0.01)),
        metric("latency.longest-gap", "Longest time without a new picture", [34.5]),
      ]))
  }

  private var pan: ScriptedScenario {
    scenario(
      "latency.pan", .latency, "No drop, no repeat under a pan", ["LAT-2"],
      "A pan must not swim: every frame once, in order, evenly.",
      "A surface that shows a frame twice under load.",
      Observation(metrics: [
        metric("pan.dropped", "Frames dropped", [0], .count),
        metric("pan.repeated", "Frames repeated", [0], .count),
        metric("pan.reordered", "Frames out of order", [0], .count),
        metric("pan.jitter", "Deviation from the even pace", noise(293, 0.6, 0.6)),
        metric("pan.frame-interval", "Frame interval of the source", [1000.0 / 30]),
        metric("pan.longest-gap", "Longest time without a new picture", [34.2]),
      ]))
  }

  private var angles: ScriptedScenario {
    let checks = ["preview", "photo", "analysis"].flatMap { output in
      ["tagged", "baked"].map { kind in
        Check(
          id: "rotation.\(output).\(kind)", title: "Upright in the \(output), \(kind)", passed: true,
          subjects: 8,
          detail: "4 angles, mirrored and not: the fiducial is upright in 8 of 8", requirement: "ROT-2")
      }
    }
    return scenario(
      "rotation.angles", .rotation, "Every angle, mirrored or not", ["ROT-1", "ROT-2"],
      "A photo must be upright however the device is held; proved on pixels, not by width and height.",
      "A camera that swaps 90° and 270°: the sizes are right and every photo is upside down.",
      Observation(
        checks: checks,
        evidence: pictures.enumerated().map { .jpeg("Photo \($0 + 1) held at \($0 * 90)°\(hostile)", $1) }))
  }

  private var turn: ScriptedScenario {
    let timeline = Timeline(lanes: [
      .init(
        "angle held",
        spans: [
          .init("0°", from: 0, to: 2400), .init("90°", from: 2400, to: 6100),
          .init("180°", from: 6100, to: 9800),
        ]),
      .init(
        "angle shown",
        spans: [
          .init("0°", from: 0, to: 2400), .init("270°", from: 2400, to: 2533, isAlert: true),
          .init("90°", from: 2533, to: 6100), .init("180°", from: 6100, to: 9800),
        ]),
      .init("wrong frames", marks: (0..<4).map { .init("", at: 2400 + Double($0) * 33.3, isAlert: true) }),
      .init("events", marks: [.init("turn 1", at: 2400), .init("turn 2", at: 6100)]),
    ])
    let wrong = slowdown > 1 ? 4 : 0
    return scenario(
      "rotation.turn", .rotation, "Across a turn", ["ROT-3"],
      "While the device turns, each frame is shown at the angle of its own exposure.",
      "An output that looks up the current angle when it draws.",
      Observation(
        metrics: [metric("rotation.turn.wrong-frames", "Frames at a wrong angle", [Double(wrong)], .count)],
        checks: [
          Check(
            id: "rotation.turn.angles", title: "Each frame at its own angle", passed: wrong == 0,
            subjects: 294,
            detail:
              "\(wrong) of 294 frames shown at 270° where 90° held: the candidates were 0° 0.12, 90° 0.31, 180° 0.08, 270° 0.97",
            requirement: "ROT-3")
        ], evidence: [.timeline("Angles across the turn", timeline)]))
  }

  private var photo: ScriptedScenario {
    scenario(
      "photo.formats", .photo, "Size, tokens, bytes and time", ["IMG-1", "IMG-2", "IMG-3", "IMG-5"],
      "A photo for the vision model is small enough to be cheap and large enough to be read.",
      "A photo path that upscales a small frame.",
      Observation(
        metrics: [
          metric("photo.mjpg-1280x720.time", "Frame to encoded photo", noise(60, 44, 0.06)),
          metric("photo.mjpg-1280x720.processor", "Processor time of a photo", noise(60, 40, 0.06)),
          metric(
            "photo.mjpg-1280x720.bytes", "File size", noise(60, 173_000, 0.03).map { $0.rounded() }, .bytes),
          metric("photo.mjpg-1280x720.likeness", "Luma against the original", [42.9, 43], .decibels),
          metric("photo.mjpg-1280x720.scaling", "The same before compression", [46.5], .decibels),
          metric(
            "photo.mjpg-1280x720.scaling-ssim", "Structural similarity before compression", [0.998], .ratio),
          metric("photo.mjpg-1280x720.chroma", "Chroma against the original", [0.7], .levels),
          metric("photo.mjpg-1280x720.chroma-p99", "Most of the chroma", [5], .levels),
          metric("photo.mjpg-1280x720.scaling-chroma", "Chroma before compression", [0.2], .levels),
          metric("photo.mjpg-1280x720.long-side", "Long side", [Double](repeating: 1024, count: 60), .pixels),
          metric(
            "photo.mjpg-1280x720.tokens-seed", "Tokens by the seed's table",
            [Double](repeating: 516, count: 60), .tokens),
        ],
        evidence: [
          .text(
            "Tokens of 1024×768 by profile",
            "seed table     516\nGemini 2.x   1,032\nGemini 3     1,064\nOpenAI tiles   765\nAnthropic    1,036\(hostile)"
          )
        ],
        notes: [
          "The seed's table says 516 tokens where the vendor's documented rule says 1,032: both are shown."
        ]))
  }

  private var torch: ScriptedScenario {
    ScriptedScenario(
      id: "photo.torch", suite: .photo, title: "Photo with torch", purpose: "A dark shelf can be lit.",
      exampleFailure: "A torch that stays on after the photo.", requirements: ["CTL-6"],
      body: { _ in throw Unsupported("the source has no torch") })
  }

  private var interruption: ScriptedScenario {
    let timeline = Timeline(lanes: [
      .init(
        "source",
        spans: [
          .init("streaming", from: 0, to: 3000), .init("unplugged", from: 3000, to: 4400, isAlert: true),
          .init("streaming", from: 4400, to: 8000),
        ]),
      .init(
        "session",
        spans: [
          .init("running", from: 0, to: 3041), .init("interrupted", from: 3041, to: 4460, isAlert: true),
          .init("running", from: 4460, to: 8000),
        ]),
      .init(
        "photos",
        marks: [
          .init("accepted", at: 2980), .init("failed: unplugged", at: 3042, isAlert: true),
          .init("accepted", at: 4500),
        ]),
      .init("frames", marks: (0..<200).map { .init("", at: Double($0) * 33.3 + ($0 > 90 ? 1460 : 0)) }),
    ])
    return scenario(
      "recovery.replug", .recovery, "Unplug and replug", ["INT-1", "INT-2", "INT-3"],
      "A camera that comes back is used again without the user.",
      "An engine that never notices that the interruption ended.",
      Observation(
        metrics: [
          metric("recovery.replug.resumed", "Cause gone to first frame", noise(12, 61, 0.1)),
          metric("recovery.replug.hung-photos", "Photos that never answered", [0], .count),
        ],
        checks: [
          Check(
            id: "recovery.reason", title: "The reason is the right one", passed: true, subjects: 3,
            detail: "deviceRemoved, 3 of 3")
        ], evidence: [.timeline("One unplug", timeline)]))
  }

  private var foreground: ScriptedScenario {
    scenario(
      "recovery.foreground", .recovery, "Background and back", ["INT-4"], "Coming back must feel instant.",
      "A session that closes the device in the background.",
      Observation(metrics: [
        metric("recovery.foreground.resumed", "foreground() to first frame", noise(12, 42, 0.1))
      ])
    )
  }
}
