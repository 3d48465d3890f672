import Foundation
import Harness
import System

/// Builds a commit in a worktree of its own and counts its instructions. The report is kept by commit, so
/// that no commit is built twice.
package struct CountedCommit: Sendable {
  /// The folder `.build-bisect` of the checkout.
  private let folder: String
  /// The ids of the scenarios to count. All scenarios if empty.
  private let scenarios: [String]
  private let tell: @Sendable (String) -> Void

  /// - Parameter tell: called with a line of progress before each build and each count.
  package init(folder: String, scenarios: [String], tell: @escaping @Sendable (String) -> Void) {
    self.folder = folder
    self.scenarios = scenarios
    self.tell = tell
  }

  private var tree: String { "\(folder)/tree" }

  /// - Throws: `Failure` if git cannot make the worktree; `CancellationError` after ^C.
  package func reading(_ commit: String) async throws -> BisectSearch.Reading {
    if let report = kept(commit) { return .counted(report) }
    try checkOut(commit)
    let name = commit.prefix(12)
    tell("bisect: building \(try CommitRange.title(commit))")
    guard try run("\(tree)/scripts/build", []) == 0 else {
      return .failed("\(tree)/scripts/build failed, as its messages above say")
    }
    tell("bisect: counting \(name)")
    let out = self.out(commit)
    let status = try run(
      "\(tree)/bin/swiftwing", ["bench", "--count", "--out", out] + scenarios.flatMap { ["--scenario", $0] })
    guard let report = kept(commit) else {
      return .failed("its `bench --count` ended with \(status), as its messages above say")
    }
    return .counted(report)
  }

  private func out(_ commit: String) -> String {
    "\(folder)/\(([commit] + scenarios).joined(separator: "-"))"
  }

  /// The finished report of an earlier run. Nil if there is none.
  private func kept(_ commit: String) -> Report? {
    guard let report = try? ReportFile.load(path: ReportFile(directory: out(commit)).path), report.complete,
      report.scenarios.contains(where: { !$0.metrics.isEmpty })
    else { return nil }
    return report
  }

  private func checkOut(_ commit: String) throws {
    _ = try CommitRange.lines(["worktree", "prune"])
    let isThere = FileManager.default.fileExists(atPath: "\(tree)/.git")
    _ = try CommitRange.lines(
      isThere
        ? ["-C", tree, "checkout", "--quiet", "--force", "--detach", commit]
        : ["worktree", "add", "--quiet", "--force", "--detach", tree, commit])
  }

  /// Runs a program to its end. Its output goes to standard error.
  /// - Returns: the program's exit status; 127, as from a shell, if the program cannot be started.
  private func run(_ program: String, _ words: [String]) throws -> CInt {
    let child: ChildProcess
    do throws(SystemError) {
      child = try ChildProcess(program, words, output: .descriptor(STDERR_FILENO))
    } catch { return 127 }
    let end = child.wait()
    if [SIGINT, SIGTERM].contains(end.signal) || end.status == ExitStatus.interrupted.rawValue {
      throw CancellationError()
    }
    return end.status
  }
}
