import ArgumentParser
import Console
import Foundation
import Harness

/// The folder to which a run writes its report, locked as long as the run lasts.
struct RunFolder: Sendable {
  private let folder: ReportFolder
  private let files: ReportDestination?

  /// - Parameters:
  ///   - out: the folder; nil for a new one named by the time.
  ///   - inputs: files that the command reads.
  init(_ out: String?, madeOf inputs: [String]) throws {
    files = try out.map { try ReportDestination($0, madeOf: inputs) }
    let stamp = Date.now.formatted(.iso8601.timeSeparator(.omitted).dateSeparator(.omitted))
    folder = try out.map { try ReportFolder(path: $0) } ?? ReportFolder.new(stamp, in: "reports")
  }

  var path: String { folder.path }

  /// Writes every rendering of the report, prints it, and ends the command with the report's exit status.
  func publish(_ report: Report, sarifFile: String?, json: Bool) throws -> Never {
    Terminal.endProgress()
    try ReportBundle(directory: path).write(report, sarifFile: sarifFile)
    files?.tellReplaced()
    if json {
      Terminal.say(document: String(decoding: try ReportFile.encode(report), as: UTF8.self))
    } else {
      Terminal.say(BenchSummary(report: report, directory: path).text)
    }
    throw ExitCode(report.exitStatus)
  }
}
