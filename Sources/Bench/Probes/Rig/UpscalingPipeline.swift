import Capture
import Imagery

/// A photo path that enlarges small pictures, which is forbidden.
struct UpscalingPipeline: PhotoProcessing {
  private let pipeline = PhotoPipeline()
  private let renderer = PreviewRenderer()
  private let pool = PixelBufferPool()

  func process(
    _ image: PixelBuffer, orientation: Orientation, settings: PhotoSettings
  ) throws(ImageError) -> Photo {
    let size = image.format.size
    guard let wanted = settings.longSide, size.longSide < wanted else {
      return try pipeline.process(image, orientation: orientation, settings: settings)
    }
    let scale = Double(wanted) / Double(size.longSide)
    let enlarged = try pool.makeBuffer(
      ImageFormat(
        pixelFormat: .bgra,
        size: PixelSize(
          width: Int(Double(size.width) * scale), height: Int(Double(size.height) * scale)),
        color: ColorDescription(matrix: .bt709, range: .full)))
    try renderer.render(image, orientation: .upright, into: enlarged)
    return try pipeline.process(enlarged, orientation: orientation, settings: settings)
  }
}

/// A photo path without a ceiling for requests of more than 1024 pixels.
struct OversizePipeline: PhotoProcessing {
  private let pipeline = PhotoPipeline()

  func process(
    _ image: PixelBuffer, orientation: Orientation, settings: PhotoSettings
  ) throws(ImageError) -> Photo {
    var settings = settings
    if settings.longSide.map({ $0 > 1024 }) ?? true { settings.maximumLongSide = ImageLimits.side }
    return try pipeline.process(image, orientation: orientation, settings: settings)
  }
}
