public import FoundationEssentials
public import Library
import Log

/// What an uploader tells a program that watches it. Delivery does not depend on anybody watching.
public enum UploaderEvent: Sendable, Equatable {
  /// The scan is being handed to the backend.
  case uploading(UUID)
  /// The backend has a job for it. Not told of a scan that is done at once.
  case uploaded(UUID)
  /// The backend tells how far the job is, or of a book.
  case progress(UUID, JobProgress)
  /// The books of the scan are in the library, and its image is deleted.
  case delivered(UUID, [Book])
  /// The scan failed for this reason, and will be tried again at that time.
  case postponed(UUID, until: Date, reason: String)
  /// The scan was given up on, for this reason. It stays in the queue until it is retried or dropped.
  case failed(UUID, reason: String)
  /// Somebody has taken the scan out of the queue while it was under way.
  case dropped(UUID)
  /// The backend accepts no scans before that time. A program should disable its shutter and count down.
  case limited(until: Date)
  /// The backend accepts scans again.
  case unlimited
  /// The backend cannot be reached; scans wait in the queue.
  case offline(reason: String)
  /// The backend can be reached again.
  case online
  /// The backend has removed the images of the job, or was asked in vain for the last time.
  case cleanedUp(jobID: String)
  /// The store cannot be written, for this reason. The uploader tries again.
  case storageTrouble(reason: String)
}

/// Tells whoever watches, and the log.
struct LoggedEvents: Sendable {
  let watcher: AsyncStream<UploaderEvent>.Continuation

  func yield(_ event: UploaderEvent) {
    Log.queue.info(event.summary)
    watcher.yield(event)
  }

  func finish() { watcher.finish() }
}

extension UploaderEvent {
  /// For the log, in which the titles of a user's books have no business.
  fileprivate var summary: String {
    if case .delivered(let scan, let books) = self {
      return "scan \(scan) is delivered: \(books.count) books"
    }
    if case .progress(let scan, .found) = self { return "scan \(scan) has another book" }
    return "\(self)"
  }
}
