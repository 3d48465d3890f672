import GRDB
import Glibc

/// Errors of the system and of SQLite, as the room's own.
extension DeliveryError {
  static func system(_ action: String, errno code: CInt) -> DeliveryError {
    let reason = String(cString: strerror(code))
    guard code != ENOSPC, code != EDQUOT else { return .full(action, reason) }
    return DeliveryError(.storage, action, reason: reason, remedy: "check the folder and who may write to it")
  }

  static func database(_ action: String, _ error: any Error) -> DeliveryError {
    if let error = error as? DeliveryError { return error }
    if error is CancellationError {
      return DeliveryError(.cancelled, action, reason: "it was interrupted", remedy: "start it again")
    }
    if error is RowDecodingError {
      return .damaged(action, "a value in its file is of another type than it must be")
    }
    guard let error = error as? DatabaseError else {
      return DeliveryError(.storage, action, reason: "\(error)", remedy: "try again")
    }
    let reason = error.message ?? "\(error.resultCode)"
    switch error.resultCode {
    case .SQLITE_FULL: return .full(action, reason)
    case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_TOOBIG, .SQLITE_MISMATCH: return .damaged(action, reason)
    case .SQLITE_CONSTRAINT where error.extendedResultCode == .SQLITE_CONSTRAINT_DATATYPE:
      return .damaged(action, reason)
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      return DeliveryError(.storage, action, reason: reason, remedy: "end the other program that uses it")
    default:
      // The number tells what failed: "disk I/O error" is said of some thirty kinds of failure.
      return DeliveryError(
        .storage, action, reason: "\(reason) (SQLite \(error.extendedResultCode.rawValue))",
        remedy: "check the folder and who may write to it")
    }
  }

  private static func full(_ action: String, _ reason: String) -> DeliveryError {
    DeliveryError(.diskFull, action, reason: reason, remedy: "free some space and try again")
  }
}

/// A file descriptor that closes itself.
struct OwnedDescriptor: ~Copyable {
  let number: CInt

  /// Opens with `O_CLOEXEC`; `nil` and `errno` on failure.
  init?(_ path: String, _ flags: CInt, mode: mode_t = 0o600) {
    number = open(path, flags | O_CLOEXEC, mode)
    if number < 0 { return nil }
  }

  /// Runs after a failed `init` too, when `errno` is still to be read.
  deinit { if number >= 0 { close(number) } }

  /// At most `limit` bytes and all there are; `nil` when there are more, or `errno` says why.
  func read(limit: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(number, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0, bytes.count + count <= limit else {
        if count >= 0 { errno = EFBIG }
        return nil
      }
      if count == 0 { return bytes }
      bytes.append(contentsOf: chunk[..<count])
    }
  }
}
