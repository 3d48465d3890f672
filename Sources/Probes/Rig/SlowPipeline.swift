import Capture
import Imagery

/// A photo path that takes more of its own processor time for each photo.
struct SlowPipeline: PhotoProcessing {
  let base: any PhotoProcessing
  let percent: Int

  func process(
    _ image: PixelBuffer, orientation: Orientation, settings: PhotoSettings
  ) throws(ImageError) -> Photo {
    let began = ProcessorTime.ofThread()
    var photo = try base.process(image, orientation: orientation, settings: settings)
    let (used, done) = (ProcessorTime.ofThread() - began, MonotonicTime.now())
    ProcessorBurn.take(percent, since: began)
    photo.timings.processor += ProcessorTime.ofThread() - began - used
    photo.timings.encode += MonotonicTime.now() - done
    return photo
  }
}
