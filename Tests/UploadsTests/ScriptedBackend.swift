import Foundation
import System

@testable import Library
@testable import Uploads

/// A backend that answers at once. It first throws the scripted errors.
final class ScriptedBackend: Backend {
  struct Script {
    var uploadErrors: [BackendError] = []
    /// Errors for the uploads with an idempotency key. They are used up before `uploadErrors`.
    var uploadErrorsOf: [String: [BackendError]] = [:]
    var followErrors: [BackendError] = []
    var cleanupErrors: [BackendError] = []
    var uploads: [String] = []
    var follows: [String] = []
    var cleanups: [String] = []
    /// Whether a scan that is submitted needs no job.
    var needsNoJob = false
    var books = [BookFinding(isbn: "9780441172719", title: "Dune")]
  }
  let script = Locked(Script())
  let onUpload: @Sendable () async -> Void

  init(onUpload: @escaping @Sendable () async -> Void = {}) { self.onUpload = onUpload }

  func submit(
    _ submission: Submission, idempotencyKey: String
  ) async throws(BackendError) -> QueuedScan.Job? {
    await onUpload()
    let error = script.withLock { script in
      script.uploads.append(idempotencyKey)
      if script.uploadErrorsOf[idempotencyKey]?.isEmpty == false {
        return script.uploadErrorsOf[idempotencyKey]?.removeFirst()
      }
      return script.uploadErrors.isEmpty ? nil : script.uploadErrors.removeFirst()
    }
    if let error { throw error }
    if script.withLock({ $0.needsNoJob }) { return nil }
    return QueuedScan.Job(id: idempotencyKey, streamURL: "https://talaria/\(idempotencyKey)")
  }

  func follow(
    _ job: QueuedScan.Job, of scan: UUID, report: @escaping @Sendable (JobProgress) -> Void
  ) async throws(BackendError) -> [Finding] {
    let (error, books) = script.withLock { script in
      script.follows.append(job.id)
      return (script.followErrors.isEmpty ? nil : script.followErrors.removeFirst(), script.books)
    }
    if let error { throw error }
    return books.map { Finding($0) }
  }

  func cleanUp(_ jobID: String) async throws(BackendError) {
    let error = script.withLock { script in
      script.cleanups.append(jobID)
      return script.cleanupErrors.isEmpty ? nil : script.cleanupErrors.removeFirst()
    }
    if let error { throw error }
  }
}

/// A backend whose two books have the same finding id.
struct TwinBackend: Backend {
  func submit(
    _ submission: Submission, idempotencyKey: String
  ) async throws(BackendError) -> QueuedScan.Job? {
    QueuedScan.Job(id: idempotencyKey, streamURL: "https://talaria/\(idempotencyKey)")
  }

  func follow(
    _ job: QueuedScan.Job, of scan: UUID, report: @escaping @Sendable (JobProgress) -> Void
  ) async throws(BackendError) -> [Finding] {
    let id = UUID()
    return [Finding(id: id, BookFinding(title: "Dune")), Finding(id: id, BookFinding(title: "Emma"))]
  }

  func cleanUp(_ jobID: String) async throws(BackendError) {}
}
