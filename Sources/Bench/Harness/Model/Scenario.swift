/// One thing that is measured, and why it matters.
public protocol Scenario: Sendable {
  /// Stable, unique and lower case, such as `latency.glass-to-glass`.
  var id: String { get }
  /// The chapter of the report that it belongs to; `--suite` chooses by it.
  var suite: Suite { get }
  /// A few words, such as `Glass to glass`.
  var title: String { get }
  /// Why a person should care, in one sentence.
  var purpose: String { get }
  /// One example of an engine or device that fails this scenario.
  var exampleFailure: String { get }
  /// The requirements that it answers; their explanations are shown with its verdict.
  var requirements: [RequirementID] { get }
  /// Whether what decides is processor time, which waiting does not lengthen. Two builds of such a scenario may run at once, by slices of
  /// time, which tells more than turns do. False unless the scenario says so.
  var isTimedByProcessor: Bool { get }

  /// Proves the probe itself: zero delay reads zero, an injected delay is recovered, no samples is a failure.
  /// Throwing counts as failed.
  func selfTest(_ context: ScenarioContext) async throws -> SelfTest

  /// Measures. Throw `Unsupported` when the source cannot do what is measured; any other error is a failure. Cancelled on
  /// ^C and when the time is up: return or throw soon after.
  func run(_ context: ScenarioContext) async throws -> Observation
}

extension Scenario {
  public var isTimedByProcessor: Bool { false }
}

/// Whether a probe was shown to work, and how.
public enum SelfTest: Sendable, Equatable {
  /// What was shown, such as `an injected 40 ms was read as 40.1 ms`.
  case passed(String)
  /// What was wrong with the probe: the scenario is not run, and fails.
  case failed(String)
  /// A figure of the proof that is a matter of time was missed, which a busy machine may explain: it is proved again.
  /// - Parameter missedBy: by how much, in the figure's own unit.
  case late(String, missedBy: Double)
}

/// Thrown by a scenario whose source lacks what it would measure: an expected outcome, not a failure.
public struct Unsupported: Error, Equatable, CustomStringConvertible {
  /// What is missing, as a clause: `the camera has no torch`.
  public let reason: String

  /// - Parameter reason: what is missing, as a clause.
  public init(_ reason: String) { self.reason = reason }
  /// The reason.
  public var description: String { reason }
}

/// How long a scenario may take; what each class means in seconds or repetitions is the scenario's own to say.
public enum RunDuration: String, Sendable, Codable, CaseIterable {
  /// One turn of an interleaved comparison, a few seconds at most: each turn says little, and there are many.
  case turn
  /// The whole bench in about a minute.
  case short
  /// Enough samples to compare runs with care.
  case full
  /// Ten minutes and more, for leaks and rare faults.
  case soak
}

/// What a scenario is given beside what it already holds: the harness knows no camera, so the scenarios bring theirs.
public struct ScenarioContext: Sendable {
  /// What is measured, as the report will describe it.
  public var source: SourceDescription
  /// How much time to spend: how many samples or repetitions that is, the scenario decides.
  public var duration: RunDuration
  /// Seeds whatever a scenario draws at random.
  public var seed: UInt64
  /// Where a scenario may leave files while it runs; an absolute path.
  public var scratchDirectory: String
  /// The command that runs scenarios with this source and profile, to which ` --scenario ID` is added.
  public var command: String

  /// Defaults are those of a short run; the source must be said.
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

  /// The command line that repeats one scenario alone.
  public func reproduceCommand(_ scenario: String) -> String { "\(command) --scenario \(scenario)" }
}

/// What was measured on: a device, a corpus or a simulated camera, in the words of the report.
public struct SourceDescription: Hashable, Sendable, Codable {
  /// `v4l2`, `corpus` or `simulated`.
  public var kind: String
  /// As the device or corpus names itself; untrusted text.
  public var name: String
  /// As the kernel names it; nil where there is none.
  public var driver: String?
  /// Where it is plugged in, or where the corpus lies; nil where it is nowhere.
  public var bus: String?
  /// The device's own number, which tells two of one model apart; nil where it tells none. Untrusted text.
  public var serial: String?
  /// Such as `MJPG 1280×720 30 fps`.
  public var format: String?
  /// Digest of the corpus or of the simulation's description. Runs with different digests are not compared.
  public var digest: String?

  /// A source in words. Leave `digest` nil only for a device: recordings without one are never comparable.
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
