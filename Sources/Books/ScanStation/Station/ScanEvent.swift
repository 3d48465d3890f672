public import BookScan
public import Capture
public import FoundationEssentials
public import Library
import System
public import Uploads

/// A photo that was taken and is on disk.
public struct AcceptedScan: Sendable, Equatable {
  /// The key of the scan, in the queue and in every later event.
  public var key: UUID
  /// The number in this session, from 1.
  public var number: Int
  /// The size of the picture on disk.
  public var bytes: Int
  /// The time from the press of the shutter until the picture was on disk.
  public var acceptTime: Duration
}

/// A book found in one photo.
public struct FoundSpine: Sendable, Equatable, Identifiable {
  /// The id of the finding, the same in the library and after a restart.
  public var id: Finding.ID
  /// The title as read, or as the backend names it. Empty if only the barcode was read.
  public var title: String
  /// The author. Empty if unknown.
  public var author: String
  /// The ISBN, thirteen digits. Nil if unknown.
  public var isbn: String?
  /// The confidence, 0…1. Nil if the backend gives none.
  public var confidence: Double?
  /// The certainty of this sighting. Nil if a backend has named the book.
  public var certainty: Certainty?
  /// The id of the physical book, the same in every photo that shows it and after restarts. Two copies of one title have two ids.
  public var spine: Spine.ID
  /// The number of the physical book, for a person. It may differ after a restart.
  public var copy: Int
  /// Whether no earlier photo showed this book.
  public var isNew: Bool
}

/// An event of a station.
public enum ScanEvent: Sendable {
  /// The state of the camera's session has changed.
  case session(SessionState)
  /// A photo is on disk and will not be lost.
  case accepted(AcceptedScan)
  /// The picture shows the same as an earlier photo, whose key is given; it was not taken again.
  case sameAs(UUID)
  /// The shutter was pressed, but no photo was taken, for this reason.
  case refused(String)
  /// This way begins to read a scan.
  case began(UUID, RecognitionWay)
  /// The picture of a scan is sent at this size, chosen by its legible text. Sent once for each scan.
  case sized(UUID, SentPicture)
  /// The progress of the backend with a scan or with a book of it.
  case progress(UUID, JobProgress)
  /// A way failed or was slow, and the next one is tried.
  case fellBack(Fallback)
  /// The books of a scan were found. They are not in the library yet.
  case found(UUID, [FoundSpine])
  /// The books of the scan are in the library, `time` after the press of the shutter. The time is nil for a scan of an earlier session.
  case delivered(UUID, [Book], by: RecognitionWay?, time: Duration?)
  /// A scan is tried again at this time, for this reason.
  case postponed(UUID, until: Date, reason: String)
  /// A scan was given up, for this reason, until somebody retries or drops it.
  case failed(UUID, reason: String)
  /// The backend accepts no scans before this time; until then the shutter is disabled.
  case limited(until: Date)
  /// The backend accepts scans again; photos may be taken.
  case unlimited
  /// The backend cannot be reached, for this reason. Sent once for each outage.
  case unreachable(reason: String)
  /// The backend can be reached again.
  case reached
  /// The library cannot be written, for this reason; the write is tried again.
  case storageTrouble(reason: String)
  /// The library is no longer in its place: nothing more can be accepted or delivered.
  case libraryGone(reason: String)
  /// The fate of a photograph in a file. Only a ``PhotographStation`` sends it.
  case photograph(PhotographNews)
}
