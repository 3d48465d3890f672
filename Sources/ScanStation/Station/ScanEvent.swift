public import Capture
public import Delivery
public import FoundationEssentials

/// A photo that was taken and will not be lost.
public struct AcceptedScan: Sendable, Equatable {
  public var key: UUID
  /// Counts from 1 in this session.
  public var number: Int
  public var bytes: Int
  /// From the press of the shutter until it was on disk.
  public var acceptTime: Duration
}

/// A book as it was found in one photo.
public struct FoundSpine: Sendable, Equatable, Identifiable {
  /// The id of the finding. It is the same in the library and after a restart.
  public var id: Finding.ID
  public var title: String
  public var author: String
  public var isbn: String?
  /// 0…1; nil when the backend does not say.
  public var confidence: Double?
  /// The physical book, the same in every photo that shows it and through restarts; two copies of one title are two.
  public var spine: Spine.ID
  /// A number of the physical book, for a person. After a restart it may be another.
  public var copy: Int
  /// Whether no earlier photo showed this book.
  public var isNew: Bool
}

/// What a station tells a program that watches it.
public enum ScanEvent: Sendable {
  case session(SessionState)
  case accepted(AcceptedScan)
  /// The picture shows what an earlier photo did; it was not taken again.
  case sameAs(UUID)
  /// The shutter was pressed, and no photo was taken, for this reason.
  case refused(String)
  case began(UUID, RecognitionWay)
  case progress(UUID, JobProgress)
  case fellBack(Fallback)
  case found(UUID, [FoundSpine])
  /// The books of the scan are in the library, `time` after the shutter was pressed; nil for a scan of an earlier session.
  case delivered(UUID, [Book], by: RecognitionWay?, time: Duration?)
  case postponed(UUID, until: Date, reason: String)
  case failed(UUID, reason: String)
  /// The backend accepts no scans before that time; the shutter is disabled until then.
  case limited(until: Date)
  case unlimited
  case unreachable(reason: String)
  case reached
  case storageTrouble(reason: String)
  /// The library is no longer where it was opened: nothing more can be accepted or delivered.
  case libraryGone(reason: String)
}
