import ArgumentParser
import Console
import Foundation
import History

/// `swiftwing report prune`: removes old runs from a history.
struct ReportPrune: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune", abstract: "Remove old runs from a history.",
    usage: """
      swiftwing report prune (--keep N | --older-than DAYS) [--history FILE]
                             [--even-change-points]
      """)

  @OptionGroup var place: HistoryPlace
  @Option(help: ArgumentHelp("Keep the N newest runs of each machine and source.", valueName: "N")) var keep:
    Int?
  @Option(help: ArgumentHelp("Remove runs that began more than this many days ago.", valueName: "DAYS"))
  var olderThan: Int?
  @Flag(help: "Also remove runs that a change point depends on; the change is then lost.")
  var evenChangePoints = false

  func validate() throws {
    guard (keep == nil) != (olderThan == nil) else {
      throw ValidationError("give either --keep or --older-than")
    }
    guard keep ?? 1 > 0, 0...100_000 ~= olderThan ?? 0 else {
      throw ValidationError("--keep must be at least 1, and --older-than 0 to 100000 days")
    }
  }

  func run() throws {
    let rule: Pruning.Rule =
      keep.map { .newest($0) } ?? .since(Date.now.addingTimeInterval(-Double(olderThan ?? 0) * 86_400))
    let history = try History(path: place.history)
    let outcome = try history.prune(Pruning(rule, takesChangePoints: evenChangePoints))
    let left = try history.count()
    Terminal.say(
      "\(outcome.removed) removed, \(outcome.spared) older ones kept because a change point depends on them; \(place.history) has \(left)"
    )
  }
}
