/// A scenario that a run in shards will measure, with the values that a report needs to name it if its shard is missing.
public struct PlannedScenario: Sendable, Hashable, Codable {
  /// The id of the scenario.
  public var id: String
  /// The suite of the scenario.
  public var suite: Suite
  /// The title of the scenario.
  public var title: String
  /// The command line that measures the scenario alone.
  public var reproduce: String
}

extension PlannedScenario {
  init(_ scenario: any Scenario, _ context: ScenarioContext) {
    self.init(
      id: scenario.id, suite: scenario.suite, title: scenario.title,
      reproduce: context.reproduceCommand(scenario.id))
  }
}

/// A shard that a merged report lacks, in whole or in part.
public struct MissingShard: Sendable, Hashable, Codable {
  /// The lacking shard.
  public var shard: Shard
  /// Why the shard is missing, as a clause that follows its name: `is missing`.
  public var reason: String
  /// The ids of the scenarios that it did not measure. Empty if only its end was not recorded.
  public var scenarios: [String]

  /// A sentence such as `The shard 2/3 is missing: latency.pan, photo.torch were not measured.`
  public var sentence: String {
    let lost = scenarios.joined(separator: ", ")
    let verb = scenarios.count == 1 ? "was" : "were"
    return "The shard \(shard) \(reason)" + (scenarios.isEmpty ? "." : ": \(lost) \(verb) not measured.")
  }
}
