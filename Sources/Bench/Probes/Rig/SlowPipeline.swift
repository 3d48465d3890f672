import Capture
import Imagery
import System

/// A photo path that uses more of its own processor time for each photo.
struct SlowPipeline: PhotoProcessing {
  let base: any PhotoProcessing
  let percent: Int
  var burn = ProcessorBurn()

  func process(
    _ image: PixelBuffer, orientation: Orientation, settings: PhotoSettings
  ) throws(ImageError) -> Photo {
    let began = burn.now()
    var photo = try base.process(image, orientation: orientation, settings: settings)
    let (used, done) = (burn.now() - began, MonotonicTime.now())
    burn.take(percent, since: began)
    burn.take(percent, of: photo.timings.helper)
    photo.timings.processor += burn.now() - began - used
    photo.timings.encode += MonotonicTime.now() - done
    return photo
  }

  func rest() { base.rest() }
}
