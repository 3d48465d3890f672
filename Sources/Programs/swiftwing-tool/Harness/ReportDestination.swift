import Console
import Harness

/// The folder of a report, and all files that are written there.
struct ReportDestination: Sendable {
  private let report: Destination

  /// Checks the files.
  /// - Parameter inputs: files that the command reads. None may be among those that it writes.
  init(_ folder: String, madeOf inputs: [String]) throws {
    report = try Destination(ReportFile(directory: folder).path, madeOf: inputs)
    for name in ReportBundle.renderings { _ = try Destination("\(folder)/\(name)", madeOf: inputs) }
  }

  /// Reports that the report of an earlier run, and its renderings, were replaced.
  func tellReplaced() { report.tellReplaced() }
}
