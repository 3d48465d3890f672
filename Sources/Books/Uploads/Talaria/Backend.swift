public import FoundationEssentials
public import Library

/// Who turns a submission into books: another machine with a job, or this one at once. `TalariaClient` is the one over the network.
public protocol Backend: Sendable {
  /// Hands the submission over. Under one idempotency key there is one job, however often this is called.
  func submit(_ submission: Submission, idempotencyKey: String) async throws(BackendError) -> BackendAnswer

  /// Waits for the books of a job.
  /// - Parameters:
  ///   - scan: whose job it is, perhaps since an earlier run. Ids of findings are made of it, so that they are the same however often
  ///     the job is followed.
  ///   - report: told of progress and of each book as it comes, in any order.
  func follow(
    _ job: QueuedScan.Job, of scan: UUID, report: @escaping @Sendable (JobProgress) -> Void
  ) async throws(BackendError) -> [Finding]

  /// Has the backend forget the job and its image. A job it does not know is fine.
  func cleanUp(_ jobID: String) async throws(BackendError)
}

/// What a backend answers to a submission.
public enum BackendAnswer: Sendable, Equatable {
  /// It works on it. The job is noted in the queue, and its books are waited for, by the next process if need be.
  case accepted(QueuedScan.Job)
  /// It is done. There is no job, and nothing to clean up; a process that ends before the books are in the library hands the submission over
  /// again.
  case finished([Finding])
}

/// How a job is getting on.
public enum JobProgress: Sendable, Equatable {
  /// What is being done, and how much of it, 0 to 1, when known.
  case working(stage: String, fraction: Double?)
  /// A book, as soon as it is known. The books that ``Backend/follow(_:of:report:)`` returns have it too.
  case found(Finding)
}

/// Why a backend did not do its part, in one sentence for a person.
public struct BackendError: Error, Equatable, CustomStringConvertible {
  /// What the uploader does about it.
  public enum Kind: Sendable, Equatable {
    /// It cannot be reached, or not safely. Waited out.
    case offline
    /// It is there and cannot serve now: a status like 503, silence, an answer that is none. Waited out, for the seconds it names
    /// at least. `endsJob`: only another job can succeed.
    case unavailable(endsJob: Bool, for: TimeInterval?)
    /// It wants nothing for so many seconds (429).
    case limited(for: TimeInterval)
    /// It failed this scan and may not the next time; given up on after a few times. `endsJob`: only another job can succeed.
    case failed(endsJob: Bool)
    /// Nothing failed, but the job is of no more use: another is made at once.
    case superseded
    /// It will never take this scan.
    case rejected
    /// The process that read the scan ended over it, and another may. It is tried once more, whatever happens to us between.
    case died
    /// We stopped it.
    case cancelled
  }

  /// Decide by this.
  public let kind: Kind
  public let description: String

  /// What your own ``Backend`` throws.
  /// - Parameter description: one sentence for a person; it is kept as the scan's `failure`.
  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
