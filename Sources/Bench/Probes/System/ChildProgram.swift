import Glibc
import Imagery
package import System

/// Another program, run to its end.
package struct ChildProgram {
  /// A path, or a name that is searched in `PATH`.
  let executable: String
  let arguments: [String]
  /// The remedy if the program cannot be started, as a clause.
  let remedy: String?
  /// Whether the standard error of the program is passed on to that of this process. Otherwise it is discarded.
  let showsErrors: Bool

  package init(executable: String, arguments: [String], remedy: String? = nil, showsErrors: Bool = true) {
    self.executable = executable
    self.arguments = arguments
    self.remedy = remedy
    self.showsErrors = showsErrors
  }

  package struct Outcome {
    /// The time just before the start, on `CLOCK_MONOTONIC`.
    package var spawned: MonotonicTime
    /// The time just after the end, on `CLOCK_MONOTONIC`.
    package var exited: MonotonicTime
    /// Exit status, or 128 + the signal that ended the program.
    package var status: Int32
    /// Standard output, at most 64 KB.
    package var output: String
  }

  /// - Throws: `LaunchError` if the program cannot be started.
  package func run() throws -> Outcome {
    let spawned = MonotonicTime.now()
    do throws(SystemError) {
      let said = try ChildProcess.run(
        executable, arguments, input: .inherited, keeping: 1 << 16,
        errors: showsErrors ? .inherited : .nothing)
      return Outcome(
        spawned: spawned, exited: .now(), status: said.end.status,
        output: String(decoding: said.output, as: UTF8.self))
    } catch {
      throw LaunchError(executable, error.code, remedy: remedy)
    }
  }
}

/// A program that could not be started, or did not do its task.
package struct LaunchError: Error, CustomStringConvertible {
  package let description: String

  package init(_ executable: String, _ reason: String, remedy: String?) {
    description = "cannot use \(executable): \(reason)" + (remedy.map { "; \($0)" } ?? "")
  }

  package init(_ executable: String, _ code: Int32, remedy: String?) {
    self.init(executable, String(cString: strerror(code)), remedy: remedy)
  }
}
