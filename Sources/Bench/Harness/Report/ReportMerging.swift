extension Report {
  /// Merges all the shards of a run, or runs on several sources, into one report.
  ///
  /// If a shard is missing or was killed before its end, the report is not complete: `missing` names the
  /// shard, and each scenario that it should have measured is in the report with the verdict `interrupted`.
  /// - Parameters:
  ///   - acrossSources: whether the reports may have different sources and profiles; they are not shards then. Every scenario notes its source and
  ///     profile. A scenario that one source does not support is dropped if another source measured it. A scenario measured on several sources
  ///     gets the source's name behind its id: `qualify.pace@usb-camera`.
  ///   - names: the names of the sources in such ids, in the order of the reports; nil, or an empty array,
  ///     keeps a source's own name. Two cameras of one model on two hosts need different names.
  ///   - acrossMachines: whether the reports may come from different machines. Every scenario notes its machine, and no run may be compared with
  ///     the merged report.
  /// - Throws: `HarnessError.merge` if there is no report, if one contradicts itself, if a shard is repeated or belongs to another count, if the
  ///   reports were not made alike (build, machine, profile, source, selection, fault, baseline), or if two of them measured the same scenario.
  public static func merging(
    _ reports: [Report], acrossSources: Bool = false, names: [String?] = [], acrossMachines: Bool = false
  ) throws(HarnessError) -> Report {
    guard let first = reports.first else {
      throw .merge(reason: "there is nothing to merge; name the reports")
    }
    for report in reports {
      var finished = report
      finished.complete = true
      if let flaw = finished.flawAsNew {
        throw .merge(reason: "\(report.name) \(flaw); make it again with `swiftwing bench`")
      }
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

  /// The name of the report in errors.
  var name: String {
    shard.map { "the shard \($0)" } ?? "the report of \(started) on \(source.name)"
  }

  /// Returns why `other` cannot be merged with this report, whatever the sources, as a clause. Nil if it can.
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
  /// Merges the descriptions of several machines: the values if they are equal, else a list of them. Of the figures that affect accuracy, the
  /// worst counts.
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

/// Returns the values without repetitions, in the order of first occurrence.
func distinct<Value: Hashable>(_ values: [Value]) -> [Value] {
  var seen: Set<Value> = []
  return values.filter { seen.insert($0).inserted }
}
