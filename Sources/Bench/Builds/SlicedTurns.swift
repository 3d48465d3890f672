import Foundation
import Glibc
package import Harness
import Probes
import System

/// One turn of several builds at once, in time slices.
package struct SlicedTurns: Sendable {
  /// One build with its options, and the folder for its report and its messages.
  package struct Turn: Sendable {
    package let build: OtherBuild
    package let options: [String]
    package let folder: String

    package init(_ build: OtherBuild, _ options: [String], folder: String) {
      self.build = build
      self.options = options
      self.folder = folder
    }
  }

  private let turns: [Turn]

  package init(turns: [Turn]) { self.turns = turns }

  /// The longest time that all builds together may take.
  private static let patience = Duration.seconds(360)

  /// - Returns: one report for each build; nil if the calling task was cancelled meanwhile.
  /// - Throws: the error of the first build that failed; see `OtherBuild.turn`.
  package func run() async throws -> [Report]? {
    for turn in turns {
      try FileManager.default.createDirectory(atPath: turn.folder, withIntermediateDirectories: true)
      unlink(ReportFile(directory: turn.folder).path)
    }
    let ends = try await ends()
    if Task.isCancelled { return nil }
    return try zip(turns, ends).map { turn, end in
      try turn.build.report(in: turn.folder, after: end, said: turn.words)
    }
  }

  /// Runs the builds to their ends. Sends SIGTERM if the calling task is cancelled, and SIGKILL if they take
  /// too long.
  private func ends() async throws -> [ChildProcess.End] {
    let wish = Locked<CInt>(0)
    let watchdog = Task {
      try await Task.sleep(for: Self.patience)
      wish.withLock { $0 = SIGKILL }
    }
    defer { watchdog.cancel() }
    return try await withTaskCancellationHandler {
      try await onOwnThread {
        var children: [ChildProcess] = []
        // If one build cannot be started, kill and reap those that were started.
        do { for turn in turns { children.append(try turn.start()) } } catch {
          for child in children {
            child.send(SIGKILL)
            _ = child.wait()
          }
          throw error
        }
        ProcessSlices(children: children.map(\.identifier)).run { wish.withLock { $0 } }
        return children.map { $0.wait() }
      }
    } onCancel: {
      wish.withLock { $0 = SIGTERM }
    }
  }
}

extension SlicedTurns.Turn {
  private var errors: String { "\(folder)/errors.txt" }

  fileprivate func start() throws -> ChildProcess {
    let file = open(errors, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else {
      let reason = String(cString: strerror(errno))
      throw build.failure(
        "the file \(errors) for its messages could not be made (\(reason))", .usage,
        remedy: "choose another folder with --out")
    }
    defer { close(file) }
    return try build.start(["bench"] + options + ["--out", folder], errors: .descriptor(file))
  }

  /// The last line of the build's messages.
  fileprivate var words: String {
    let said = FileManager.default.contents(atPath: errors) ?? Data()
    return String(decoding: said.suffix(1 << 16), as: UTF8.self).split(separator: "\n").last.map(String.init)
      ?? ""
  }
}
