public import BookScan
import FoundationEssentials
public import Imagery
public import Library
public import Uploads

/// Converts the scans of a station to books, by the first way that works.
///
/// `local` reads the photo on this machine; `hybrid` reads it here and sends the text to the backend; `backend` sends the photo, scaled down. If a
/// way fails or is slow, the next one is tried (`WaySettings`); this is reported and recorded.
public final class Recognition: Sendable {
  let settings: WaySettings
  let remote: (any Backend)?
  let reader: PhotoReader?
  let uploads: UploadPicture
  let clock: any DeliveryClock
  let journal: ScanJournal
  let record: FallbackRecord?
  let routes: Routes

  /// - Parameters:
  ///   - remote: the backend. Nil disables the ways that need it.
  ///   - reader: the reader on this machine. Nil disables the ways that need it.
  ///   - uploads: the limits of an image that is sent.
  ///   - legibility: chooses the size of sent images, in place of `uploads.longSide`; nil, the default, keeps that size. With a solver, photos
  ///     are stored at full size until they are sent, and each costs several readings.
  ///   - journal: receives fallbacks and findings.
  ///   - folder: the folder of the library, where `fallbacks.jsonl` records the fallbacks. Nil records none.
  public init(
    _ settings: WaySettings, remote: (any Backend)?, reader: PhotoReader?,
    uploads: PhotoSettings = PhotoSettings(), legibility: LegibilitySolver? = nil,
    clock: any DeliveryClock = WallClock(), journal: ScanJournal, recordingIn folder: String? = nil
  ) {
    self.settings = settings
    self.remote = remote
    self.reader = reader
    self.uploads = UploadPicture(uploads, solver: legibility)
    self.clock = clock
    self.journal = journal
    record = folder.map { FallbackRecord(folder: $0) }
    let usable = settings.ways.filter {
      switch $0 {
      case .local: reader != nil
      case .hybrid: reader != nil && remote != nil
      case .backend: remote != nil
      }
    }
    routes = Routes(settings: settings, ways: usable)
  }

  /// The ways that are available, in the order in which they are tried.
  public var ways: [RecognitionWay] { routes.ways }

  /// Whether photos are needed at full size: to be read here, or to choose the size that is sent.
  var wantsFullSize: Bool { uploads.choosesSize || ways.contains(where: \.readsHere) }

  /// The settings for taking photos for these ways.
  public var photoSettings: PhotoSettings {
    wantsFullSize
      ? PhotoSettings(
        longSide: nil, maximumLongSide: ImageLimits.side, quality: 95, maximumBytes: nil,
        writesMetadata: false)
      // No metadata: the photo may be sent to a backend, which should not learn its time and camera.
      : PhotoSettings(writesMetadata: false)
  }

  /// Forgets a scan that has left the queue.
  func forget(scan: UUID) {
    routes.forget(scan: scan)
    uploads.forget(scan)
  }
}
