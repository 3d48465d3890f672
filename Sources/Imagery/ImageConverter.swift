import CYUV
import Glibc

/// Any format → any raw format, at full size. Y′CbCr stays Y′CbCr, at 8 bits in between; 10 bits become RGB at full
/// precision. One thread at a time.
public struct ImageConverter {
  private let pool: PixelBufferPool
  private let loader = PlanarLoader()
  private let transform = PlanarTransform()
  private let scratch = Scratch()
  private let recolorScratch = Scratch()

  public init(pool: PixelBufferPool) { self.pool = pool }

  /// - Parameters:
  ///   - pixelFormat: any but `mjpeg`.
  ///   - color: of the result's codes; it says nothing about RGB pixels and is only recorded there.
  /// - Returns: the image itself when it already is what is asked for.
  /// - Throws: `unsupported` for `mjpeg`; as decoding does for a damaged picture.
  public func convert(
    _ image: PixelBuffer, to pixelFormat: PixelFormat, color: ColorDescription
  ) throws(ImageError) -> PixelBuffer {
    try image.checkPlanes()
    let isRGB = image.format.pixelFormat.isRGB
    if image.format.pixelFormat == pixelFormat, isRGB || image.format.color == color { return image }
    guard !pixelFormat.isCompressed else {
      throw .unsupported(what: "a conversion to compressed frames", remedy: "use the photo pipeline")
    }
    if isRGB, pixelFormat.isRGB {
      let result = try makeBuffer(pixelFormat, image.format.size, color)
      copyPacked(image.planes[0], swapping: true, image.format.size, into: result.packed)
      return result
    }
    if pixelFormat.isRGB, image.format.pixelFormat == .p010 || image.format.pixelFormat == .y210 {
      let result = try makeBuffer(pixelFormat, image.format.size, color)
      let whole = AspectFill.Region(x: 0, y: 0, size: image.format.size)
      TenBitRGB(image.format.color).write(image, whole, result.packed)
      return result
    }
    let planar = isRGB ? try separate(image, color) : try loader.load(image).image
    let result = try makeBuffer(pixelFormat, planar.size, color)
    if pixelFormat.isRGB {
      planar.writeRGB(result.packed)
    } else {
      try pack(planar, color, into: result)
    }
    return result
  }

  private func makeBuffer(
    _ pixelFormat: PixelFormat, _ size: PixelSize, _ color: ColorDescription
  ) throws(ImageError) -> PixelBuffer {
    try pool.makeBuffer(ImageFormat(pixelFormat: pixelFormat, size: size, color: color))
  }

  private func separate(_ image: PixelBuffer, _ color: ColorDescription) throws(ImageError) -> PlanarImage {
    let planar = try scratch.planar(image.format.size, .s444, color)
    let matrix = CodesFromRGB(color)
    for row in 0..<planar.size.height {
      matrix.row(
        image.planes[0].row(row), isRGBA: image.format.pixelFormat == .rgba, width: planar.size.width,
        luma: planar.planes[0].row(row), cb: planar.planes[1].row(row), cr: planar.planes[2].row(row))
    }
    return planar
  }

  /// Brings sampling and colour to those of `result` and lays the samples out as its format does.
  private func pack(
    _ planar: PlanarImage, _ color: ColorDescription, into result: PixelBuffer
  ) throws(ImageError) {
    var planar = planar
    let sampling = result.format.pixelFormat.sampling
    if planar.sampling.isMonochrome, !sampling.isMonochrome {
      planar = try withNeutralChroma(planar, sampling)
    } else if planar.sampling != sampling, !sampling.isMonochrome {
      planar = try transform.apply(planar, size: planar.size, sampling: sampling, orientation: .upright)
    }
    if planar.color != color { planar = try recolored(planar, color) }
    planar.pack(into: result)
  }

  private func recolored(_ image: PlanarImage, _ color: ColorDescription) throws(ImageError) -> PlanarImage {
    let result = try recolorScratch.planar(image.size, image.sampling, color)
    Recolor(from: image.color, to: color)
      .apply(image, into: result, offsets: try transform.sums(image.size.width + 16))
    return result
  }

  private func withNeutralChroma(
    _ image: PlanarImage, _ sampling: ChromaSampling
  ) throws(ImageError) -> PlanarImage {
    let result = try scratch.planar(image.size, sampling, image.color)
    turn(image.planes[0], image.size, .upright, into: result.planes[0])
    for plane in result.planes.dropFirst() { memset(plane.base, 128, plane.byteCount) }
    return result
  }
}
