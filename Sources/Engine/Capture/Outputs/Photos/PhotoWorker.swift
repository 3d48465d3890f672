import Glibc
import Imagery
import System

/// The work of one thread that makes photos.
///
/// `@unchecked Sendable`: created before the thread begins, then used by that thread alone.
final class PhotoWorker: @unchecked Sendable {
  private let processor: any PhotoProcessing
  private let clock: any CaptureClock
  private let wallTime: @Sendable () -> Int64?
  private let pool = PixelBufferPool()

  /// - Parameter wallTime: nanoseconds since 1970 began in UTC; nil if the time cannot be represented.
  init(
    processor: any PhotoProcessing, clock: any CaptureClock, wallTime: @escaping @Sendable () -> Int64?
  ) {
    self.processor = processor
    self.clock = clock
    self.wallTime = wallTime
  }

  /// - Throws: an error if the photo cannot be made.
  func develop(_ frame: Frame, _ request: PhotoRequest) throws(ImageError) -> CapturedPhoto {
    let photo = try processor.process(
      frame.image, orientation: frame.orientation.capture,
      settings: completed(request.settings, frame, camera: request.camera))
    return CapturedPhoto(
      photo: photo, frame: FrameFacts(frame), requestedTime: request.pressed,
      finishedTime: clock.now())
  }

  /// Called when no more photos are needed for now.
  func rest() { processor.rest() }

  /// Copies the frame into memory of the pool, so that the camera gets its buffer back.
  func copied(_ frame: Frame) throws(ImageError) -> Frame {
    Frame(
      image: try pool.makeCopy(of: frame.image), sequence: frame.sequence, exposureTime: frame.exposureTime,
      exposureEdge: frame.exposureEdge, arrivalTime: frame.arrivalTime, orientation: frame.orientation,
      settings: frame.settings)
  }

  /// The settings of the request, completed by those of the frame: zoom and bias that the outputs apply, and metadata.
  private func completed(
    _ wanted: PhotoSettings, _ frame: Frame, camera: CameraDescription?
  ) -> PhotoSettings {
    var settings = wanted
    // The crop of a picture is limited, whatever is requested.
    settings.zoom = min(max(settings.zoom, 1) * frame.settings.digitalZoom, ControlOffer.mostDigitalZoom)
    settings.exposureBias += frame.settings.digitalExposureBias
    if settings.writesMetadata, settings.metadata == nil {
      let age = clock.now() - frame.exposureTime
      settings.metadata = PhotoMetadata(
        frame.settings, zoom: settings.zoom, softwareBias: settings.exposureBias, camera: camera,
        time: wallTime().flatMap { now in
          let (then, overflow) = now.subtractingReportingOverflow(age.nanoseconds)
          return overflow ? nil : CivilTime(unixNanoseconds: then)
        })
    }
    return settings
  }

  /// The time of `CLOCK_REALTIME`; nil after the year 2262.
  static func systemWallTime() -> Int64? {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let (whole, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflowOfSum) = whole.addingReportingOverflow(Int64(time.tv_nsec))
    return overflow || overflowOfSum ? nil : sum
  }
}

extension PhotoMetadata {
  /// Creates the metadata that a session knows of a photo.
  /// - Parameters:
  ///   - zoom: the crop of the picture.
  ///   - softwareBias: EV that were added to the picture.
  init(
    _ frame: FrameSettings, zoom: Double, softwareBias: Double, camera: CameraDescription?, time: CivilTime?
  ) {
    self.init()
    self.time = time
    // A replayed recording is not a camera, and its name is a file name.
    if let camera, camera.kind.rawValue != "replay" { (make, model) = (camera.maker, camera.name) }
    exposureDuration = frame.exposureDuration
    iso = frame.iso
    exposureBias = frame.exposureBias
    if softwareBias != 0, softwareBias.isFinite { exposureBias = (frame.exposureBias ?? 0) + softwareBias }
    if zoom > 1 { digitalZoom = zoom }
  }
}
