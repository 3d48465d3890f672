import ArgumentParser
import Builds
import Console
import System

/// Runs command lines simultaneously, in time slices. `scripts/calibrate` uses it to record runs as `bench --against` makes them. Not a command for
/// users.
struct SlicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "slices", abstract: "Run command lines at once, by slices of time, and print how each ended."
  )

  @Argument(help: "Command lines, each of which the shell reads.") var commands: [String]

  func run() throws {
    let children = try commands.map { command in
      do throws(SystemError) {
        return try ChildProcess("/bin/sh", ["-c", "exec \(command)"], output: .nothing)
      } catch { throw ValidationError("cannot start \(command): \(error.reason)") }
    }
    ProcessSlices(children: children.map(\.identifier)).run()
    for child in children { Terminal.say("\(child.wait().status)") }
  }
}
