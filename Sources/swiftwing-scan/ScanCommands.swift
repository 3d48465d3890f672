import ArgumentParser
import Glibc
import Locking

/// `swiftwing scan`: photographs of shelves → books.
@main struct ScanCommands: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan",
    abstract: "Books from photographs of shelves.",
    subcommands: [ScanPhotos.self, ScoreCommand.self], defaultSubcommand: ScanPhotos.self)

  static func main() {
    signal(SIGPIPE, SIG_IGN)
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      Glibc.exit(status(of: error))
    }
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
