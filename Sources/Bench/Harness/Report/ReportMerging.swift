extension Report {
  /// One report from all the shards of a run, or from runs on several sources.
  ///
  /// A shard that is not there, or that was killed before its end, leaves a report that is not complete: `missing` names it, and each
  /// scenario that it should have measured is in the report with the verdict `interrupted`.
  /// - Parameters:
  ///   - acrossSources: the reports may be of different sources and profiles, and are no shards. Every scenario then says which were
  ///     its own, one that its source did not support gives way to the same one measured elsewhere, and one that was measured on
  ///     several gets the name of its source behind its id: `qualify.pace@usb-camera`.
  ///   - names: what the source of each report is to be called in such ids, in the order of the reports; empty for what the source calls
  ///     itself. Two cameras of one model on two hosts need them.
  ///   - acrossMachines: the reports may be of different machines. Every scenario then says which was its own, and no run may be
  ///     compared with the whole.
  /// - Throws: when there is none, when one contradicts itself, when a shard is there twice or is of another number, when they were not
  ///   made alike (build, machine, profile, source, choice, fault, baseline), or when a scenario was measured in two of them.
  public static func merging(
    _ reports: [Report], acrossSources: Bool = false, names: [String?] = [], acrossMachines: Bool = false
  ) throws(HarnessError) -> Report {
    guard let first = reports.first else { throw .merge(reason: "there is nothing to merge") }
    for report in reports {
      var finished = report
      finished.complete = true
      if let flaw = finished.flawAsNew { throw .merge(reason: "\(report.name) \(flaw)") }
    }
    let machines = distinct(reports.map(\.environment.fingerprint))
    let named = machines.count > 1 ? reports.map { $0.namingMachine() } : reports
    var merged =
      acrossSources
      ? try SourceMerge(reports: named, first: first, names: names, acrossMachines: acrossMachines).merged()
      : try ShardMerge(shards: named, first: first, acrossMachines: acrossMachines).merged()
    merged.started = reports.map(\.started).min() ?? first.started
    merged.handover = Handover(merging: reports.compactMap(\.handover))
    merged.environment = RunEnvironment(merging: reports.map(\.environment))
    merged.shard = nil
    merged.planned = nil
    merged.conclude()
    return merged
  }

  /// What an error calls it.
  var name: String {
    shard.map { "the shard \($0)" } ?? "the report of \(started) on \(source.name)"
  }

  /// What keeps another from being a part of the same report, whatever it was measured on, as a clause; nil when nothing does.
  func differenceInBuild(from other: Report, _ acrossMachines: Bool) -> String? {
    if other.tool.commit != tool.commit { return "the commit is \(other.tool.commit), was \(tool.commit)" }
    if other.tool.version != tool.version {
      return "the version is \(other.tool.version), was \(tool.version)"
    }
    if other.tool.build != tool.build || other.environment.build != environment.build {
      return "the build is \(other.tool.build), was \(tool.build)"
    }
    guard !acrossMachines, let machine = other.environment.differences(from: environment).first else {
      return nil
    }
    return "the \(machine) (merge runs of several machines with --across-machines)"
  }

  private func namingMachine() -> Report {
    var named = self
    for index in named.scenarios.indices {
      named.scenarios[index].notes.append("Machine: \(environment.fingerprint).")
    }
    return named
  }
}

extension RunEnvironment {
  /// Of several machines: what they have in common, else all of it; what makes figures less sure, of the worst.
  fileprivate init(merging all: [RunEnvironment]) {
    self = all[0]
    warnings = Array(distinct(all.flatMap(\.warnings)).prefix(100))
    let fingerprints = distinct(all.map(\.fingerprint))
    guard fingerprints.count > 1 else { return }
    func listed(_ values: [String]) -> String { distinct(values).joined(separator: "; ") }
    machines = fingerprints
    fingerprint = listed(fingerprints)
    architecture = listed(all.map(\.architecture))
    cpu = listed(all.map(\.cpu))
    kernel = listed(all.map(\.kernel))
    isolation = listed(all.map(\.isolation))
    let governors = distinct(all.compactMap(\.governor))
    governor = governors.isEmpty ? nil : governors.joined(separator: "; ")
    cores = all.map(\.cores).min() ?? cores
    memoryGiB = all.map(\.memoryGiB).min() ?? memoryGiB
    load = all.map(\.load).max() ?? load
    yardstick = all.map(\.yardstick).max() ?? yardstick
  }
}

/// Each once, in the order of their first.
func distinct<Value: Hashable>(_ values: [Value]) -> [Value] {
  var seen: Set<Value> = []
  return values.filter { seen.insert($0).inserted }
}
