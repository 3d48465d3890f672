import ArgumentParser
import Harness

/// One call of the program: from its arguments to its exit status.
struct Invocation: Sendable {
  /// The arguments after the program's name.
  private let arguments: [String]

  init(_ arguments: [String]) { self.arguments = arguments }

  /// Whether the command must write a report even if ^C comes while the program is being loaded. The launcher blocks signals for such commands.
  var leavesReport: Bool { ["bench", "qualify"].contains(arguments.first) }

  /// Runs the command, and reports errors to the user.
  /// - Returns: the exit status.
  func run() async -> Int32 {
    do {
      var command = try command()
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
      return 0
    } catch {
      return Failure.status(of: error, arguments)
    }
  }

  /// Returns the command that the arguments run. A default subcommand need not be named.
  /// - Throws: the errors of ArgumentParser, which include requests for help and version.
  func command() throws -> any ParsableCommand {
    let routed = NegativeNumbers.marked(
      LegibleOptions.completed(ScanRoute.routed(LibraryChoice.completed(arguments))))
    try RepeatedOption.refuse(in: routed, of: CommandPath(arguments).command)
    do { return try SwiftwingCommands.parseAsRoot(routed) } catch {
      guard SwiftwingCommands.exitCode(for: error) == .validationFailure,
        let other = ScanRoute.photos(LibraryChoice.completed(arguments)).map(NegativeNumbers.marked),
        let photos = try? SwiftwingCommands.parseAsRoot(other)
      else { throw error }
      return photos
    }
  }
}

/// The command that the arguments name, as far as its name can be read, such as `swiftwing report merge`. The parser itself would
/// name only the root command for errors that a command finds in its own options.
struct CommandPath {
  private(set) var command: any ParsableCommand.Type = SwiftwingCommands.self
  private var words = ["swiftwing"]
  /// The number of arguments that name the command.
  private(set) var depth = 0

  init(_ arguments: [String]) {
    for argument in ScanRoute.routed(arguments) {
      guard let named = command.configuration.subcommands.first(where: { $0._commandName == argument })
      else { return }
      command = named
      depth += 1
      // The default subcommand of `scan` is left out.
      if named != LiveScan.self { words.append(argument) }
    }
  }

  /// The command line that shows the command's help.
  var help: String { "\(words.joined(separator: " ")) --help" }
}
