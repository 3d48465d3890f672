/// Converts any picture to the three 8-bit planes that a video encoder needs: turned, in one colour description, with even sides. One thread at a
/// time; the result is valid until the next call and while the source is held.
package final class PlaneConverter {
  package enum Sampling: Sendable {
    /// Half horizontally and vertically.
    case s420
    /// Half horizontally.
    case s422
  }

  private let loader = PlanarLoader(damage: .refuse)
  private let transform = PlanarTransform()
  private let colorless = Scratch()
  /// Keeps the memory of its pictures, which the result may refer to.
  private let deinterlacer = Deinterlacer()

  package init() {}

  /// The sampling for a format: 4:2:2 for 4:2:2, otherwise 4:2:0, so that 4:4:4 and RGB lose chroma.
  package static func sampling(of pixelFormat: PixelFormat) -> Sampling {
    pixelFormat.sampling == .s422 ? .s422 : .s420
  }

  /// The size of the stored pixels: a compressed frame's own header takes precedence over the announced size.
  package static func storedSize(of image: PixelBuffer) throws(ImageError) -> PixelSize {
    try image.checkPlanes()
    return image.format.pixelFormat.isCompressed
      ? try JPEGHeader(image).size : image.format.size
  }

  /// The size of the result of `convert`. 4:2:0 encoders need even sides, so an odd last row or column is dropped.
  package static func evenSize(_ size: PixelSize) -> PixelSize {
    PixelSize(width: max(2, size.width & ~1), height: max(2, size.height & ~1))
  }

  /// - Parameters:
  ///   - orientation: the orientation to apply to the stored pixels.
  ///   - color: the colour description of the result.
  /// - Returns: a picture in I420 or I422.
  /// - Throws: `tooLarge` for less than two pixels a side; the errors of decoding for a damaged picture.
  package func convert(
    _ image: PixelBuffer, orientation: Orientation, sampling: Sampling, color: ColorDescription
  ) throws(ImageError) -> PixelBuffer {
    let image = try deinterlacer.progressive(image)
    var (planar, _) = try loader.load(image)
    guard planar.size.shortSide >= 2 else {
      throw .tooLarge(what: "a picture of \(planar.size) pixels", limit: "at least 2 pixels a side")
    }
    planar.size = Self.evenSize(planar.size)
    let wanted: ChromaSampling = sampling == .s420 ? .s420 : .s422
    if orientation != .upright || (planar.sampling != wanted && !planar.sampling.isMonochrome) {
      planar = try transform.apply(planar, size: planar.size, sampling: wanted, orientation: orientation)
    }
    planar = try transform.recolored(planar, to: color)
    if planar.sampling.isMonochrome { planar = try withoutColor(planar, wanted) }
    let pixelFormat: PixelFormat = sampling == .s420 ? .i420 : .i422
    return PixelBuffer(
      format: ImageFormat(pixelFormat: pixelFormat, size: planar.size, color: color),
      planes: Array(planar.planes), lender: nil)
  }

  /// Planes with the luma in place and grey chroma.
  private func withoutColor(
    _ image: PlanarImage, _ sampling: ChromaSampling
  ) throws(ImageError) -> PlanarImage {
    let size = sampling.chromaSize(image.size)
    let bytesPerRow = size.width.aligned(to: 64)
    let base = try colorless.reserve(bytesPerRow * size.height)
    base.initializeMemory(as: UInt8.self, repeating: 128, count: bytesPerRow * size.height)
    let chroma = Plane(base: base, bytesPerRow: bytesPerRow, height: size.height)
    return PlanarImage(
      size: image.size, sampling: sampling, color: image.color,
      planes: Planes(image.planes[0], chroma, cr: chroma))
  }
}
