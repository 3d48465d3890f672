import Foundation

/// The runs that a new run is compared with: one run, or several runs of one build, which show how much its runs differ from each other.
public struct Baseline: Sendable, Hashable {
  /// The runs, at least one. All are of one build, machine, profile, duration, source and format.
  public let runs: [Report]
  /// Maximum number of runs that are read.
  public static let most = 200

  /// Creates a baseline of a single run.
  public init(_ run: Report) { runs = [run] }

  /// - Throws: `HarnessError.comparison` if there is no run, or if a run differs from the first in build, machine, profile, duration, source or
  ///   format.
  public init(_ runs: [Report]) throws(HarnessError) {
    guard let first = runs.first else {
      throw .comparison(path: "the baseline", reason: "has no report; name one of `swiftwing bench`")
    }
    for run in runs.dropFirst() {
      if run.tool.commit != first.tool.commit {
        throw .comparison(
          path: "the baseline",
          reason: "has runs of two builds, \(first.tool.commit) and \(run.tool.commit); name the runs of one")
      }
      if let difference = Comparability.differences(base: first, new: run).first {
        throw .comparison(
          path: "the baseline",
          reason: "has runs that were not made alike: \(difference); name runs that were")
      }
    }
    self.runs = runs
  }

  /// The run that represents all of them in questions of machine, source and scenarios.
  public var first: Report { runs[0] }

  /// Returns a scenario from every run that has it.
  func scenario(_ id: String) -> [ScenarioReport] {
    runs.compactMap { run in run.scenarios.first { $0.id == id } }
  }

  /// Returns a metric of a scenario from every run that has it.
  func metric(_ id: String, of scenario: String) -> [MetricReport] {
    self.scenario(scenario).metric(id)
  }

  /// Reads the reports at some paths. A path is a file, the folder of one run, or a folder that holds the folders or files of several.
  /// - Throws: `HarnessError.report` if a path is no report, `HarnessError.comparison` for a report that no run may be compared with.
  public static func load(_ paths: [String]) throws(HarnessError) -> Baseline {
    var found: [Report] = []
    for path in paths {
      for file in try files(path) {
        let report = try ReportFile.load(path: file)
        if let flaw = report.flawAsBaseline {
          throw .comparison(
            path: file, reason: "\(flaw); name another, or make it again with `swiftwing bench`")
        }
        found.append(report)
      }
    }
    return try Baseline(found)
  }

  /// Returns the report files at a path, sorted by name.
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
        path: path,
        reason:
          "the folder has \(files.count) reports, and a baseline has 1 to \(most); name such a folder")
    }
    return files
  }
}

extension [ScenarioReport] {
  /// Returns a metric from every scenario report that has it.
  func metric(_ id: String) -> [MetricReport] {
    compactMap { scenario in scenario.metrics.first { $0.id == id } }
  }
}
