/// The scenarios there are, with what each asks and what fails it, as `swiftwing bench --list` shows them.
public struct ScenarioList: Sendable, Codable {
  /// One scenario.
  public struct Row: Sendable, Codable {
    /// The scenario's id, as `--scenario` takes it.
    public var id: String
    /// The suite it is in.
    public var suite: Suite
    /// A few words.
    public var title: String
    /// Why a person should care.
    public var purpose: String
    /// Those that it answers, each explained.
    public var requirements: [RequirementGuide.Entry]
    /// The limits of the profile on this scenario's metrics.
    public var limits: [Limit]
    /// One example of an engine or a device that fails it.
    public var exampleFailure: String
    /// True when `bench` runs it without `--suite` or `--scenario`.
    public var isOrdinary: Bool
    /// True when two builds of it may run at once (`Scenario.isTimedByProcessor`); nil in lists of builds that did not tell.
    public var isTimedByProcessor: Bool?
  }

  /// The name of the profile whose limits are listed.
  public var profile: String
  /// In the order in which they were given.
  public var scenarios: [Row]
  /// Limits on metrics that the profile leaves to whichever scenario measures them.
  public var sharedLimits: [Limit]

  /// - Parameters:
  ///   - scenarios: those to list, in this order.
  ///   - profile: whose limits are shown.
  public init(_ scenarios: [any Scenario], profile: Profile) {
    self.profile = profile.name
    self.scenarios = scenarios.map { Row($0, profile) }
    let ids = scenarios.map(\.id)
    let cited = Set(scenarios.flatMap(\.requirements))
    sharedLimits = profile.limits.filter { limit in
      // A rule of `qualify` is no scenario of this list.
      limit.scenario == nil && !limit.metric.hasPrefix("qualify.") && cited.contains(limit.requirement)
        && !ids.contains { limit.isNamed(for: $0) }
    }
  }
}

extension ScenarioList.Row {
  fileprivate init(_ scenario: any Scenario, _ profile: Profile) {
    id = scenario.id
    suite = scenario.suite
    title = scenario.title
    purpose = scenario.purpose
    exampleFailure = scenario.exampleFailure
    requirements = scenario.requirements.map {
      RequirementGuide.standard[$0] ?? RequirementGuide.Entry(id: $0, title: "", explanation: "")
    }
    limits = profile.limits.filter { $0.scenario == scenario.id || $0.isNamed(for: scenario.id) }
    isOrdinary = Suite.ordinary.contains(scenario.suite)
    isTimedByProcessor = scenario.isTimedByProcessor
  }
}

extension Limit {
  /// True when no scenario is said, and the metric's id begins with that of `scenario`.
  fileprivate func isNamed(for scenario: String) -> Bool {
    self.scenario == nil && (metric == scenario || metric.hasPrefix(scenario + "."))
  }

  /// In words: `latency.glass-to-glass: p99 ≤ 1 × the median of latency.frame-interval + 2 ms (LAT-1)`; of a limit on pairs
  /// `cold-start.presented: p99 ≤ cold-start.device-first-frame, pair by pair, + 30 ms (COLD-1)`.
  public var sentence: String {
    var terms: [String] = []
    if let reference, reference.paired == true {
      let factor = reference.factor == 1 ? "" : "\(Self.plain(reference.factor)) × "
      terms.append("\(factor)\(reference.metric), pair by pair,")
    } else if let reference {
      let factor = reference.factor == 1 ? "" : "\(Self.plain(reference.factor)) × "
      terms.append("\(factor)the median of \(reference.metric)")
    }
    if value != 0 || terms.isEmpty {
      terms.append(Figure.text(value, unit).replacing(Figure.number(value), with: Self.plain(value)))
    }
    let name = statistic == .each ? "each" : statistic.rawValue
    let bound = terms.joined(separator: " + ")
    return
      "\(metric): \(name) \(op.sign) \(bound.hasSuffix(",") ? String(bound.dropLast()) : bound) (\(requirement))"
  }

  /// As the profile has it: `0.2`, not `0.200`.
  private static func plain(_ value: Double) -> String {
    value == value.rounded() ? Figure.number(value) : "\(value)"
  }
}
