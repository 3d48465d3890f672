import ArgumentParser
import Foundation
import Harness

/// The options for a report that is handed over, and for the file that SARIF points at.
struct ReportOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The person who makes the run, for the report.", valueName: "NAME"))
  var `operator`: String?
  @Option(help: ArgumentHelp("The customer, for the report.", valueName: "NAME")) var customer: String?
  @Option(help: ArgumentHelp("A note for the report.", valueName: "TEXT")) var note: String?
  @Option(
    help: ArgumentHelp(
      "The file of your repository that report.sarif points at; by default where each scenario is declared.",
      valueName: "FILE"))
  var sarifFile: String?

  /// The people named in the report, and the note; nil if none was given.
  var handover: Handover? {
    get throws(ValidationError) {
      do {
        let handover = try Handover(operator: `operator`, customer: customer, note: note)
        return handover.isEmpty ? nil : handover
      } catch { throw ValidationError("cannot make a report: \(error)") }
    }
  }

  func validate() throws {
    _ = try handover
    if let sarifFile, RepositoryPath(sarifFile) == nil {
      throw ValidationError(
        "cannot point SARIF at \(sarifFile): it is no path from the root of a repository; name one such as Sources/main.swift"
      )
    }
  }

  /// The checkout around the current folder, whose files SARIF points at; nil for none.
  static var checkout: Checkout? { Checkout(around: FileManager.default.currentDirectoryPath) }
}
