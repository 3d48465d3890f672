import ArgumentParser
import Console
import Foundation
import Harness
import History

/// `swiftwing report export`: writes a history for other programs.
struct ReportExport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write every figure of every run of a history, one a row.",
    usage: "swiftwing report export (--csv | --json) [--out FILE] [--history FILE]")

  @OptionGroup var place: HistoryPlace
  @Flag(help: "As comma-separated values (RFC 4180).") var csv = false
  @Flag(help: "As JSON.") var json = false
  @Option(help: ArgumentHelp("The file to write, in place of standard output.", valueName: "FILE")) var out:
    String?

  func validate() throws {
    guard csv != json else { throw ValidationError("give either --csv or --json") }
  }

  func run() throws {
    let file = try out.map { try Destination($0, madeOf: [place.history]) }
    let export = try History(path: place.history).export()
    let data = csv ? Data(export.csv.utf8) : export.json
    guard let file else { return Terminal.say(document: String(decoding: data, as: UTF8.self)) }
    try OutputFile(path: file.path).write(data)
    Terminal.say("\(file.path): \(export.rows.count) rows")
    file.tellReplaced()
  }
}
