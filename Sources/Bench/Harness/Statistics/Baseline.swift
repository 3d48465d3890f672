import Foundation

/// The runs that a new one is compared with: one, or several of one build, which tell how much its runs differ from each other.
public struct Baseline: Sendable, Hashable {
  /// At least one; all of one build, made alike.
  public let runs: [Report]
  /// Most runs read.
  public static let most = 200

  /// A baseline of a single run.
  public init(_ run: Report) { runs = [run] }

  /// - Throws: `HarnessError.comparison` for none, and for one that is not like the first.
  public init(_ runs: [Report]) throws(HarnessError) {
    guard let first = runs.first else {
      throw .comparison(path: "the baseline", reason: "has no report")
    }
    for run in runs.dropFirst() {
      if run.tool.commit != first.tool.commit {
        throw .comparison(
          path: "the baseline",
          reason: "has runs of two builds, \(first.tool.commit) and \(run.tool.commit)")
      }
      if let difference = Comparability.differences(base: first, new: run).first {
        throw .comparison(path: "the baseline", reason: "has runs that were not made alike: \(difference)")
      }
    }
    self.runs = runs
  }

  /// What stands for all where one is asked: machine, source, scenarios.
  public var first: Report { runs[0] }

  /// A scenario in every run that has it.
  func scenario(_ id: String) -> [ScenarioReport] {
    runs.compactMap { run in run.scenarios.first { $0.id == id } }
  }

  /// A metric of a scenario in every run that has it.
  func metric(_ id: String, of scenario: String) -> [MetricReport] {
    self.scenario(scenario).metric(id)
  }

  /// Reads the reports at some paths: files, and folders, which are those of one run or hold the folders or files of several.
  /// - Throws: `HarnessError.report` for a path that is none, `HarnessError.comparison` for a report that no run may be compared with.
  public static func load(_ paths: [String]) throws(HarnessError) -> Baseline {
    var found: [Report] = []
    for path in paths {
      for file in try files(path) {
        let report = try ReportFile.load(path: file)
        if let flaw = report.flawAsBaseline { throw .comparison(path: file, reason: flaw) }
        found.append(report)
      }
    }
    return try Baseline(found)
  }

  /// The files that a path stands for, by name.
  public static func files(_ path: String) throws(HarnessError) -> [String] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
      return [path]
    }
    let own = ReportFile(directory: path).path
    if FileManager.default.fileExists(atPath: own) { return [own] }
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    let files = names.compactMap { name -> String? in
      let inner = "\(path)/\(name)"
      let report = ReportFile(directory: inner).path
      if FileManager.default.fileExists(atPath: report) { return report }
      return name.hasSuffix(".json") ? inner : nil
    }
    guard (1...most).contains(files.count) else {
      throw .report(
        path: path, reason: "the folder holds \(files.count) reports, and 1 to \(most) may be compared with")
    }
    return files
  }
}

extension [ScenarioReport] {
  /// A metric in every one that has it.
  func metric(_ id: String) -> [MetricReport] {
    compactMap { scenario in scenario.metrics.first { $0.id == id } }
  }
}
