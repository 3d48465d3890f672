import Harness
import System

/// A range of commits in this checkout, as git knows it.
package struct CommitRange {
  /// Full names, 40 hexadecimal digits each.
  package let good: String
  package let bad: String

  /// - Throws: `Failure` for a revision that does not exist, and for ends in the wrong order.
  package init(good: String, bad: String) throws {
    self.good = try Self.commit(good)
    self.bad = try Self.commit(bad)
    guard self.good != self.bad else { throw Failure("\(good) and \(bad) are one commit", .usage) }
    guard try Self.git(["merge-base", "--is-ancestor", self.good, self.bad]).end.status == 0 else {
      throw Failure("\(good) does not come before \(bad); give the older one first", .usage)
    }
  }

  /// Returns the commits before `bad` that no commit in `good` contains; first the one that halves them best.
  package static func between(_ bad: String, _ good: [String]) throws -> [String] {
    // All revisions of a range may be too long for a command line, but bisection names only some twenty.
    try lines(["rev-list", "--bisect-all", bad, "--not"] + good).compactMap { line in
      let name = String(line.prefix { $0 != " " })
      return name == bad ? nil : name
    }
  }

  /// Returns the number of commits that may have made the change.
  package func count() throws -> Int { try Self.between(bad, [good]).count + 1 }

  /// Returns a commit in words: `a1b2c3d4e5f6 Turn by rows (Ada Example, 2026-03-01)`.
  package static func title(_ commit: String) throws -> String {
    TerminalText.printable(
      try lines(["show", "--no-patch", "--date=short", "--format=%h %s (%an, %ad)", "--abbrev=12", commit])
        .first
        ?? commit)
  }

  static func commit(_ revision: String) throws -> String {
    guard !revision.hasPrefix("-"),
      let name = try? lines(["rev-parse", "--verify", "--quiet", "\(revision)^{commit}"]).first
    else { throw Failure("git knows no revision '\(revision)'; give a branch, a tag or a commit", .usage) }
    return name
  }

  package static func lines(_ words: [String]) throws -> [String] {
    let said = try git(words)
    guard said.end.status == 0 else {
      throw Failure(
        "git \(words.first ?? "") failed: \(String(decoding: said.errors, as: UTF8.self))", .usage)
    }
    return String(decoding: said.output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private static func git(_ words: [String]) throws -> ProgramOutput {
    do throws(SystemError) {
      return try ChildProcess.run("git", words, keeping: 16 << 20, errors: .nothing, keepingErrors: 1 << 12)
    } catch { throw Failure("git cannot be started: \(error.reason)", .sourceUnavailable) }
  }
}
