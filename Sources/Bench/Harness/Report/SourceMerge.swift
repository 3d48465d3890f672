/// The merging of runs on several sources. Scenarios are ordered by suite and id.
struct SourceMerge {
  let reports: [Report]
  /// The first report, as read.
  let first: Report
  /// The user's name for the source of each report. Nil if there is none.
  let names: [String?]
  let acrossMachines: Bool

  func merged() throws(HarnessError) -> Report {
    for report in reports { try check(report) }
    let rows = try self.rows()
    var whole = first
    whole.scenarios = rows.sorted { Self.order($0) < Self.order($1) }
    whole.source = SourceDescription(merging: reports.map(\.source))
    whole.profile = distinct(reports.map(\.profile)).joined(separator: ", ")
    let faults = distinct(reports.compactMap(\.fault))
    whole.fault = faults.isEmpty ? nil : faults.joined(separator: ", ")
    whole.selection = distinct(reports.map(\.selection)).count == 1 ? first.selection : "several runs"
    let compared = reports.compactMap(\.baseline)
    if let decisive = Verdict.decisive(compared.map(\.verdict)) {
      whole.baseline = compared.first { $0.verdict == decisive }
    }
    return whole
  }

  private func check(_ report: Report) throws(HarnessError) {
    if report.shard != nil {
      throw .merge(reason: "\(report.name) is a part of a run; merge the shards of each source first")
    }
    if let missing = report.missing?.first {
      throw .merge(
        reason:
          "\(report.name) is not whole: \(missing.sentence.lowercasedFirst.dropLast()); "
          + "merge all its shards first")
    }
    if !report.complete {
      throw .merge(reason: "\(report.name) was interrupted or killed before its end; make it again")
    }
    if let difference = first.differenceInBuild(from: report, acrossMachines) {
      throw .merge(
        reason: "they were not made alike: in \(report.name) \(difference); make it again like the others")
    }
  }

  private typealias Row = (scenario: ScenarioReport, report: Int)

  private func rows() throws(HarnessError) -> [ScenarioReport] {
    var found: [String: [Row]] = [:]
    let differ = distinct(reports.map(\.duration)).count > 1
    for (index, report) in reports.enumerated() {
      for scenario in report.scenarios {
        found[scenario.id, default: []].append((scenario.naming(report, sayingDuration: differ), index))
      }
    }
    let labels = SourceLabels(reports.map(\.source), names)
    var rows: [ScenarioReport] = []
    for (id, same) in found {
      let measured = same.filter { $0.scenario.verdict != .unsupported }
      guard measured.count > 1 else {
        rows.append((measured.first ?? same[0]).scenario)
        continue
      }
      let names = measured.map { labels[$0.report] }
      guard Set(names.map(\.slug)).count == names.count else {
        throw .merge(
          reason:
            "`\(id)` is in two of the reports, for sources of the same name; give each source a name (`NAME=REPORT`)"
        )
      }
      rows += zip(measured, names).map { $0.scenario.named($1) }
    }
    return rows
  }

  private static func order(_ scenario: ScenarioReport) -> (Int, String) {
    (Suite.all.firstIndex(of: scenario.suite) ?? Suite.all.count, scenario.id)
  }
}

/// Labels that distinguish the sources of a merged report: the user's names, or else the sources' own names. Sources with the same name are
/// distinguished by their serial numbers, or else by where they are plugged in.
struct SourceLabels {
  struct Label: Hashable {
    /// The label for the reader.
    var title: String
    /// The label behind an id: lower-case letters, digits and single hyphens, so that it can be part of a link.
    var slug: String
  }

  private let labels: [Label]

  init(_ sources: [SourceDescription], _ names: [String?] = []) {
    let alike = Dictionary(grouping: distinct(sources), by: \.name)
    labels = sources.enumerated().map { index, source in
      let name = index < names.count ? names[index] : nil
      let twins = name == nil ? alike[source.name] ?? [] : []
      let words = [name ?? source.name, twins.count > 1 ? Self.difference(of: source, among: twins) : nil]
        .compactMap { $0 }
      return Label(title: words.joined(separator: ", "), slug: Self.slug(words.joined(separator: " ")))
    }
  }

  private static func difference(of source: SourceDescription, among twins: [SourceDescription]) -> String? {
    let serials = twins.compactMap(\.serial)
    return Set(serials).count == twins.count ? source.serial : source.bus
  }

  subscript(index: Int) -> Label { labels[index] }

  private static func slug(_ text: String) -> String {
    let words = text.utf8.split { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        false
      default: true
      }
    }
    return words.map { String(decoding: $0, as: UTF8.self).lowercased() }.joined(separator: "-")
  }
}

extension ScenarioReport {
  /// - Parameter sayingDuration: whether the runs have different durations, of which the merged report has one.
  fileprivate func naming(_ report: Report, sayingDuration: Bool) -> ScenarioReport {
    var named = self
    named.source = report.source.title
    let source = [report.source.title, report.source.format].compactMap { $0 }.joined(separator: ", ")
    let fault = report.fault.map { " Broken on purpose: \($0)." } ?? ""
    let duration = sayingDuration ? " Duration: \(report.duration.rawValue)." : ""
    named.notes.append("Source: \(source). Profile: \(report.profile).\(duration)\(fault)")
    return named
  }

  fileprivate func named(_ label: SourceLabels.Label) -> ScenarioReport {
    var named = self
    named.id += "@\(label.slug)"
    named.source = label.title
    named.title += " (\(label.title))"
    return named
  }
}

extension SourceDescription {
  /// The name and, if there is one, the driver: `USB Camera (uvcvideo)`.
  var title: String { driver.map { "\(name) (\($0))" } ?? name }

  /// Merges several descriptions into one that lists all names and drivers. Other values are kept if all sources share them.
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
      serial: common(sources.map(\.serial)),
      format: common(sources.map(\.format)), digest: common(sources.map(\.digest)))
  }
}
