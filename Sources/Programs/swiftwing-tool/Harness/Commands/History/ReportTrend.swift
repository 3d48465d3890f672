import ArgumentParser
import Console
import Foundation
import Harness
import History
import System

/// `swiftwing report trend`: draws metrics over the runs of a history, and marks where they changed.
struct ReportTrend: RepeatsOptions {
  static let repeatedOptions: Set = ["--metric"]
  static let configuration = CommandConfiguration(
    commandName: "trend",
    abstract: "Draw the metrics over the runs of a history, and name the commits that changed them.",
    usage: """
      swiftwing report trend [--history FILE] [--metric ID]... [--out DIR]
                             [--json]
      """,
    discussion: """
      Exit status: 1 when a deciding metric regressed within the last \(TrendReading.recent) runs; 3 when that cannot be told, because there are \
      too few runs or the newest run lacks a metric; else 0. Runs of different machines, sources or profiles are never mixed.
      """)

  @OptionGroup var place: HistoryPlace
  @Option(
    help: ArgumentHelp(
      "Follow this metric, or those of a pattern such as photo.*.time; may be repeated. Without it, those that decide.",
      valueName: "ID"))
  var metric: [String] = []
  @Option(help: ArgumentHelp("Folder for trend.html; by default that of the history.", valueName: "DIR"))
  var out: String?
  @Flag(help: "Print JSON instead of a table.") var json = false

  func run() throws {
    let folder = out ?? place.history.folderName ?? ""
    let page = try Destination("\(folder.isEmpty ? "." : folder)/trend.html", madeOf: [place.history])
    let trend = try History(path: place.history).trend(TrendReading(metrics: metric))
    try OutputFile(path: page.path).write(TrendPage(trend).html)
    let table = TrendTable(trend)
    if json {
      Terminal.say(document: String(decoding: table.json, as: UTF8.self))
    } else {
      Terminal.say(table.text + page.path)
    }
    throw ExitCode(trend.exitStatus)
  }
}
