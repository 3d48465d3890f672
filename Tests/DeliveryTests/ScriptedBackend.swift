import Foundation
import Locking

@testable import Delivery

/// A backend that answers at once, after the errors it has been told to give first.
final class ScriptedBackend: Backend {
  struct Script {
    var uploadErrors: [BackendError] = []
    /// By idempotency key; before those above.
    var uploadErrorsOf: [String: [BackendError]] = [:]
    var followErrors: [BackendError] = []
    var cleanupErrors: [BackendError] = []
    var uploads: [String] = []
    var follows: [String] = []
    var cleanups: [String] = []
    var books = [BookFinding(isbn: "9780441172719", title: "Dune")]
  }
  let script = Locked(Script())
  let onUpload: @Sendable () async -> Void

  init(onUpload: @escaping @Sendable () async -> Void = {}) { self.onUpload = onUpload }

  func upload(_ parcel: Parcel, idempotencyKey: String) async throws(BackendError) -> QueuedScan.Job {
    await onUpload()
    let error = script.withLock { script in
      script.uploads.append(idempotencyKey)
      if script.uploadErrorsOf[idempotencyKey]?.isEmpty == false {
        return script.uploadErrorsOf[idempotencyKey]?.removeFirst()
      }
      return script.uploadErrors.isEmpty ? nil : script.uploadErrors.removeFirst()
    }
    if let error { throw error }
    return QueuedScan.Job(id: idempotencyKey, streamURL: "https://talaria/\(idempotencyKey)")
  }

  func follow(
    _ job: QueuedScan.Job, report: @escaping @Sendable (JobProgress) -> Void
  ) async throws(BackendError) -> [BookFinding] {
    let (error, books) = script.withLock { script in
      script.follows.append(job.id)
      return (script.followErrors.isEmpty ? nil : script.followErrors.removeFirst(), script.books)
    }
    if let error { throw error }
    return books
  }

  func cleanUp(_ jobID: String) async throws(BackendError) {
    let error = script.withLock { script in
      script.cleanups.append(jobID)
      return script.cleanupErrors.isEmpty ? nil : script.cleanupErrors.removeFirst()
    }
    if let error { throw error }
  }
}
