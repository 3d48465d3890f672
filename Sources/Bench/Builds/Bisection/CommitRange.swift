import Harness
import System

/// A range of commits of this checkout, resolved by git.
package struct CommitRange {
  /// The full name of the good commit, 40 hexadecimal digits.
  package let good: String
  /// The full name of the bad commit, 40 hexadecimal digits.
  package let bad: String

  /// - Throws: `Failure` if git does not know one of the revisions, or if `good` is not an ancestor of `bad`.
  package init(good: String, bad: String) throws {
    self.good = try Self.commit(good)
    self.bad = try Self.commit(bad)
    guard self.good != self.bad else {
      throw Failure("\(good) and \(bad) are one commit; give two commits", .usage)
    }
    guard try Self.git(["merge-base", "--is-ancestor", self.good, self.bad]).end.status == 0 else {
      throw Failure("\(good) does not come before \(bad); give the older one first", .usage)
    }
  }

  /// The commits before `bad` that none of `good` contains, sorted as by `git rev-list --bisect-all`: first the commit that halves the list
  /// best.
  package static func between(_ bad: String, _ good: [String]) throws -> [String] {
    // A list of revisions may be longer than a command line, but bisection asks for about twenty at most.
    try lines(["rev-list", "--bisect-all", bad, "--not"] + good).compactMap { line in
      let name = String(line.prefix { $0 != " " })
      return name == bad ? nil : name
    }
  }

  /// The number of commits that may contain the change.
  package func count() throws -> Int { try Self.between(bad, [good]).count + 1 }

  /// The commit as text, such as `a1b2c3d4e5f6 Turn by rows (Ada Example, 2026-03-01)`.
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
      let text = String(decoding: said.errors, as: UTF8.self)
      let reason = text.split(separator: "\n").last ?? "no reason given"
      throw Failure("git \(words.first ?? "") failed: \(reason); run it in a git checkout", .usage)
    }
    return String(decoding: said.output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private static func git(_ words: [String]) throws -> ProgramOutput {
    do throws(SystemError) {
      return try ChildProcess.run("git", words, keeping: 16 << 20, errors: .nothing, keepingErrors: 1 << 12)
    } catch {
      throw Failure(
        "git cannot be started: \(error.reason); install it with `apt-get install git`", .sourceUnavailable)
    }
  }
}
