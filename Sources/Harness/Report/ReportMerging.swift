extension Report {
  /// One report from the shards of a run.
  /// - Throws: when there is none, when they were not made alike (machine, source, profile), or
  ///   when a scenario is in two of them.
  public static func merging(_ shards: [Report]) throws(HarnessError) -> Report {
    guard var merged = shards.first else {
      throw .report(path: "(none)", reason: "there is nothing to merge")
    }
    for shard in shards.dropFirst() {
      let differences = Comparability.differences(base: merged, new: shard)
      if let difference = differences.first {
        throw .report(path: shard.started, reason: "the shards were not made alike, \(difference)")
      }
      if let twice = shard.scenarios.first(where: { new in merged.scenarios.contains { $0.id == new.id } }) {
        throw .report(path: shard.started, reason: "`\(twice.id)` is in two shards")
      }
      merged.scenarios += shard.scenarios
      merged.started = min(merged.started, shard.started)
    }
    merged.scenarios.sort { Self.order($0) < Self.order($1) }
    let summaries = shards.compactMap(\.baseline)
    if let decisive = Verdict.decisive(summaries.map(\.verdict)) {
      merged.baseline = summaries.first { $0.verdict == decisive }
    }
    merged.conclude()
    return merged
  }

  private static func order(_ scenario: ScenarioReport) -> (Int, String) {
    (Suite.all.firstIndex(of: scenario.suite) ?? Suite.all.count, scenario.id)
  }
}
