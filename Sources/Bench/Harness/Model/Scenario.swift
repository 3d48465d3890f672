/// A measurement that the harness runs and judges.
public protocol Scenario: Sendable {
  /// Id that is stable, unique and lower case, such as `latency.glass-to-glass`.
  var id: String { get }
  /// The chapter of the report that the scenario belongs to. `--suite` selects by it.
  var suite: Suite { get }
  /// Title of a few words, such as `Glass to glass`.
  var title: String { get }
  /// Why the result matters to a person, in one sentence.
  var purpose: String { get }
  /// One example of an engine or device that fails this scenario.
  var exampleFailure: String { get }
  /// The requirements that the scenario tests. Their explanations are shown with its verdict.
  var requirements: [RequirementID] { get }
  /// Whether the deciding metrics are processor times: waiting for a busy processor does not lengthen them. Two builds of such a scenario may run
  /// at once, in time slices, and smaller changes are then detected than by turns. False by default.
  var isTimedByProcessor: Bool { get }
  /// The factor by which the time limit of a run is longer for this scenario. More than 1 for work that takes its time beside busy programs and is
  /// not timed. 1 by default.
  var patience: Double { get }

  /// Proves that the probe works: zero delay reads zero, an injected delay is recovered, no samples is a failure. Throwing counts as failed.
  func selfTest(_ context: ScenarioContext) async throws -> SelfTest

  /// Measures. Throw `Unsupported` if the source cannot do what is measured; any other error is a failure. The task is cancelled on ^C and when
  /// the time is up: return or throw soon after.
  func run(_ context: ScenarioContext) async throws -> Observation
}

extension Scenario {
  public var isTimedByProcessor: Bool { false }
  public var patience: Double { 1 }
}

/// The outcome of a probe's self-test.
public enum SelfTest: Sendable, Equatable {
  /// The probe works. The text is the proof, such as `an injected 40 ms was read as 40.1 ms`.
  case passed(String)
  /// The probe does not work, for the stated reason. The scenario is not run, and fails.
  case failed(String)
  /// The self-test missed a time. A busy machine may explain that, so the self-test is repeated.
  /// - Parameter missedBy: how far the time was missed, in its unit.
  case late(String, missedBy: Double)
}

/// An error thrown by a scenario whose source lacks what it would measure. An expected outcome, not a failure.
public struct Unsupported: Error, Equatable, CustomStringConvertible {
  /// The missing feature, as a clause: `the camera has no torch`.
  public let reason: String

  /// - Parameter reason: the missing feature, as a clause.
  public init(_ reason: String) { self.reason = reason }
  /// The reason, as a clause.
  public var description: String { reason }
}

/// The duration class of a run. Each scenario turns it into seconds or repetitions.
public enum RunDuration: String, Sendable, Codable, CaseIterable {
  /// One turn of an interleaved comparison, a few seconds at most. A single turn is imprecise, but there are many.
  case turn
  /// About two minutes for the suites that run when none is named.
  case short
  /// Long enough for the samples that a careful comparison of runs needs.
  case full
  /// Ten minutes or more, to find leaks and rare faults.
  case soak
}

/// The inputs that the harness gives a scenario. They contain no camera, because the harness does not depend on
/// cameras; each scenario makes its own.
public struct ScenarioContext: Sendable {
  /// The description of the source under test, for the report.
  public var source: SourceDescription
  /// How much time to spend. The scenario turns it into a number of samples or repetitions.
  public var duration: RunDuration
  /// Seed for everything that a scenario draws at random.
  public var seed: UInt64
  /// Absolute path of a folder where a scenario may put files while it runs.
  public var scratchDirectory: String
  /// The command that runs scenarios with this source and profile. ` --scenario ID` is appended to it.
  public var command: String

  /// Creates a context. The defaults are those of a short run.
  public init(
    source: SourceDescription, duration: RunDuration = .short, seed: UInt64 = 1,
    scratchDirectory: String = "/tmp",
    command: String = "swiftwing bench"
  ) {
    self.source = source
    self.duration = duration
    self.seed = seed
    self.scratchDirectory = scratchDirectory
    self.command = command
  }

  /// Returns the command line that repeats one scenario alone.
  public func reproduceCommand(_ scenario: String) -> String { "\(command) --scenario \(scenario)" }
}

/// The source under test: a device, a corpus or a simulated camera, described for the report.
public struct SourceDescription: Hashable, Sendable, Codable {
  /// `v4l2`, `corpus` or `simulated`.
  public var kind: String
  /// The name that the device or corpus gives itself. Untrusted text.
  public var name: String
  /// The kernel's name of the driver. Nil if there is no driver.
  public var driver: String?
  /// The place where the device is plugged in, or the path of the corpus. Nil if the source has no place.
  public var bus: String?
  /// The serial number of the device, which tells two of one model apart. Nil if the device reports none. Untrusted text.
  public var serial: String?
  /// The format, such as `MJPG 1280×720 30 fps`.
  public var format: String?
  /// Digest of the corpus, or of the description of the simulation. Runs with different digests are not compared.
  public var digest: String?

  /// Creates a description. Leave `digest` nil only for a device: recordings without a digest are never comparable.
  public init(
    kind: String, name: String, driver: String? = nil, bus: String? = nil, serial: String? = nil,
    format: String? = nil, digest: String? = nil
  ) {
    self.kind = kind
    self.name = name
    self.driver = driver
    self.bus = bus
    self.serial = serial
    self.format = format
    self.digest = digest
  }
}
