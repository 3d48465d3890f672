public import FoundationEssentials

/// A scan in the queue. A delivered one is no longer in it.
public struct QueuedScan: Sendable, Equatable, Identifiable {
  /// How far it is.
  public enum State: String, Sendable, Codable {
    /// To be handed to the backend.
    case pending
    /// The backend works on it; its answer is awaited.
    case uploaded
    /// Given up on. It stays in the queue until it is retried or dropped.
    case failed
  }

  /// Where the backend tells of its progress.
  public struct Job: Sendable, Equatable {
    /// As the backend names it.
    public var id: String
    /// The address of its event stream.
    public var streamURL: String

    /// A job, as the answer of a backend names it.
    public init(id: String, streamURL: String) {
      self.id = id
      self.streamURL = streamURL
    }
  }

  public var id: Int64
  /// The submission's.
  public var key: UUID
  /// When the photo was taken, to the millisecond.
  public var capturedAt: Date
  /// `nil` when the scan is text.
  public var mediaType: String?
  /// The submission's, sent along as form fields.
  public var metadata: [String: String]
  /// How far it is.
  public var state: State
  /// Nil while the backend has none of it.
  public var job: Job?
  /// How often the backend has failed this scan; network trouble does not count.
  public var attempts: Int
  /// Jobs that have ended in an error before this one.
  public var generation: Int
  /// Not tried again before, on the time line of the queue (``ScanQueue/time(by:)``).
  public var notBefore: Date
  /// Why it failed last, for a person.
  public var failure: String?

  /// Sent with the upload: the same for every try of one job, another when the backend has given up on a job.
  public var idempotencyKey: String {
    let key = key.uuidString.lowercased()
    return generation == 0 ? key : "\(key).\(generation)"
  }
}
