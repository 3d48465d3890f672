public import FoundationEssentials

/// What the courier tells whoever watches. None of it is needed for delivery.
public enum CourierEvent: Sendable, Equatable {
  /// Being handed to the backend.
  case uploading(UUID)
  /// The backend has a job for it. Not told of a scan that is done at once.
  case uploaded(UUID)
  /// The backend tells how far it is, or of a book.
  case progress(UUID, JobProgress)
  /// In the library, the image gone.
  case delivered(UUID, [Book])
  /// To be tried again, and why.
  case postponed(UUID, until: Date, reason: String)
  /// The scan was given up on, for this reason. It stays in the queue until it is retried or dropped.
  case failed(UUID, reason: String)
  /// The backend wants nothing before then: disable the shutter, count down.
  case limited(until: Date)
  /// The pause that `limited` told of is over.
  case unlimited
  /// The backend cannot be reached; scans queue.
  case offline(reason: String)
  /// The backend answers again after `offline`.
  case online
  /// The backend has cleaned up, or never will.
  case cleanedUp(jobID: String)
  /// The store cannot be written, and why; tried again.
  case storageTrouble(reason: String)
}
