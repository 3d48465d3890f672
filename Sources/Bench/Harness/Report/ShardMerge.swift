/// The merging of a run's shards. Scenarios are ordered as in an undivided run.
struct ShardMerge {
  let shards: [Report]
  /// The first report, as read.
  let first: Report
  let acrossMachines: Bool

  func merged() throws(HarnessError) -> Report {
    let count = try partCount()
    let plan = try self.plan(for: count)
    for shard in shards { try check(shard, plan) }
    var whole = first
    whole.missing = missing(plan, count)
    whole.complete = whole.missing == nil
    whole.scenarios = rows(plan, whole.missing ?? [])
    whole.baseline = baseline(isWhole: whole.complete)
    return whole
  }

  /// Returns N, which must be the same for all shards. Each K may occur only once.
  private func partCount() throws(HarnessError) -> Int {
    if let other = shards.first(where: { $0.shard == nil }) {
      throw .merge(
        reason:
          "\(other.name) is not a shard of a run (`bench --shard K/N`); name only shards, "
          + "or add --across-sources")
    }
    let parts = shards.compactMap(\.shard)
    guard let count = parts.first?.count, parts.allSatisfy({ $0.count == count }) else {
      let named = distinct(parts).map(\.description).joined(separator: ", ")
      throw .merge(
        reason:
          "they are shards of runs with different numbers of parts: \(named); name those of one run")
    }
    if let twice = Dictionary(grouping: parts, by: \.index).filter({ $0.value.count > 1 }).keys.min() {
      throw .merge(reason: "two of the reports are of the shard \(twice)/\(count); leave one out")
    }
    return count
  }

  private func plan(for count: Int) throws(HarnessError) -> [PlannedScenario] {
    for shard in shards where shard.planned == nil {
      throw .merge(reason: "\(shard.name) does not say which scenarios the run has; make it again")
    }
    let plan = first.planned ?? []
    if let other = shards.first(where: { $0.planned?.map(\.id) != plan.map(\.id) }) {
      throw .merge(
        reason:
          "they were not made alike: \(other.name) is of a run of other scenarios than \(first.name); "
          + "name the shards of one run")
    }
    guard Set(plan.map(\.id)).count == plan.count, plan.count >= count else {
      throw .merge(
        reason:
          "the run of \(plan.count) scenarios cannot have been made in \(count) parts; make the shards again")
    }
    return plan
  }

  /// Compares a shard with the first shard, and with its part of the plan.
  private func check(_ shard: Report, _ plan: [PlannedScenario]) throws(HarnessError) {
    if let difference = difference(of: shard) {
      throw .merge(
        reason: "they were not made alike: in \(shard.name) \(difference); make it again like the others")
    }
    let own = Set((shard.shard?.select(from: plan) ?? []).map(\.id))
    var seen: Set<String> = []
    for scenario in shard.scenarios {
      guard own.contains(scenario.id) else {
        throw .merge(
          reason:
            "\(shard.name) has `\(scenario.id)`, which is not in its part of the run; make it again")
      }
      guard seen.insert(scenario.id).inserted else {
        throw .merge(reason: "\(shard.name) has `\(scenario.id)` twice; make it again")
      }
    }
    if shard.complete, let lost = own.subtracting(seen).min() {
      throw .merge(reason: "\(shard.name) says that it was finished, and has no `\(lost)`; make it again")
    }
  }

  private func difference(of shard: Report) -> String? {
    if let build = first.differenceInBuild(from: shard, acrossMachines) { return build }
    if shard.fault != first.fault {
      return "the fault is \(shard.fault ?? "none"), was \(first.fault ?? "none")"
    }
    if shard.selection != first.selection {
      return "the choice is \(shard.selection ?? "everything"), was \(first.selection ?? "everything")"
    }
    let (base, other) = (first.baseline.map(Self.name), shard.baseline.map(Self.name))
    if base != other { return "the baseline is \(other ?? "none"), was \(base ?? "none")" }
    var alike = shard
    alike.environment = first.environment
    return Comparability.differences(base: first, new: alike).first
  }

  private static func name(_ baseline: BaselineSummary) -> String {
    "\(baseline.commit) of \(baseline.started)"
  }

  /// Returns the shards that are missing or not finished. Nil if there are none.
  private func missing(_ plan: [PlannedScenario], _ count: Int) -> [MissingShard]? {
    let given = Dictionary(shards.map { ($0.shard?.index ?? 0, $0) }, uniquingKeysWith: { first, _ in first })
    let missing = (1...count).compactMap { index -> MissingShard? in
      guard given[index]?.complete != true, let shard = Shard("\(index)/\(count)") else { return nil }
      let measured = Set(given[index]?.scenarios.map(\.id) ?? [])
      return MissingShard(
        shard: shard,
        reason: given[index] == nil ? "is missing" : "was interrupted or killed before its end",
        scenarios: shard.select(from: plan).map(\.id).filter { !measured.contains($0) })
    }
    return missing.isEmpty ? nil : missing
  }

  private func rows(_ plan: [PlannedScenario], _ missing: [MissingShard]) -> [ScenarioReport] {
    let measured = Dictionary(
      shards.flatMap(\.scenarios).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let reasons = Dictionary(
      missing.flatMap { lost in lost.scenarios.map { ($0, "the shard \(lost.shard) \(lost.reason)") } },
      uniquingKeysWith: { first, _ in first })
    return plan.compactMap { planned in
      measured[planned.id] ?? reasons[planned.id].map { ScenarioReport(unmeasured: planned, reason: $0) }
    }
  }

  /// Returns the most severe of the comparisons, with the reasons of the shards that found it.
  private func baseline(isWhole: Bool) -> BaselineSummary? {
    let parts = shards.compactMap { shard in shard.baseline.map { (shard, $0) } }
    guard var summary = parts.first?.1 else { return nil }
    summary.verdict = Verdict.decisive(parts.map(\.1.verdict)) ?? summary.verdict
    let telling = parts.filter { $0.1.verdict == summary.verdict }
    summary.reason = telling.map { "Shard \($0.shard?.description ?? ""): \($1.reason)" }.joined(
      separator: " ")
    guard !isWhole else { return summary }
    summary.verdict = .interrupted
    summary.reason = "A part of the run is missing. So far: \(summary.reason)"
    return summary
  }
}

extension ScenarioReport {
  /// Creates a row for a scenario of a missing shard.
  fileprivate init(unmeasured planned: PlannedScenario, reason: String) {
    self.init(
      id: planned.id, suite: planned.suite, title: planned.title, purpose: "", exampleFailure: "",
      requirements: [], verdict: .interrupted, reason: reason, seconds: 0, metrics: [], checks: [],
      evidence: [], notes: [], reproduce: planned.reproduce)
  }
}
