public import FoundationEssentials
public import Library
import Log

/// An event of an uploader. Delivery does not depend on whether anybody receives the events.
public enum UploaderEvent: Sendable, Equatable {
  /// The scan is being submitted to the backend.
  case uploading(UUID)
  /// The backend has a job for the scan.
  case uploaded(UUID)
  /// The backend reports the progress of the job, or a book.
  case progress(UUID, JobProgress)
  /// The books of the scan are in the library, and its image is deleted.
  case delivered(UUID, [Book])
  /// The scan failed for this reason, and will be tried again at this time.
  case postponed(UUID, until: Date, reason: String)
  /// The scan was given up, for this reason. It stays in the queue until it is retried or dropped.
  case failed(UUID, reason: String)
  /// The scan was dropped from the queue while it was being processed.
  case dropped(UUID)
  /// The backend accepts no scans before this time. A program should disable its shutter and count down.
  case limited(until: Date)
  /// The backend accepts scans again.
  case unlimited
  /// The backend cannot be reached; scans wait in the queue.
  case offline(reason: String)
  /// The backend can be reached again.
  case online
  /// The backend has cleaned up the job, or the last request to do so has failed.
  case cleanedUp(jobID: String)
  /// The store cannot be written, for this reason. The uploader tries again.
  case storageTrouble(reason: String)
}

/// Sends events to the watcher and to the log.
package struct LoggedEvents: Sendable {
  let watcher: AsyncStream<UploaderEvent>.Continuation

  /// Creates a stream of events for one watcher, in which the latest 1,000 are buffered.
  package static func makeStream() -> (events: AsyncStream<UploaderEvent>, tell: LoggedEvents) {
    let (events, watcher) = AsyncStream.makeStream(
      of: UploaderEvent.self, bufferingPolicy: .bufferingNewest(1000))
    return (events, LoggedEvents(watcher: watcher))
  }

  package func yield(_ event: UploaderEvent) {
    Log.queue.info(event.summary)
    watcher.yield(event)
  }

  func finish() { watcher.finish() }
}

extension UploaderEvent {
  /// A text for the log, which must not contain titles of the user's books.
  package var summary: String {
    if case .delivered(let scan, let books) = self {
      return "scan \(scan) is delivered: \(books.count) books"
    }
    if case .progress(let scan, .found) = self { return "scan \(scan) has another book" }
    return "\(self)"
  }
}
