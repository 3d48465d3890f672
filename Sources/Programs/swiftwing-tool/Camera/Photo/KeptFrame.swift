import Capture
import Imagery
import System

/// Makes a camera's photos as always, and keeps the last frame with its settings: how large its photo should be is found out when the camera
/// has its buffer back.
///
/// `@unchecked Sendable`: the pipeline is used by the photo output's thread alone, and what is kept is behind a lock.
final class KeptFrame: PhotoProcessing, @unchecked Sendable {
  struct Picture: Sendable {
    var image: PixelBuffer
    var orientation: Orientation
    var settings: PhotoSettings
  }

  private let pipeline = PhotoPipeline(damage: .refuse)
  private let pool = PixelBufferPool()
  private let kept: Locked<Picture?>

  init(_ kept: Locked<Picture?>) { self.kept = kept }

  func process(
    _ image: PixelBuffer, orientation: Orientation, settings: PhotoSettings
  ) throws(ImageError) -> Photo {
    let copy = try pool.makeCopy(of: image)
    kept.withLock { $0 = Picture(image: copy, orientation: orientation, settings: settings) }
    return try pipeline.process(image, orientation: orientation, settings: settings)
  }

  func rest() { pipeline.rest() }
}
