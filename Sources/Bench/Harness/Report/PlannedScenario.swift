/// A scenario that a run in parts is to measure: enough to name it where its part is missing.
public struct PlannedScenario: Sendable, Hashable, Codable {
  /// The scenario's id.
  public var id: String
  /// The chapter it is in.
  public var suite: Suite
  /// As the scenario says.
  public var title: String
  /// The command line that measures it alone.
  public var reproduce: String
}

extension PlannedScenario {
  init(_ scenario: any Scenario, _ context: ScenarioContext) {
    self.init(
      id: scenario.id, suite: scenario.suite, title: scenario.title,
      reproduce: context.reproduceCommand(scenario.id))
  }
}

/// A shard that is not in a merged report, or not all of it.
public struct MissingShard: Sendable, Hashable, Codable {
  /// Which part of the run.
  public var shard: Shard
  /// What became of it, as a clause that follows its name: `is missing`.
  public var reason: String
  /// The ids of what it should have measured and did not; empty where only its end was not recorded.
  public var scenarios: [String]

  /// `The shard 2/3 is missing: latency.pan, photo.torch were not measured.`
  public var sentence: String {
    let lost = scenarios.joined(separator: ", ")
    let verb = scenarios.count == 1 ? "was" : "were"
    return "The shard \(shard) \(reason)" + (scenarios.isEmpty ? "." : ": \(lost) \(verb) not measured.")
  }
}
