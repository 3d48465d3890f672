extension Report {
  /// One report from all the shards of a run, or from runs on several sources.
  /// - Parameter acrossSources: the reports may be of different sources and profiles, and are no shards; every scenario then says
  ///   which were its own, and one that its source did not support gives way to the same one measured elsewhere.
  /// - Throws: when there is none, when one was not finished, when a shard is missing or there twice, when they were not made alike
  ///   (machine, profile, source, fault), or when a scenario was measured in two of them.
  public static func merging(_ shards: [Report], acrossSources: Bool = false) throws(HarnessError) -> Report {
    guard var merged = shards.first else { throw .merge(reason: "there is nothing to merge") }
    if let open = shards.first(where: { !$0.complete }) {
      throw .merge(reason: "\(open.name) was interrupted or killed before its end")
    }
    if !acrossSources, let gap = gap(in: shards) { throw .merge(reason: gap) }
    merged.scenarios = []
    for shard in shards {
      if let difference = merged.difference(from: shard, acrossSources) {
        throw .merge(reason: "they were not made alike: in \(shard.name) \(difference)")
      }
      for scenario in shard.scenarios {
        try merged.take(acrossSources ? scenario.naming(shard) : scenario, of: shard, acrossSources)
      }
      merged.started = min(merged.started, shard.started)
    }
    merged.scenarios.sort { Self.order($0) < Self.order($1) }
    merged.combine(shards, acrossSources)
    merged.conclude()
    return merged
  }

  /// What keeps the shards from being the whole, as a clause.
  private static func gap(in shards: [Report]) -> String? {
    if let other = shards.first(where: { $0.shard == nil }) {
      return "\(other.name) is not a shard of a run (`bench --shard K/N`)"
    }
    let parts = shards.compactMap(\.shard)
    let counts = Set(parts.map(\.count)).sorted()
    guard let count = counts.first, counts.count == 1 else {
      return "they are shards of different numbers: \(parts.map(\.description).joined(separator: ", "))"
    }
    if let twice = Dictionary(grouping: parts, by: \.index).filter({ $0.value.count > 1 }).keys.min() {
      return "the shard \(twice)/\(count) is there twice"
    }
    let missing = (1...count).filter { index in !parts.contains { $0.index == index } }.map {
      "\($0)/\(count)"
    }
    guard let first = missing.first else { return nil }
    return missing.count == 1
      ? "the shard \(first) is missing" : "the shards \(missing.joined(separator: ", ")) are missing"
  }

  /// The first thing in which another differs from this, as a clause.
  private func difference(from other: Report, _ acrossSources: Bool) -> String? {
    if acrossSources { return other.environment.differences(from: environment).first }
    if other.fault != fault { return "the fault is \(other.fault ?? "none"), was \(fault ?? "none")" }
    if other.selection != selection {
      return "the choice is \(other.selection ?? "everything"), was \(selection ?? "everything")"
    }
    return Comparability.differences(base: self, new: other).first
  }

  private mutating func take(
    _ scenario: ScenarioReport, of shard: Report, _ acrossSources: Bool
  ) throws(HarnessError) {
    guard let index = scenarios.firstIndex(where: { $0.id == scenario.id }) else {
      return scenarios.append(scenario)
    }
    if acrossSources, scenario.verdict == .unsupported { return }
    guard acrossSources, scenarios[index].verdict == .unsupported else {
      throw .merge(reason: "`\(scenario.id)` is in two of them")
    }
    scenarios[index] = scenario
  }

  /// What holds for the whole rather than for its scenarios.
  private mutating func combine(_ shards: [Report], _ acrossSources: Bool) {
    shard = nil
    handover = Handover(merging: shards.compactMap(\.handover))
    environment.warnings = distinct(shards.flatMap(\.environment.warnings))
    if acrossSources {
      source = SourceDescription(merging: shards.map(\.source))
      profile = distinct(shards.map(\.profile)).joined(separator: ", ")
      let faults = distinct(shards.compactMap(\.fault))
      fault = faults.isEmpty ? nil : faults.joined(separator: ", ")
      selection = distinct(shards.map(\.selection)).count == 1 ? selection : "several runs"
    }
    let summaries = shards.compactMap(\.baseline)
    if let decisive = Verdict.decisive(summaries.map(\.verdict)) {
      baseline = summaries.first { $0.verdict == decisive }
    }
  }

  /// What an error calls it.
  private var name: String {
    shard.map { "the shard \($0)" } ?? "the report of \(started) on \(source.name)"
  }

  private static func order(_ scenario: ScenarioReport) -> (Int, String) {
    (Suite.all.firstIndex(of: scenario.suite) ?? Suite.all.count, scenario.id)
  }
}

extension ScenarioReport {
  fileprivate func naming(_ shard: Report) -> ScenarioReport {
    var named = self
    named.source = shard.source.title
    let source = [shard.source.title, shard.source.format].compactMap { $0 }.joined(separator: ", ")
    let fault = shard.fault.map { " Broken on purpose: \($0)." } ?? ""
    named.notes.append("Source: \(source). Profile: \(shard.profile).\(fault)")
    return named
  }
}

extension SourceDescription {
  /// The name and, where there is one, the driver: `USB Camera (uvcvideo)`.
  var title: String { driver.map { "\(name) (\($0))" } ?? name }

  /// Several sources in one, each with its driver; what they all have in common stays.
  fileprivate init(merging sources: [SourceDescription]) {
    let all = distinct(sources)
    if all.count == 1, let only = all.first {
      self = only
      return
    }
    func common(_ values: [String?]) -> String? { distinct(values).count == 1 ? values.first ?? nil : nil }
    let drivers = distinct(sources.compactMap(\.driver))
    self.init(
      kind: common(sources.map(\.kind)) ?? "several",
      name: distinct(sources.map(\.name)).joined(separator: "; "),
      driver: drivers.isEmpty ? nil : drivers.joined(separator: "; "), bus: common(sources.map(\.bus)),
      format: common(sources.map(\.format)), digest: common(sources.map(\.digest)))
  }
}

/// Each once, in the order of their first.
private func distinct<Value: Hashable>(_ values: [Value]) -> [Value] {
  values.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
}
