import Foundation
import Glibc

/// Everything a run leaves in its directory: `report.json`, `report.html`, what CI systems read (`junit.xml`, `summary.md`, `report.sarif`,
/// `annotations.txt`, `codequality.json`, `verdict.txt`, `badge.svg`) and `trace.json`.
public struct ReportBundle: Sendable {
  /// The names of what is made of `report.json` and lies beside it.
  public static let renderings = [
    "report.html", "junit.xml", "summary.md", "report.sarif", "trace.json", "annotations.txt",
    "codequality.json",
    "verdict.txt", "badge.svg",
  ]

  /// Where the files are, or are to be.
  public let directory: String

  /// The files of that folder; nothing is read or written yet.
  public init(directory: String) { self.directory = directory }

  /// Writes them all; each is complete or, after an error, as it was before.
  /// - Parameter sarifFile: the file that `report.sarif` points at, from the root of the repository; nil for where each scenario is declared.
  /// - Returns: the paths written, the page first.
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

  /// What a CI job shows of it.
  private func writeForJobs(_ report: Report) throws(HarnessError) {
    try OutputFile(path: path("annotations.txt")).write(WorkflowAnnotations(report).text)
    try OutputFile(path: path("codequality.json")).write(CodeQualityReport(report).json)
    try OutputFile(path: path("badge.svg")).write(Badge(report).svg)
    try OutputFile(path: path("verdict.txt")).write(VerdictLine(report).text + "\n")
  }

  /// Takes away what is made of a report, so that a run that is killed does not leave that of the run before beside its own
  /// `report.json`.
  public func removeRenderings() {
    for name in Self.renderings { unlink(path(name)) }
  }

  private func path(_ name: String) -> String { (directory as NSString).appendingPathComponent(name) }
}
