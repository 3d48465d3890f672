/// Whether two runs may be compared, and which parts of them.
struct Comparability {
  /// Why the runs may not be compared, as clauses. Empty if they may.
  var differences: [String]
  /// Sentences about what the comparison leaves out, and about the runs.
  var remarks: [String]

  /// - Parameter planned: the ids of the scenarios of the new run; nil to take the scenarios in `new`. Give them for a run that has just begun,
  ///   because its report has no scenarios yet.
  init(base: Report, new: Report, planned: [String]? = nil) {
    differences = Self.differences(base: base, new: new)
    if let flaw = base.flawAsBaseline { differences.append("the baseline \(flaw)") }
    remarks = Self.remarks(base, new)
    let (were, are) = (base.scenarios.map(\.id), planned ?? new.scenarios.map(\.id))
    let added = are.filter { !were.contains($0) }
    let left = were.filter { !are.contains($0) }
    if !added.isEmpty, let part = base.part {
      differences.append("the baseline is only a part of a run (\(part)) and has no \(Self.list(added))")
    } else if !added.isEmpty {
      remarks.append("Not in the baseline and not compared: \(Self.list(added)).")
    }
    // Two runs of the same part must have the same scenarios, as two whole runs must.
    if !left.isEmpty, new.part == base.part {
      differences.append("the new run has no \(Self.list(left)), which the baseline has")
    } else if !left.isEmpty {
      remarks.append(
        "Only \(were.count - left.count) of the \(were.count) scenarios of the baseline are compared.")
    }
  }

  /// A sentence that refuses the comparison. Nil if the runs may be compared.
  var refusal: String? {
    differences.isEmpty ? nil : "The runs cannot be compared: \(differences.joined(separator: "; "))."
  }

  /// Returns the differences between the runs in machine, profile, duration, source and format, as clauses.
  static func differences(base: Report, new: Report) -> [String] {
    var found = new.environment.differences(from: base.environment)
    if new.profile != base.profile { found.append("the profile is \(new.profile), was \(base.profile)") }
    if new.duration != base.duration {
      found.append("the duration is \(new.duration.rawValue), was \(base.duration.rawValue)")
    }
    if new.source.kind != base.source.kind || new.source.digest != base.source.digest
      || (new.source.digest == nil && new.source.name != base.source.name)
    {
      found.append("the source is \(new.source.summary), was \(base.source.summary)")
    }
    if new.source.format != base.source.format {
      found.append("the format is \(new.source.format ?? "unknown"), was \(base.source.format ?? "unknown")")
    }
    return found
  }

  private static func remarks(_ base: Report, _ new: Report) -> [String] {
    var found: [String] = []
    if let fault = new.fault { found.append("The new run was broken on purpose (--fault \(fault)).") }
    if [.regressed, .inconclusive, .incomparable].contains(base.verdict) {
      found.append("The baseline's own verdict is \(base.verdict.rawValue).")
    }
    return found
  }

  private static func list(_ names: [String]) -> String {
    let more = names.count > 3 ? " and \(names.count - 3) more" : ""
    return names.prefix(3).joined(separator: ", ") + more
  }
}

extension Report {
  /// Why no run may be compared with this run, as a clause that follows its name. Nil if this run may be a baseline.
  public var flawAsBaseline: String? {
    if let fault { return "was broken on purpose (--fault \(fault))" }
    if !complete { return "is of a run that was interrupted or killed before its end" }
    if environment.machines != nil { return "was merged of runs on several machines" }
    if environment.build == "debug" { return "is of a debug build, whose times mean nothing" }
    if let failed = scenarios.first(where: { $0.verdict == .fail }) { return "failed, in \(failed.id)" }
    return contradiction
  }

  /// Why this run cannot be compared with a baseline, as a clause that follows its name. Nil if it can.
  public var flawAsNew: String? {
    if !complete { return "is of a run that was interrupted or killed before its end" }
    return contradiction
  }

  /// A figure that contradicts its own samples, as a clause. A report with a contradiction was edited, not measured. Nil if there is none.
  private var contradiction: String? {
    let rows = scenarios.flatMap(\.metrics)
    return rows.lazy.compactMap { metric in metric.contradiction.map { "says \(metric.id) has \($0)" } }.first
  }

  /// The part of a whole run that this run covers, as typed. Nil for a whole run.
  var part: String? {
    let words = [selection, shard.map { "--shard \($0)" }].compactMap { $0 }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }
}

extension MetricReport {
  /// A contradiction between figures and samples, as a clause. Nil if there is none, and if not all samples were kept.
  fileprivate var contradiction: String? {
    guard samples.count == count, let summary = Summary(samples) else { return nil }
    let figures: [(String, Double?, Double)] = [
      ("min", min, summary.min), ("p50", p50, summary.median), ("p90", p90, summary.percentile(90)),
      ("p99", p99, summary.percentile(99)), ("max", max, summary.max),
    ]
    let wrong = figures.first { _, said, seen in
      guard let said else { return true }
      return abs(said - seen) > 1e-9 * Swift.max(abs(said), abs(seen))
    }
    return wrong.map { name, said, seen in
      "\(name) \(Figure.text(said, unit)), and its samples \(Figure.text(seen, unit))"
    }
  }
}

extension SourceDescription {
  /// The name, with enough of the digest to distinguish two sources, in one line.
  var summary: String { digest.map { "\(name) (\($0.prefix(12)))" } ?? name }
}
