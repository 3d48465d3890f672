/// The available scenarios, each with its purpose, its limits and an example of a failure, as `swiftwing bench --list` shows them.
public struct ScenarioList: Sendable, Codable {
  /// A scenario of the list.
  public struct Row: Sendable, Codable {
    /// The id of the scenario, for `--scenario`.
    public var id: String
    /// The suite of the scenario.
    public var suite: Suite
    /// Title of a few words.
    public var title: String
    /// Why the result matters to a person.
    public var purpose: String
    /// The requirements that the scenario tests, each with its explanation.
    public var requirements: [RequirementGuide.Entry]
    /// The limits of the profile on this scenario's metrics.
    public var limits: [Limit]
    /// An example of an engine or device that fails the scenario.
    public var exampleFailure: String
    /// Whether `bench` runs it without `--suite` or `--scenario`.
    public var isOrdinary: Bool
    /// Whether two builds may run the scenario at once (`Scenario.isTimedByProcessor`). Nil in lists of builds that do not report this.
    public var isTimedByProcessor: Bool?
  }

  /// The name of the profile that the limits are from.
  public var profile: String
  /// The scenarios, in the given order.
  public var scenarios: [Row]
  /// Limits on metrics that the profile does not assign to a scenario.
  public var sharedLimits: [Limit]

  /// - Parameters:
  ///   - scenarios: the scenarios to list, in this order.
  ///   - profile: the profile with the limits.
  public init(_ scenarios: [any Scenario], profile: Profile) {
    self.profile = profile.name
    self.scenarios = scenarios.map { Row($0, profile) }
    let ids = scenarios.map(\.id)
    let cited = Set(scenarios.flatMap(\.requirements))
    sharedLimits = profile.limits.filter { limit in
      // The rules of `qualify` are not scenarios of this list.
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
  /// Returns whether the limit names no scenario and the id of its metric begins with that of `scenario`.
  fileprivate func isNamed(for scenario: String) -> Bool {
    self.scenario == nil && (metric == scenario || metric.hasPrefix(scenario + "."))
  }

  /// The limit in words: `latency.glass-to-glass: p99 ≤ 1 × the median of latency.frame-interval + 2 ms (LAT-1)`; for a limit on pairs
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

  /// Returns a number as written in the profile: `0.2`, not `0.200`.
  private static func plain(_ value: Double) -> String {
    value == value.rounded() ? Figure.number(value) : "\(value)"
  }
}
