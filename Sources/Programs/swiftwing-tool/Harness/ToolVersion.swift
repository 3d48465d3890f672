import Console
import Foundation
import Harness

/// The version and the commit of this build.
enum ToolVersion {
  static let text = SwiftwingVersion.text

  /// The commit in the file that the build writes beside the executable; `unknown` if there is none.
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
