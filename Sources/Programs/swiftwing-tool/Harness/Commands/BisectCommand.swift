import ArgumentParser
import Builds
import Console
import Counting
import Foundation
import Harness

struct BisectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bisect",
    abstract: "Find the commit since which a path takes more instructions.",
    usage: "swiftwing bisect GOOD BAD [--metric ID] [--json]",
    discussion: """
      Run this in a checkout. The commits between GOOD and BAD are built in a worktree below .build-bisect \
      and counted there (`bench --count`), halving the range each time: a range of 1,000 commits takes \
      eleven builds. Commits that cannot be built are skipped. Counts are kept: the same command continues \
      an interrupted search.

      Exit status: 0 if the commit was found, and also if BAD takes no more than GOOD; 2 for an unknown \
      revision; 3 if an end of the range cannot be counted.
      """)

  @Argument(help: ArgumentHelp("A commit before the change.", valueName: "GOOD")) var good: String
  @Argument(help: ArgumentHelp("A commit that has it.", valueName: "BAD")) var bad: String
  @Option(
    help: ArgumentHelp(
      "Look for a change of this metric, such as counted.photo.mjpg-4000x3000.instructions; by default the one that grew most.",
      valueName: "ID"))
  var metric: String?
  @Flag(help: "Print JSON instead of words.") var json = false

  func run() async throws {
    guard CountedWorkload.isPossible else {
      throw Failure(
        "nothing can be counted here: valgrind is missing, or was when this was built; "
          + "install the package valgrind and build again",
        .sourceUnavailable)
    }
    let root = try CommitRange.lines(["rev-parse", "--show-toplevel"]).first ?? "."
    guard FileManager.default.isExecutableFile(atPath: "\(root)/scripts/build") else {
      throw Failure("\(root) is no checkout of SwiftWing: it has no scripts/build; change into one", .usage)
    }
    let range = try CommitRange(good: good, bad: bad)
    let counting = CountedCommit(folder: "\(root)/.build-bisect", scenarios: try scenarios()) {
      Terminal.tell($0)
    }
    var search = BisectSearch(metric: metric, between: CommitRange.between) { try await counting.reading($0) }
    let outcome = try await search.first(after: range.good, upTo: range.bad)
    try json
      ? Terminal.say(line: BisectDocument(outcome)) : Terminal.say(words(outcome, of: try range.count()))
  }

  /// Returns the scenario that counts the metric; none without a metric.
  private func scenarios() throws -> [String] {
    guard let metric else { return [] }
    guard let path = CountedPath.all.first(where: { metric.hasPrefix("counted.\($0.id).") }) else {
      throw Failure(
        "there is no counted metric \(metric); the report.json of `swiftwing bench --count` names them",
        .usage)
    }
    return ["counted.\(path.group.rawValue)"]
  }

  private func words(_ outcome: BisectSearch.Outcome?, of count: Int) throws -> String {
    guard let outcome else {
      return "\(bad) takes no more than \(good)\(metric.map { " of \($0)" } ?? "")"
    }
    var lines = [
      "\(try CommitRange.title(outcome.commit))",
      "  is the first of \(count) commits that takes more. \(outcome.change.metric): \(outcome.change.baseline.reason)",
    ]
    if !outcome.others.isEmpty {
      lines.append("or one of these, which cannot be counted:")
      lines += try outcome.others.map { "  \(try CommitRange.title($0))" }
    }
    return lines.joined(separator: "\n")
  }
}

/// The document that `bisect --json` prints.
private struct BisectDocument: Encodable {
  /// The full hash of the first commit with the change; nil if there is none.
  var commit: String?
  /// The newest earlier commit that was counted.
  var before: String?
  /// The change of the metric between these two commits.
  var change: Comparison.Row?
  /// Commits that may contain the change too, because they cannot be counted.
  var others: [String]

  init(_ outcome: BisectSearch.Outcome?) {
    commit = outcome?.commit
    before = outcome?.before
    change = outcome?.change
    others = outcome?.others ?? []
  }
}
