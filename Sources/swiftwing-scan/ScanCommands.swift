import ArgumentParser
import Glibc
import Locking

/// `swiftwing scan`: shelves before a camera, or photographs of them → books.
@main struct ScanCommands: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan",
    abstract: "Books from shelves before a camera, or from photographs of them.",
    subcommands: [LiveScan.self, ScanPhotos.self, ScoreCommand.self, TrialCommand.self],
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

enum Terminal {
  /// Held while a line is written, so that none is cut in two.
  private static let line = Locked(())

  /// One line on standard output, at once; a reader that has gone ends the program.
  static func say(_ text: String) { line.withLock { _ in write("\(text)\n", to: STDOUT_FILENO) } }
  /// A line on standard error that the next one replaces.
  static func draw(_ text: String) { line.withLock { _ in write("\r\u{1B}[2K\(text)", to: STDERR_FILENO) } }
  /// One line on standard error.
  static func tell(_ text: String) { line.withLock { _ in write("\(text)\n", to: STDERR_FILENO) } }
  /// Ends the program after a line on standard error and after whatever line is being written; a second ^C does not wait.
  static func end(with text: String, _ status: Int32) {
    signal(SIGINT, SIG_DFL)
    line.withLock { _ in
      write("\(text)\n", to: STDERR_FILENO)
      _exit(status)
    }
  }

  private static func write(_ text: String, to descriptor: Int32) {
    var text = text
    text.withUTF8 { bytes in
      var written = 0
      while let base = bytes.baseAddress, written < bytes.count {
        let count = Glibc.write(descriptor, base + written, bytes.count - written)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { Glibc.exit(1) }
        written += count
      }
    }
  }
}
