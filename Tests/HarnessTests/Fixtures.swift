import Foundation

@testable import Harness

/// Foundation has a type of this name too.
typealias Measurement = Harness.Measurement

/// A scenario whose behaviour a test sets.
struct ScriptedScenario: Scenario {
  var id = "latency.example"
  var suite = Suite.latency
  var title = "Example"
  var purpose = "Shows what a scenario is."
  var exampleFailure = "A camera that delays every frame by 40 ms."
  var requirements: [RequirementID] = ["LAT-1"]
  var proof: @Sendable () async throws -> SelfTest = { .passed("zero read as zero") }
  var body: @Sendable (Int) async throws -> Observation
  let runs = RunCounter()

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest { try await proof() }
  func run(_ context: ScenarioContext) async throws -> Observation { try await body(runs.next()) }
}

actor RunCounter {
  private var count = 0
  func next() -> Int {
    count += 1
    return count
  }
}

/// A clock on which every wait ends at once.
struct InstantClock: Clock {
  typealias Instant = ContinuousClock.Instant
  var now: Instant { ContinuousClock.now }
  var minimumResolution: Duration { .zero }
  func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
}

/// A clock on which no wait ever ends.
struct StoppedClock: Clock {
  typealias Instant = ContinuousClock.Instant
  var now: Instant { ContinuousClock.now }
  var minimumResolution: Duration { .zero }
  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let (forever, _) = AsyncStream<Never>.makeStream()
    for await _ in forever {}
    try Task.checkCancellation()
  }
}

extension Measurement {
  static func make(
    _ samples: [Double], id: String = "latency.glass-to-glass", unit: MeasurementUnit = .milliseconds,
    polarity: Polarity = .lowerIsBetter, level: EvidenceLevel = .synthetic
  ) -> Measurement {
    Measurement(
      id: id, title: "Glass to glass", unit: unit, polarity: polarity, level: level, samples: samples)
  }
}

extension Limit {
  static func make(
    _ statistic: Statistic, _ op: Relation, _ value: Double, metric: String = "latency.glass-to-glass",
    unit: MeasurementUnit = .milliseconds, reference: Reference? = nil, minimumCount: Int? = nil,
    scenario: String? = nil
  ) -> Limit {
    Limit(
      metric: metric, statistic: statistic, op: op, value: value, unit: unit, requirement: "LAT-1",
      source: "test",
      reference: reference, minimumCount: minimumCount, scenario: scenario)
  }
}

extension Profile {
  static func make(_ limits: [Limit] = []) -> Profile {
    Profile(name: "test", title: "A test.", limits: limits)
  }
}

extension RunEnvironment {
  static func make(cpu: String = "Test CPU", yardstick: Double = 1) -> RunEnvironment {
    RunEnvironment(
      fingerprint: "x86_64 · \(cpu)", architecture: "x86_64", cpu: cpu, cores: 2, kernel: "6.1", memoryGiB: 8,
      isolation: "none", build: "release", governor: nil, load: 0.1, yardstick: yardstick, warnings: [])
  }
}

extension SourceDescription {
  static func make(digest: String = "abc") -> SourceDescription {
    SourceDescription(kind: "corpus", name: "pan", format: "MJPG 1280×720 30 fps", digest: digest)
  }
}

extension Runner {
  static func make(
    _ profile: Profile = .make(), file: ReportFile? = nil, baseline: Report? = nil,
    environment: RunEnvironment = .make(), clock: any Clock<Duration> = StoppedClock()
  ) -> Runner {
    // The load of this machine must not affect a test.
    var runner = Runner(
      profile: profile, tool: Report.Tool(version: "0.1", commit: "abcdef0", build: "debug"),
      environment: environment, reportFile: file, baseline: baseline.map { Baseline($0) },
      timeout: .seconds(1), clock: clock)
    runner.processorUse = { nil }
    runner.yardstick = { ProcessorPace.usual }
    return runner
  }
}

extension Report {
  /// Returns the report of one scenario that makes this observation.
  static func make(
    _ observation: Observation, profile: Profile = .make(), environment: RunEnvironment = .make(),
    digest: String = "abc"
  ) async throws -> Report {
    try await Runner.make(profile, environment: environment).run(
      [ScriptedScenario { _ in observation }], context: ScenarioContext(source: .make(digest: digest)))
  }
}

/// A temporary directory that is removed with the value.
final class TemporaryDirectory {
  let path = NSTemporaryDirectory() + "harness-\(UUID().uuidString)"
  init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(atPath: path) }
  var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }
}

extension Report {
  /// A report without any measurement.
  static var empty: Report {
    Report(
      tool: Tool(version: "0.1", commit: "abcdef0", build: "debug"), started: "2026-01-01T00:00:00Z",
      environment: .make(), source: .make(), profile: "test", duration: .short)
  }
}
