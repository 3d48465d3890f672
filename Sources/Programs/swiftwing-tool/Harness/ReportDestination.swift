import Console
import Harness

/// The folder that a report goes to, with everything that is written there.
struct ReportDestination: Sendable {
  private let report: Destination

  /// - Parameter inputs: files that the command reads; none may be one of those it writes.
  init(_ folder: String, madeOf inputs: [String]) throws {
    report = try Destination(ReportFile(directory: folder).path, madeOf: inputs)
    for name in ReportBundle.renderings { _ = try Destination("\(folder)/\(name)", madeOf: inputs) }
  }

  /// Says that the report of an earlier run, and what was made of it, has been replaced.
  func tellReplaced() { report.tellReplaced() }
}
