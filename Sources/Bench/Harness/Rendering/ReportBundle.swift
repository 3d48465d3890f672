import Foundation
import Glibc

/// The files that a run leaves in its folder: `report.json`, `report.html`, files for CI systems (`junit.xml`, `summary.md`, `report.sarif`,
/// `annotations.txt`, `codequality.json`, `verdict.txt`, `badge.svg`) and `trace.json`.
public struct ReportBundle: Sendable {
  /// Names of the files that are made from `report.json` and put beside it.
  public static let renderings = [
    "report.html", "junit.xml", "summary.md", "report.sarif", "trace.json", "annotations.txt",
    "codequality.json",
    "verdict.txt", "badge.svg",
  ]

  /// The folder of the files.
  public let directory: String

  /// Creates the bundle of a folder. Nothing is read or written yet.
  public init(directory: String) { self.directory = directory }

  /// Writes all files. Each is complete or, after an error, unchanged.
  /// - Parameter sarifFile: the file that `report.sarif` points at, relative to the root of the repository; nil for the declaration of each
  ///   scenario.
  /// - Returns: the paths written, that of the page first.
  @discardableResult
  public func write(_ report: Report, sarifFile: String? = nil) throws(HarnessError) -> [String] {
    let page = path("report.html")
    try OutputFile(path: page).write(HTMLReport(report).html)
    try ReportFile(directory: directory).write(report)
    try OutputFile(path: path("junit.xml")).write(JUnitReport(report).xml)
    try OutputFile(path: path("summary.md")).write(MarkdownSummary(report).markdown)
    try OutputFile(path: path("report.sarif")).write(SARIFReport(report, file: sarifFile).json)
    try OutputFile(path: path("trace.json")).write(TraceReport(report).json)
    try writeForJobs(report)
    return [page, path("report.json")] + Self.renderings.dropFirst().map(path)
  }

  /// Writes the files that a CI job shows.
  private func writeForJobs(_ report: Report) throws(HarnessError) {
    try OutputFile(path: path("annotations.txt")).write(WorkflowAnnotations(report).text)
    try OutputFile(path: path("codequality.json")).write(CodeQualityReport(report).json)
    try OutputFile(path: path("badge.svg")).write(Badge(report).svg)
    try OutputFile(path: path("verdict.txt")).write(VerdictLine(report).text + "\n")
  }

  /// Deletes the files that are made from a report, so that a killed run does not leave those of an earlier run beside its own `report.json`.
  public func removeRenderings() {
    for name in Self.renderings { unlink(path(name)) }
  }

  private func path(_ name: String) -> String { (directory as NSString).appendingPathComponent(name) }
}
