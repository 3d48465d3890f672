public import FoundationEssentials
public import Library

/// Converts submissions to books, as jobs on another machine. `TalariaClient` is the implementation.
public protocol Backend: Sendable {
  /// Submits a scan. Calls with one idempotency key create only one job.
  /// - Returns: the job. It is saved in the queue, and its books are awaited, if necessary by the next process. Nil if the scan needs no job, because
  ///   it has been read on this machine or put off meanwhile.
  func submit(
    _ submission: Submission, idempotencyKey: String
  ) async throws(BackendError) -> QueuedScan.Job?

  /// Waits for the books of a job.
  /// - Parameters:
  ///   - scan: the scan of the job, perhaps from an earlier run. The ids of findings are derived from it, so that they are equal each time the
  ///     job is followed.
  ///   - report: called for progress and for each book when it is found, in any order.
  func follow(
    _ job: QueuedScan.Job, of scan: UUID, report: @escaping @Sendable (JobProgress) -> Void
  ) async throws(BackendError) -> [Finding]

  /// Asks the backend to delete the job and its image. A job that the backend does not know is not an error.
  func cleanUp(_ jobID: String) async throws(BackendError)
}

/// The progress of a job.
public enum JobProgress: Sendable, Equatable {
  /// The present stage, and its completed fraction, 0 to 1, if known.
  case working(stage: String, fraction: Double?)
  /// A book that was just found. ``Backend/follow(_:of:report:)`` returns it too.
  case found(Finding)
}

/// A failure of a backend, in one sentence for a person.
public struct BackendError: Error, Equatable, CustomStringConvertible {
  /// The kind of failure, which determines what the uploader does.
  public enum Kind: Sendable, Equatable {
    /// The backend cannot be reached, or not safely. The uploader waits.
    case offline
    /// The backend answers but cannot work now: a status such as 503, silence, or an invalid answer. The uploader waits, at least for the seconds
    /// given. `endsJob`: only another job can succeed.
    case unavailable(endsJob: Bool, for: TimeInterval?)
    /// The backend accepts nothing for this number of seconds (429).
    case limited(for: TimeInterval)
    /// The backend failed this scan but may succeed later; the scan is given up after a few tries. `endsJob`: only another job can succeed.
    case failed(endsJob: Bool)
    /// Nothing failed, but the job is no longer useful. A new job is created at once.
    case superseded
    /// The backend will never accept this scan.
    case rejected
    /// The work was cancelled on our side.
    case cancelled
  }

  /// The kind of failure. Programs should decide by it.
  public let kind: Kind
  public let description: String

  /// Creates an error for your own ``Backend``.
  /// - Parameter description: one sentence for a person, stored as the scan's `failure`.
  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
