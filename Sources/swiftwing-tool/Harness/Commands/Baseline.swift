import Harness

/// Reports that are compared with, read and admitted before anything runs.
enum Baseline {
  /// - Throws: `HarnessError.report` for a file that is none, `HarnessError.comparison` for a report that no run may be compared with.
  static func load(_ path: String) throws(HarnessError) -> Report {
    let report = try ReportFile.load(path: path)
    if let flaw = report.flawAsBaseline { throw .comparison(path: path, reason: flaw) }
    return report
  }

  /// A baseline that stays: the new report must not take its place.
  static func load(_ path: String, beside folder: String?) throws -> Report {
    if let folder, ReportFolder.wouldOverwrite(path, in: folder) {
      throw Failure(
        "--out \(folder) would overwrite the baseline \(path); choose another folder", .usage)
    }
    return try load(path)
  }
}
