import ArgumentParser
import Capture
import Console
import Corpora
import Glibc
import Harness
import Imagery
import Probes

/// An error with the exit status it ends the program with.
struct Failure: Error, CustomStringConvertible {
  let description: String
  let status: ExitStatus

  init(_ description: String, _ status: ExitStatus) {
    self.description = description
    self.status = status
  }

  /// Tells the user, and says what to exit with.
  static func status(of error: any Error) -> Int32 {
    if let code = error as? ExitCode { return code.rawValue }
    let exit = SwiftwingCommands.exitCode(for: error)
    if exit == .success {
      Terminal.say(SwiftwingCommands.fullMessage(for: error))
      return ExitStatus.success.rawValue
    }
    if error is ValidationError || exit == .validationFailure {
      Terminal.tell("swiftwing: \(usageSentence(error))")
      return ExitStatus.usage.rawValue
    }
    Terminal.tell("swiftwing: \(error)")
    return kind(of: error).rawValue
  }

  /// What is wrong with the command line, and which help explains it. The whole usage text would bury the error.
  private static func usageSentence(_ error: any Error) -> String {
    let message = SwiftwingCommands.message(for: error)
    let sentence = message.hasSuffix(".") ? String(message.dropLast()) : message
    // Some messages already name the help to read.
    guard !sentence.contains("; see `") else { return sentence }
    return "\(sentence); see `\(command(CommandLine.arguments.dropFirst())) --help`"
  }

  /// The command that was meant, as far as its name could be read, such as `swiftwing report merge`. The parser itself would name only
  /// the root command for errors that a command finds in its own options.
  private static func command(_ arguments: some Sequence<String>) -> String {
    var (words, kinds) = (["swiftwing"], SwiftwingCommands.configuration.subcommands)
    for argument in arguments {
      guard let kind = kinds.first(where: { $0._commandName == argument }) else { break }
      words.append(argument)
      kinds = kind.configuration.subcommands
    }
    return words.joined(separator: " ")
  }

  private static func kind(of error: any Error) -> ExitStatus {
    switch error {
    case let failure as Failure: failure.status
    case is DestinationError: .usage
    case let error as CameraError: error.isUnavailability ? .sourceUnavailable : .usage
    case let error as SessionError where error.cameraError?.isUnavailability == true: .sourceUnavailable
    case let error as SessionError where error.cameraError != nil: .usage
    case let error as CorpusError: error.isUnavailability ? .sourceUnavailable : .usage
    case is ImageError: .usage
    case HarnessError.write: .failed
    case is HarnessError: .usage
    case is CancellationError: .interrupted
    default: .failed
    }
  }
}
