public import FoundationEssentials

/// A scan in the queue. Delivered scans are no longer in the queue.
public struct QueuedScan: Sendable, Equatable, Identifiable {
  /// The stage of a scan.
  public enum State: String, Sendable, Codable {
    /// The scan waits to be sent to the backend.
    case pending
    /// The backend has accepted the scan; its results are awaited.
    case uploaded
    /// The scan was given up. It stays in the queue until it is retried or dropped.
    case failed
  }

  /// A job of the backend, and the address of its events.
  public struct Job: Sendable, Equatable {
    /// The id, given by the backend.
    public var id: String
    /// The address of the job's event stream.
    public var streamURL: String

    /// Creates a job from the backend's answer.
    public init(id: String, streamURL: String) {
      self.id = id
      self.streamURL = streamURL
    }
  }

  public var id: Int64
  /// The key of the submission.
  public var key: UUID
  /// The time at which the photo was taken, to the millisecond.
  public var capturedAt: Date
  /// The media type of the image. Nil if the scan is text.
  public var mediaType: String?
  /// The metadata of the submission, sent along as form fields.
  public var metadata: [String: String]
  /// The stage of the scan.
  public var state: State
  /// The backend's job. Nil if there is none.
  public var job: Job?
  /// The number of failures of the backend for this scan. Network errors do not count.
  public var attempts: Int
  /// The number of earlier jobs of this scan that ended in an error.
  public var generation: Int
  /// The earliest time of the next try, on the time line of the queue (``ScanQueue/time(by:)``).
  public var notBefore: Date
  /// The last failure, as text for a person.
  public var failure: String?

  /// The idempotency key of the upload. All tries of one job have the same key. After the backend has given up on a job, the next job gets a new
  /// key.
  public var idempotencyKey: String {
    let key = key.uuidString.lowercased()
    return generation == 0 ? key : "\(key).\(generation)"
  }
}
