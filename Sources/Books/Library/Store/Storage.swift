import GRDB
import Glibc

/// Converts errors of the system and of SQLite to `DeliveryError`.
extension DeliveryError {
  package static func system(_ action: String, errno code: CInt) -> DeliveryError {
    let reason = String(cString: strerror(code))
    guard code != ENOSPC, code != EDQUOT else { return .full(action, reason) }
    return DeliveryError(.storage, action, reason: reason, remedy: mending(code))
  }

  private static func mending(_ code: CInt) -> String {
    switch code {
    case EIO: "check its disk"
    case EMFILE, ENFILE, ENOMEM: "end other programs and try again"
    default: "check the folder, and who may read and write there"
    }
  }

  static func database(_ action: String, _ error: any Error) -> DeliveryError {
    if let error = error as? DeliveryError { return error }
    if error is CancellationError {
      return DeliveryError(.cancelled, action, reason: "it was interrupted", remedy: "try again")
    }
    if error is RowDecodingError {
      return .damaged(action, "a value in its file has the wrong type")
    }
    guard let error = error as? DatabaseError else {
      return DeliveryError(.storage, action, reason: "\(error)", remedy: "try again")
    }
    let reason = error.message ?? "\(error.resultCode)"
    switch error.resultCode {
    case .SQLITE_FULL: return .full(action, reason)
    case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_TOOBIG, .SQLITE_MISMATCH: return .damaged(action, reason)
    // Newer versions of SQLite (3.46) report damage of the search index, which has a format of its own, as an ordinary error: "invalid fts5 file
    // format".
    case .SQLITE_ERROR where reason.contains("fts5"): return .damaged(action, reason)
    case .SQLITE_CONSTRAINT where error.extendedResultCode == .SQLITE_CONSTRAINT_DATATYPE:
      return .damaged(action, reason)
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      return DeliveryError(
        .storage, action, reason: reason, remedy: "end the other program that uses the library")
    default:
      // The number identifies the failure: "disk I/O error" is the text of some thirty kinds.
      return DeliveryError(
        .storage, action, reason: "\(reason) (SQLite \(error.extendedResultCode.rawValue))",
        remedy: "check the library's folder, its disk and who may write to it")
    }
  }

  private static func full(_ action: String, _ reason: String) -> DeliveryError {
    DeliveryError(.diskFull, action, reason: reason, remedy: "free some space and try again")
  }

  /// The same error, with the library's folder in its action, if the folder is at fault.
  func naming(library directory: String) -> DeliveryError {
    switch kind {
    case .storage, .damaged, .diskFull: break
    case .inUse, .badInput, .unavailable, .cancelled: return self
    }
    let whole =
      action.hasSuffix("the library") ? "\(action) \(directory)" : "\(action) (library \(directory))"
    return DeliveryError(kind, whole, reason: reason, remedy: remedy)
  }
}
