public import BookScan
public import Capture
public import FoundationEssentials
public import Library
import System
public import Uploads

/// A photo that was taken and will not be lost.
public struct AcceptedScan: Sendable, Equatable {
  /// Names the scan in every later event, and in the queue.
  public var key: UUID
  /// Counts from 1 in this session.
  public var number: Int
  /// Of the picture on disk.
  public var bytes: Int
  /// From the press of the shutter until it was on disk.
  public var acceptTime: Duration
}

/// A book as it was found in one photo.
public struct FoundSpine: Sendable, Equatable, Identifiable {
  /// The id of the finding. It is the same in the library and after a restart.
  public var id: Finding.ID
  /// As it was read, or as the backend names it; empty for a book of which only the barcode was read.
  public var title: String
  /// Empty when unknown.
  public var author: String
  /// Thirteen digits; nil when unknown.
  public var isbn: String?
  /// 0…1; nil when the backend does not say.
  public var confidence: Double?
  /// What it is taken for in this photo; nil when a backend has named it.
  public var certainty: Certainty?
  /// The physical book, the same in every photo that shows it and through restarts; two copies of one title are two.
  public var spine: Spine.ID
  /// A number of the physical book, for a person. After a restart it may be another.
  public var copy: Int
  /// Whether no earlier photo showed this book.
  public var isNew: Bool
}

/// What a station tells a program that watches it.
public enum ScanEvent: Sendable {
  /// The camera's session is in another state.
  case session(SessionState)
  /// A photo is on disk; it will not be lost.
  case accepted(AcceptedScan)
  /// The picture shows what an earlier photo did; it was not taken again.
  case sameAs(UUID)
  /// The shutter was pressed, and no photo was taken, for this reason.
  case refused(String)
  /// A scan is being read by this way.
  case began(UUID, RecognitionWay)
  /// The picture of a scan is sent at this size, which was chosen by what can be read in it. Told once for each scan.
  case sized(UUID, SentPicture)
  /// How far the backend is with a scan, or a book of it.
  case progress(UUID, JobProgress)
  /// A way failed or was slow, and the next has its turn.
  case fellBack(Fallback)
  /// The books of a scan, before they are in the library.
  case found(UUID, [FoundSpine])
  /// The books of the scan are in the library, `time` after the shutter was pressed; nil for a scan of an earlier session.
  case delivered(UUID, [Book], by: RecognitionWay?, time: Duration?)
  /// A scan is tried again then, and why.
  case postponed(UUID, until: Date, reason: String)
  /// A scan is given up on until somebody retries or drops it, and why.
  case failed(UUID, reason: String)
  /// The backend accepts no scans before that time; the shutter is disabled until then.
  case limited(until: Date)
  /// The pause is over; photos may be taken again.
  case unlimited
  /// The backend cannot be reached, and why. Told once for each outage.
  case unreachable(reason: String)
  /// The backend answers again.
  case reached
  /// The library cannot be written, and why; it is tried again.
  case storageTrouble(reason: String)
  /// The library is no longer where it was opened: nothing more can be accepted or delivered.
  case libraryGone(reason: String)
  /// What becomes of a photograph in a file. Only a ``PhotographStation`` tells it.
  case photograph(PhotographNews)
}
