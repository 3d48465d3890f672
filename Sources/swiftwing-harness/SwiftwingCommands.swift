import ArgumentParser
import Glibc
import Harness

/// All commands but the viewfinder, which is an executable of its own so that it starts in a millisecond.
@main struct SwiftwingCommands: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "swiftwing",
    abstract: "A capture-and-scan engine for V4L2 cameras, and the harness that proves it.",
    discussion: """
      SRC says what to capture from: a camera (/dev/videoN), a recording (corpus:NAME or corpus:PATH) or a drawn scene \
      (simulated:WxH@FPS). Options follow a question mark: corpus:shelf-pan?format=NV12&loop=1.

      Exit status: 0 pass, 1 failed or regressed, 2 usage or bad input, 3 inconclusive or incomparable, 4 source \
      unavailable, 130 interrupted.
      """,
    version: ToolVersion.text,
    subcommands: [
      View.self, Bench.self, Qualify.self, Compare.self, ReportCommand.self, Devices.self, PhotoCommand.self,
      Tokens.self,
      CorpusCommand.self, Doctor.self, Models.self,
    ] + OtherPrograms.commands)

  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    if let command = CommandLine.arguments.dropFirst().first, ["bench", "qualify"].contains(command) {
      Interrupts.keep()
    }
    do {
      try OtherPrograms.become(Array(CommandLine.arguments.dropFirst()))
      try RepeatedOption.refuse(in: CommandLine.arguments.dropFirst())
      var command = try parseAsRoot()
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch {
      Glibc.exit(Failure.status(of: error))
    }
  }
}
