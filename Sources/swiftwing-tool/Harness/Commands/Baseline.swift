import Harness

/// Reports that a run is compared with. They are read and checked before anything runs.
enum Baseline {
  /// - Throws: `HarnessError.report` for a file that is none, `HarnessError.comparison` for a report that no run may be compared with.
  static func load(_ path: String) throws(HarnessError) -> Report {
    let report = try ReportFile.load(path: path)
    if let flaw = report.flawAsBaseline { throw .comparison(path: path, reason: flaw) }
    return report
  }

  /// Refuses an output folder in which the new report would overwrite the baseline.
  static func load(_ path: String, beside folder: String?) throws -> Report {
    if let folder, ReportFolder.wouldOverwrite(path, in: folder) {
      throw Failure(
        "--out \(folder) would overwrite the baseline \(path); choose another folder", .usage)
    }
    return try load(path)
  }
}
