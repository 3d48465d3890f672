/// Any picture → the three 8-bit planes that a video encoder takes: turned, in one colour description, with even sides. One thread at a
/// time; the result is valid until the next call and while the source is held.
package final class PlaneConverter {
  /// How often chroma is sampled.
  package enum Sampling: Sendable {
    /// Half as often across and down.
    case s420
    /// Half as often across.
    case s422
  }

  private let loader = PlanarLoader(damage: .refuse)
  private let transform = PlanarTransform()
  private let colorless = Scratch()
  /// Keeps the memory of what it made, in which the result may lie.
  private let deinterlacer = Deinterlacer()

  package init() {}

  /// What a format's chroma becomes where nothing of it is to be lost; of more than 4:2:2 half is.
  package static func sampling(of pixelFormat: PixelFormat) -> Sampling {
    pixelFormat.sampling == .s422 ? .s422 : .s420
  }

  /// The size of the pixels as they are stored: a compressed frame's own header outranks what the device announced.
  package static func storedSize(of image: PixelBuffer) throws(ImageError) -> PixelSize {
    try image.checkPlanes()
    return image.format.pixelFormat.isCompressed
      ? try JPEGHeader(image).size : image.format.size
  }

  /// The size of what `convert` makes: encoders of 4:2:0 take no odd one, so the last row or column is left out.
  package static func evenSize(_ size: PixelSize) -> PixelSize {
    PixelSize(width: max(2, size.width & ~1), height: max(2, size.height & ~1))
  }

  /// - Parameters:
  ///   - orientation: stored pixels → pixels of the result.
  ///   - color: of the result.
  /// - Returns: I420 or I422.
  /// - Throws: `tooLarge` under two pixels a side; as decoding does for a damaged picture.
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

  /// The luma where it is, with chroma that is grey.
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
