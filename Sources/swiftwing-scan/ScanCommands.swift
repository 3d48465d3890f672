import ArgumentParser
import Console
import Glibc
import Locking

/// `swiftwing scan`: shelves before a camera, or photographs of them → books.
@main struct ScanCommands: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "swiftwing scan",
    abstract: "Read books from shelves in front of a camera, or from photographs.",
    version: SwiftwingVersion.text,
    subcommands: [
      LiveScan.self, ScanPhotos.self, ScoreCommand.self, TrialCommand.self, WorkerTrialCommand.self,
    ],
    defaultSubcommand: LiveScan.self)

  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    do {
      var command = try parsed(Array(CommandLine.arguments.dropFirst()))
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch {
      Glibc.exit(status(of: error))
    }
  }

  /// The command that was meant, whether it was named or not.
  static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
    do { return try parseAsRoot(routed(arguments)) } catch {
      // The options may stand before the files: what cannot be read as a live scan may be a scan of photographs.
      guard exitCode(for: error) == .validationFailure, arguments.first?.hasPrefix("-") == true,
        let photos = try? parseAsRoot(["photos"] + arguments)
      else { throw error }
      return photos
    }
  }

  /// With `--photos` or a file name, photographs are read; otherwise a camera's pictures.
  static func routed(_ arguments: [String]) -> [String] {
    guard let first = arguments.first else { return arguments }
    let names = configuration.subcommands.map { $0._commandName } + ["help"]
    if names.contains(first) || first.hasPrefix("--generate-completion-script") { return arguments }
    let isPhotos =
      !first.hasPrefix("-") || arguments.contains { $0 == "--photos" || $0.hasPrefix("--photos=") }
    return [isPhotos ? "photos" : "live"] + arguments
  }

  /// Tells the user, and says what to exit with: 1 could not be written, 2 usage or bad input, 4 not available.
  private static func status(of error: any Error) -> Int32 {
    if let code = error as? ExitCode { return code.rawValue }
    let exit = exitCode(for: error)
    if exit == .success {
      Terminal.say(fullMessage(for: error))
      return 0
    }
    if error is ValidationError || exit == .validationFailure {
      let message = message(for: error)
      let sentence = message.hasSuffix(".") ? String(message.dropLast()) : message
      Terminal.tell("swiftwing: \(sentence); see `\(help(Array(CommandLine.arguments.dropFirst())))`")
      return 2
    }
    Terminal.tell("swiftwing: \(error)")
    return (error as? PhotoFileError)?.isUnwritten == true ? 1 : 2
  }

  /// The help that explains the right options.
  static func help(_ arguments: [String]) -> String {
    let words = routed(arguments)
    let name = configuration.subcommands.map { $0._commandName }.first { $0 == words.first && $0 != "live" }
    return "swiftwing scan \(name.map { "\($0) " } ?? "")--help"
  }
}
