import Capture
import Imagery

/// A photo path whose photos have the right size but damaged content.
struct SpoilingPipeline: PhotoProcessing {
  enum Damage {
    /// Uniform grey.
    case blank
    /// Half the resolution: scaled to half the size and back.
    case soft
    /// Cb and Cr exchanged.
    case swappedChroma
  }

  let damage: Damage
  private let pipeline = PhotoPipeline()
  private let renderer = PreviewRenderer()
  private let pool = PixelBufferPool()

  init(_ damage: Damage) { self.damage = damage }

  func process(
    _ image: PixelBuffer, orientation: Orientation, settings: PhotoSettings
  ) throws(ImageError) -> Photo {
    let planar = try ImageConverter(pool: pool).convert(image, to: .i420, color: .jpeg)
    let spoiled =
      switch damage {
      case .blank: try blank(planar.format)
      case .soft: try soft(planar, orientation, settings: settings)
      case .swappedChroma: swapped(planar)
      }
    return try withExtendedLifetime(planar) { () throws(ImageError) in
      try pipeline.process(spoiled, orientation: orientation, settings: settings)
    }
  }

  private func blank(_ format: ImageFormat) throws(ImageError) -> PixelBuffer {
    let picture = try pool.makeBuffer(format)
    for plane in picture.planes {
      plane.base.initializeMemory(as: UInt8.self, repeating: 128, count: plane.byteCount)
    }
    return picture
  }

  private func soft(
    _ image: PixelBuffer, _ orientation: Orientation, settings: PhotoSettings
  ) throws(ImageError) -> PixelBuffer {
    let upright = try settings.targetSize(for: orientation.applied(to: image.format.size))
    let size = orientation.inverse.applied(to: upright)
    let small = try surface(PixelSize(width: max(1, size.width / 2), height: max(1, size.height / 2)))
    try renderer.render(image, orientation: .upright, into: small)
    let large = try surface(size)
    try renderer.render(small, orientation: .upright, into: large)
    return large
  }

  private func surface(_ size: PixelSize) throws(ImageError) -> PixelBuffer {
    try pool.makeBuffer(ImageFormat(pixelFormat: .bgra, size: size, color: .jpeg))
  }

  private func swapped(_ image: PixelBuffer) -> PixelBuffer {
    let planes = image.planes
    return PixelBuffer(format: image.format, planes: [planes[0], planes[2], planes[1]], lender: nil)
  }
}
