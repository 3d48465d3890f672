import ArgumentParser
import Console
import Delivery
import Glibc

/// `swiftwing queue`, `library` and `talaria`: what becomes of scans.
@main struct LibraryCommands: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "swiftwing",
    abstract: "Queue of scans, library of books, and a backend to try them with.",
    version: SwiftwingVersion.text,
    subcommands: [QueueCommand.self, LibraryCommand.self, TalariaCommand.self])

  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    do {
      var command = try parseAsRoot()
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch {
      Glibc.exit(status(of: error))
    }
  }

  /// Tells the user, and says what to exit with: 1 could not be written, 2 usage or bad input, 4 not available, 130
  /// interrupted.
  private static func status(of error: any Error) -> Int32 {
    if let code = error as? ExitCode { return code.rawValue }
    let exit = exitCode(for: error)
    if exit == .success {
      Terminal.say(fullMessage(for: error))
      return 0
    }
    if error is ValidationError || exit == .validationFailure {
      Terminal.tell("swiftwing: \(usageSentence(error))")
      return 2
    }
    guard let error = error as? DeliveryError else {
      Terminal.tell("swiftwing: \(error)")
      return error is CancellationError ? 130 : 2
    }
    Terminal.tell("swiftwing: \(error)")
    return switch error.kind {
    case .badInput: 2
    case .inUse, .unavailable: 4
    case .cancelled: 130
    case .diskFull, .storage: 1
    }
  }

  /// What is wrong with the command line, and which help explains it.
  private static func usageSentence(_ error: any Error) -> String {
    let message = message(for: error)
    let sentence = message.hasSuffix(".") ? String(message.dropLast()) : message
    return "\(sentence); see `\(command(CommandLine.arguments.dropFirst())) --help`"
  }

  /// The command that was meant, as far as its name could be read: `swiftwing queue drop`.
  static func command(_ arguments: some Sequence<String>) -> String {
    var (words, kinds) = (["swiftwing"], configuration.subcommands)
    for argument in arguments {
      guard let kind = kinds.first(where: { $0._commandName == argument }) else { break }
      words.append(argument)
      kinds = kind.configuration.subcommands
    }
    return words.joined(separator: " ")
  }
}
