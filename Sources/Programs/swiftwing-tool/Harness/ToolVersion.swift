import Console
import Foundation
import Harness

/// Which build this is.
enum ToolVersion {
  static let text = SwiftwingVersion.text

  /// The commit in the file that the build leaves beside the executable; `unknown` when run from elsewhere.
  static var commit: String {
    let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    let text = try? String(contentsOf: folder.appendingPathComponent("COMMIT"), encoding: .utf8)
    let commit = text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    return commit.isEmpty ? "unknown" : String(commit.prefix(40))
  }

  static var tool: Report.Tool {
    Report.Tool(version: text, commit: commit, build: RunEnvironment.current().build)
  }
}
