import ArgumentParser
import BookScan
import Capture
import Catalogue
import Console
import Corpora
import Harness
import History
import Imagery
import Library
import Log
import Recording
import ScanStation
import Settings

extension Failure {
  /// Reports an error to the user, and returns the exit status.
  /// - Parameter arguments: the arguments of the command.
  static func status(of error: any Error, _ arguments: [String]) -> Int32 {
    if let code = error as? ExitCode { return code.rawValue }
    let exit = SwiftwingCommands.exitCode(for: error)
    if exit == .success {
      Terminal.say(SwiftwingCommands.fullMessage(for: error))
      return ExitStatus.success.rawValue
    }
    if error is ValidationError || exit == .validationFailure {
      Terminal.tell("swiftwing: \(usageSentence(error, arguments))")
      return ExitStatus.usage.rawValue
    }
    Terminal.tell("swiftwing: \(error)")
    for line in LogSystem.takeHistory() { Terminal.tell(line) }
    return kind(of: error).rawValue
  }

  /// Returns what is wrong with the command line, and the help that explains it. The whole usage text would hide the error.
  static func usageSentence(_ error: any Error, _ arguments: [String]) -> String {
    let message = SwiftwingCommands.message(for: error)
    let sentence = message.hasSuffix(".") ? String(message.dropLast()) : message
    // Some messages already name the help to read.
    return sentence.contains("; see `") ? sentence : "\(sentence); see `\(CommandPath(arguments).help)`"
  }

  static func kind(of error: any Error) -> ExitStatus {
    switch error {
    case let failure as Failure: failure.status
    case is DestinationError, is LogError: .usage
    case let error as CameraError: error.isUnavailability ? .sourceUnavailable : .usage
    case let error as SessionError where error.cameraError?.isUnavailability == true: .sourceUnavailable
    case let error as SessionError where error.cameraError != nil: .usage
    case let error as CorpusError: error.isUnavailability ? .sourceUnavailable : .usage
    case is ImageError: .usage
    case let error as SettingsError: error.kind == .badInput || error.kind == .damaged ? .usage : .failed
    case let error as RecordingError: error.code == .diskFull || error.code == .encoding ? .failed : .usage
    case HarnessError.write: .failed
    case is HarnessError: .usage
    case let error as HistoryError: error.kind == .storage ? .failed : .usage
    case let error as ScanError: error.isUnavailability ? .sourceUnavailable : .usage
    case let error as PhotoFileError: error.isUnwritten ? .failed : .usage
    case let error as CatalogueError: error.kind == .storage ? .failed : .usage
    case let error as DeliveryError: kind(of: error.kind)
    case is CancellationError: .interrupted
    default: .failed
    }
  }

  private static func kind(of kind: DeliveryError.Kind) -> ExitStatus {
    switch kind {
    case .badInput: .usage
    case .inUse, .unavailable: .sourceUnavailable
    case .cancelled: .interrupted
    case .diskFull, .storage, .damaged: .failed
    }
  }
}

extension ExitCode {
  init(_ status: ExitStatus) { self.init(status.rawValue) }
}
