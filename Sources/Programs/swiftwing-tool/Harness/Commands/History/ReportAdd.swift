import ArgumentParser
import Console
import Harness
import History

/// `swiftwing report add`: adds runs to a history.
struct ReportAdd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add runs to a history.",
    usage: "swiftwing report add REPORT... [--history FILE]",
    discussion: """
      A run is stored only once. A run that was interrupted or broken on purpose, is of a debug build, is a \
      part of a run or contradicts itself is refused, with exit status 2; the other runs are added all the \
      same.
      """)

  @Argument(help: ArgumentHelp("The report.json files.", valueName: "REPORT")) var reports: [String]
  @OptionGroup var place: HistoryPlace

  func run() throws {
    let history = try History(path: place.history, making: true)
    var counts = (added: 0, known: 0, refused: 0)
    for path in reports {
      do {
        switch try history.add(try ReportFile.load(path: path), named: path) {
        case .added:
          counts.added += 1
          Terminal.say("added: \(path)")
        case .known:
          counts.known += 1
          Terminal.say("already in the history: \(path)")
        }
      } catch  where Failure.kind(of: error) == .usage {
        counts.refused += 1
        Terminal.tell("swiftwing: \(error)")
      }
    }
    let runs = try history.count()
    Terminal.say(
      "\(counts.added) added, \(counts.known) there already, \(counts.refused) refused; \(place.history) has \(runs) \(runs == 1 ? "run" : "runs")"
    )
    if counts.refused > 0 { throw ExitCode(Harness.ExitStatus.usage) }
  }
}

/// The options that choose a history.
struct HistoryPlace: ParsableArguments {
  @Option(help: ArgumentHelp("The history's file.", valueName: "FILE")) var history = "reports/history.sqlite"
}
