import Capture
import Imagery
import System

/// Makes a camera's photos as usual, and keeps the last frame with its settings. The size of its photo is chosen later, when the
/// camera has its buffer back.
///
/// `@unchecked Sendable`: only the photo output's thread uses the pipeline, and a lock protects the kept frame.
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
