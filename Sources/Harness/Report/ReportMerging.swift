extension Report {
  /// One report from the shards of a run, or from runs on several sources.
  /// - Parameter acrossSources: the reports may be of different sources and profiles; every scenario then says which were its own, and one
  ///   that its source did not support gives way to the same one measured elsewhere.
  /// - Throws: when there is none, when they were not made alike (machine, profile, source), or
  ///   when a scenario was measured in two of them.
  public static func merging(_ shards: [Report], acrossSources: Bool = false) throws(HarnessError) -> Report {
    guard var merged = shards.first else {
      throw .report(path: "(none)", reason: "there is nothing to merge")
    }
    merged.scenarios = []
    for shard in shards {
      let differences =
        acrossSources
        ? shard.environment.differences(from: merged.environment)
        : Comparability.differences(base: merged, new: shard)
      if let difference = differences.first {
        throw .report(path: shard.started, reason: "the shards were not made alike, \(difference)")
      }
      for scenario in shard.scenarios {
        try merged.take(acrossSources ? scenario.naming(shard) : scenario, of: shard, acrossSources)
      }
      merged.started = min(merged.started, shard.started)
    }
    merged.scenarios.sort { Self.order($0) < Self.order($1) }
    if acrossSources {
      merged.source = SourceDescription(merging: shards.map(\.source))
      merged.profile = distinct(shards.map(\.profile)).joined(separator: ", ")
    }
    let summaries = shards.compactMap(\.baseline)
    if let decisive = Verdict.decisive(summaries.map(\.verdict)) {
      merged.baseline = summaries.first { $0.verdict == decisive }
    }
    merged.conclude()
    return merged
  }

  private mutating func take(
    _ scenario: ScenarioReport, of shard: Report, _ acrossSources: Bool
  ) throws(HarnessError) {
    guard let index = scenarios.firstIndex(where: { $0.id == scenario.id }) else {
      return scenarios.append(scenario)
    }
    if acrossSources, scenario.verdict == .unsupported { return }
    guard acrossSources, scenarios[index].verdict == .unsupported else {
      throw .report(path: shard.started, reason: "`\(scenario.id)` is in two shards")
    }
    scenarios[index] = scenario
  }

  private static func order(_ scenario: ScenarioReport) -> (Int, String) {
    (Suite.all.firstIndex(of: scenario.suite) ?? Suite.all.count, scenario.id)
  }
}

extension ScenarioReport {
  fileprivate func naming(_ shard: Report) -> ScenarioReport {
    var named = self
    let source = [shard.source.name, shard.source.format].compactMap { $0 }.joined(separator: ", ")
    named.notes.append("Source: \(source). Profile: \(shard.profile).")
    return named
  }
}

extension SourceDescription {
  /// Several sources in one; a source that is the only one stays as it is.
  fileprivate init(merging sources: [SourceDescription]) {
    let names = distinct(sources.map(\.name))
    if names.count == 1, let only = sources.first {
      self = only
    } else {
      self.init(kind: "several", name: names.joined(separator: "; "))
    }
  }
}

/// Each once, in the order of their first.
private func distinct(_ names: [String]) -> [String] {
  names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
}
