import ArgumentParser
import Capture
import Corpora
import Glibc
import Harness
import Imagery
import Scenarios

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
    if exit == .success || error is ValidationError || exit == .validationFailure {
      let message = SwiftwingCommands.fullMessage(for: error)
      if exit == .success { Terminal.say(message) } else { Terminal.tell(message) }
      return exit == .success ? 0 : ExitStatus.usage.rawValue
    }
    Terminal.tell("swiftwing: \(error)")
    return kind(of: error).rawValue
  }

  private static func kind(of error: any Error) -> ExitStatus {
    switch error {
    case let failure as Failure: failure.status
    case let error as CameraError: error.isUnavailability ? .sourceUnavailable : .usage
    case SessionError.camera(let error): error.isUnavailability ? .sourceUnavailable : .usage
    case let error as CorpusError: error.kind == .notFound ? .sourceUnavailable : .usage
    case is ImageError: .usage
    case HarnessError.write: .failed
    case is HarnessError: .usage
    case is CancellationError: .interrupted
    default: .failed
    }
  }
}
