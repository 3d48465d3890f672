import ArgumentParser
import Console
import Glibc
import Locking

/// `swiftwing scan`: shelves before a camera, or photographs of them → books.
@main struct ScanCommands: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan",
    abstract: "Books from shelves before a camera, or from photographs of them.",
    subcommands: [
      LiveScan.self, ScanPhotos.self, ScoreCommand.self, TrialCommand.self, WorkerTrialCommand.self,
    ],
    defaultSubcommand: LiveScan.self)

  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    do {
      var command = try parseAsRoot(routed(Array(CommandLine.arguments.dropFirst())))
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch {
      Glibc.exit(status(of: error))
    }
  }

  /// With `--photos` it is photographs that are read, without it a camera's.
  static func routed(_ arguments: [String]) -> [String] {
    guard let first = arguments.first, first.hasPrefix("-"), first != "-h", first != "--help" else {
      return arguments
    }
    let isPhotos = arguments.contains { $0 == "--photos" || $0.hasPrefix("--photos=") }
    return [isPhotos ? "photos" : "live"] + arguments
  }

  /// Tells the user, and says what to exit with: 2 usage or bad input.
  private static func status(of error: any Error) -> Int32 {
    if let code = error as? ExitCode { return code.rawValue }
    let exit = exitCode(for: error)
    if exit == .success {
      Terminal.say(fullMessage(for: error))
      return 0
    }
    let isUsage = error is ValidationError || exit == .validationFailure
    Terminal.tell(isUsage ? fullMessage(for: error) : "swiftwing: \(error)")
    return 2
  }
}
