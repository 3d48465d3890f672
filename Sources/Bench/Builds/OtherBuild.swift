import Foundation
import Glibc
package import Harness
import Probes
import System

/// A build of `swiftwing` that is run as a child process: the build to compare with, or this build.
package struct OtherBuild: Sendable {
  /// The build as the user typed it.
  package let name: String
  private let program: String
  private let arguments: [String]

  /// The longest time that a turn may take.
  private static let patience = Duration.seconds(180)
  /// The number of bytes to keep of the program's messages.
  private static let kept = 1 << 20

  /// - Parameter text: a folder with a `swiftwing` in it or in its `bin/`; an executable; or a command line
  ///   for the shell.
  /// - Throws: `Failure` if the folder has no `swiftwing`, or if the file is not executable.
  package init(_ text: String) throws {
    name = text
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: text, isDirectory: &isFolder) else {
      // `exec` replaces the shell by the program, so that signals reach the program.
      (program, arguments) = ("/bin/sh", ["-c", "exec \(text) \"$@\"", "swiftwing"])
      return
    }
    let places = isFolder.boolValue ? ["\(text)/swiftwing", "\(text)/bin/swiftwing"] : [text]
    guard let place = places.first(where: FileManager.default.isExecutableFile) else {
      let what =
        isFolder.boolValue
        ? "has no swiftwing that can be run, neither in the folder nor in its bin/" : "cannot be run"
      throw Failure(
        "cannot take turns with \(text): it \(what); build it with `make build`", .sourceUnavailable)
    }
    program = place.hasPrefix("/") ? place : "./\(place)"
    arguments = []
  }

  /// Returns this build. It is started by its launcher, like the other build.
  package static func own() throws -> OtherBuild {
    let launcher = RunningProgram.sibling("swiftwing")
    let path = FileManager.default.isExecutableFile(atPath: launcher) ? launcher : RunningProgram.path
    guard let path else {
      throw Failure("cannot find this program's own file; start it by its full path", .usage)
    }
    return try OtherBuild(path)
  }

  /// The scenarios of the build for these options. Nil if the build refuses the options.
  /// - Throws: `Failure` if the program cannot be started or is no `swiftwing`.
  package func scenarios(_ options: [String]) async throws -> ScenarioList? {
    let output = try await onOwnThread { [self] in
      do throws(SystemError) {
        return try ChildProcess.run(
          program, arguments + ["bench", "--list", "--json"] + options, keeping: 8 * Self.kept,
          errors: .nothing, keepingErrors: Self.kept)
      } catch { throw failure("it cannot be started: \(error.reason)", .sourceUnavailable) }
    }
    let said =
      String(decoding: output.errors, as: UTF8.self).split(separator: "\n").first.map(String.init) ?? ""
    switch output.end.status {
    case 0: break
    case 126, 127: throw failure("it cannot be started (\(said))", .sourceUnavailable)
    case ExitStatus.usage.rawValue: return nil
    default: throw failure("`bench --list` ended with \(output.end.status) (\(said))", .sourceUnavailable)
    }
    do { return try JSONDecoder().decode(ScenarioList.self, from: Data(output.output)) } catch {
      throw failure("its answer to `bench --list --json` is no list of scenarios", .usage)
    }
  }

  /// Runs one turn: one scenario, whose report goes to a folder.
  /// - Returns: nil if the calling task was cancelled meanwhile.
  /// - Throws: `Failure` if the program does not start, does not end in time, or leaves no finished report.
  package func turn(_ options: [String], folder: String) async throws -> Report? {
    unlink(ReportFile(directory: folder).path)
    let (end, words) = try await run(["bench"] + options + ["--out", folder])
    return Task.isCancelled ? nil : try report(in: folder, after: end, said: words)
  }

  /// The report of a turn that has ended.
  /// - Parameter words: the last line of the program's messages.
  func report(in folder: String, after end: ChildProcess.End, said words: String) throws -> Report {
    let path = ReportFile(directory: folder).path
    let ended: [ExitStatus] = [.success, .failed, .inconclusive]
    guard ended.map(\.rawValue).contains(end.status) else {
      let isMissing = [126, 127, ExitStatus.sourceUnavailable.rawValue].contains(end.status)
      let reason = "a turn ended with \(end.status) (\(words))"
      if isMissing { throw failure(reason, .sourceUnavailable) }
      throw failure(reason, .usage, remedy: "run its `bench` alone to see why")
    }
    do {
      let report = try ReportFile.load(path: path)
      guard report.complete else {
        throw failure("a turn was interrupted", .usage, remedy: "begin the comparison again")
      }
      return report
    } catch let error as HarnessError {
      throw Failure("cannot take turns with \(name): \(error)", .usage)
    }
  }

  /// Runs the program to its end. Sends SIGTERM if the calling task is cancelled, and SIGKILL if the program
  /// takes too long.
  /// - Returns: the end of the process, and the last line of its messages.
  private func run(_ options: [String]) async throws -> (ChildProcess.End, String) {
    let life = ChildLife()
    let watchdog = Task {
      try await Task.sleep(for: Self.patience)
      life.send(SIGKILL)
    }
    defer { watchdog.cancel() }
    return try await withTaskCancellationHandler {
      try await onOwnThread { [self] in
        do throws(SystemError) {
          let said = try ProcessPipe()
          let child = try spawn(options, errors: .descriptor(said.writer))
          said.closeWriter()
          life.begin(child)
          said.readToEnd(keeping: Self.kept)
          let lines = String(decoding: said.bytes, as: UTF8.self).split(separator: "\n")
          return (life.end(of: child), lines.last.map(String.init) ?? "")
        } catch { throw failure("it cannot be started: \(error.reason)", .sourceUnavailable) }
      }
    } onCancel: {
      life.send(SIGTERM)
    }
  }

  private func spawn(
    _ options: [String], errors: ChildProcess.Stream
  ) throws(SystemError) -> ChildProcess {
    try ChildProcess(program, arguments + options, output: .nothing, errors: errors)
  }

  /// Starts the program. The caller waits for its end.
  func start(_ options: [String], errors: ChildProcess.Stream) throws -> ChildProcess {
    do throws(SystemError) { return try spawn(options, errors: errors) } catch {
      throw failure("it cannot be started: \(error.reason)", .sourceUnavailable)
    }
  }

  func failure(
    _ reason: String, _ status: ExitStatus,
    remedy: String = "--against takes a folder of a build, or a command"
  ) -> Failure {
    Failure("cannot take turns with \(name): \(reason); \(remedy)", status)
  }
}

/// A child process to which signals may be sent, from its start until its end is known. After that, another
/// process may have its number.
private final class ChildLife: Sendable {
  private let state = Locked<(child: ChildProcess?, wish: CInt)>((nil, 0))

  func begin(_ child: ChildProcess) {
    state.withLock { state in
      state.child = child
      // The task was cancelled before the child was started.
      if state.wish != 0 { child.send(state.wish) }
    }
  }

  func send(_ signal: CInt) {
    state.withLock { state in
      state.wish = signal
      state.child?.send(signal)
    }
  }

  /// Waits until the child has ended. Reaps it only when `send` can no longer signal it.
  func end(of child: ChildProcess) -> ChildProcess.End {
    var info = siginfo_t()
    while waitid(P_PID, id_t(child.identifier), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
    state.withLock { $0.child = nil }
    return child.wait()
  }
}
