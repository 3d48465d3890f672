import CYUV
import Glibc

/// Converts any format to any raw format at full size. Y′CbCr stays Y′CbCr, with 8 bits in between; 10 bits become RGB with full
/// precision. One thread at a time.
public struct ImageConverter {
  private let pool: PixelBufferPool
  private let loader: PlanarLoader
  private let transform = PlanarTransform()
  private let scratch = Scratch()
  private let rgbScratch = Scratch()
  private let rows = Scratch()
  private let deinterlacer = Deinterlacer()

  /// Creates a converter. It keeps its own working memory, so use one for each thread.
  /// - Parameters:
  ///   - pool: the pool for the resulting pictures.
  ///   - damage: the handling of a damaged JPEG picture; the default is for files.
  public init(pool: PixelBufferPool, damage: DamagePolicy = .keep) {
    self.pool = pool
    loader = PlanarLoader(damage: damage)
  }

  /// - Parameters:
  ///   - pixelFormat: any except `mjpeg`.
  ///   - color: the colour description of the result; for RGB only the range matters, and the matrix is merely recorded.
  /// - Returns: the image itself if it already has the requested format.
  /// - Throws: `unsupported` for `mjpeg`; the errors of decoding for a damaged picture.
  public func convert(
    _ image: PixelBuffer, to pixelFormat: PixelFormat, color: ColorDescription
  ) throws(ImageError) -> PixelBuffer {
    let image = try deinterlacer.progressive(image)
    try image.checkPlanes()
    let (isRGB, own) = (image.format.pixelFormat.carriesRGB, image.format.color)
    if image.format.pixelFormat == pixelFormat, isRGB ? own.range == color.range : own == color {
      return image
    }
    guard !pixelFormat.isCompressed else {
      throw .unsupported(what: "a conversion to compressed frames", remedy: "use the photo pipeline")
    }
    if pixelFormat == .bgra || pixelFormat == .rgba {
      return try convertToRGB(image, pixelFormat, color: color)
    }
    if pixelFormat.carriesRGB {
      let pixels = try convertToRGB(image, .bgra, color: color)
      let result = try makeBuffer(pixelFormat, pixels.format.size, color: color)
      result.pack(pixels)
      return result
    }
    let planar = isRGB ? try separate(image, color) : try loader.load(image).image
    let result = try makeBuffer(pixelFormat, planar.size, color: color)
    try pack(planar, color, into: result)
    return result
  }

  private func convertToRGB(
    _ image: PixelBuffer, _ pixelFormat: PixelFormat, color: ColorDescription
  ) throws(ImageError) -> PixelBuffer {
    var size = image.format.size
    let result: PixelBuffer
    // Y′CbCr codes are converted to full-range RGB.
    var range = ColorRange.full
    switch image.format.pixelFormat {
    case let format where format.carriesRGB:
      range = image.format.color.range
      result = try makeBuffer(pixelFormat, size, color: color)
      image.writePacked(AspectFill.Region(x: 0, y: 0, size: size), into: result.packed)
    case .p010, .y210:
      result = try makeBuffer(pixelFormat, size, color: color)
      let whole = AspectFill.Region(x: 0, y: 0, size: size)
      try TenBitRGB(image.format.color, rows: rows).write(image, whole, pixels: result.packed)
    default:
      let planar = try loader.load(image).image
      size = planar.size
      result = try makeBuffer(pixelFormat, size, color: color)
      try planar.writeRGB(result.packed, rows: rows)
    }
    RGBRange.change(from: range, to: color.range)?.apply(to: result.packed, size)
    return result
  }

  private func makeBuffer(
    _ pixelFormat: PixelFormat, _ size: PixelSize, color: ColorDescription
  ) throws(ImageError) -> PixelBuffer {
    try pool.makeBuffer(ImageFormat(pixelFormat: pixelFormat, size: size, color: color))
  }

  private func separate(_ image: PixelBuffer, _ color: ColorDescription) throws(ImageError) -> PlanarImage {
    let planar = try scratch.planar(image.format.size, .s444, color: color)
    let matrix = CodesFromRGB(color)
    let pixels = try rgbScratch.full(image)
    for row in 0..<planar.size.height {
      matrix.row(
        pixels.row(row), isRGBA: image.format.pixelFormat == .rgba, width: planar.size.width,
        luma: planar.planes[0].row(row), cb: planar.planes[1].row(row), cr: planar.planes[2].row(row))
    }
    return planar
  }

  /// Converts sampling and colour to those of `result`, and lays out the samples in its format.
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
    planar = try transform.recolored(planar, to: color)
    planar.pack(into: result)
  }

  private func withNeutralChroma(
    _ image: PlanarImage, _ sampling: ChromaSampling
  ) throws(ImageError) -> PlanarImage {
    let result = try scratch.planar(image.size, sampling, color: image.color)
    turn(image.planes[0], image.size, orientation: .upright, into: result.planes[0])
    for plane in result.planes.dropFirst() { memset(plane.base, 128, plane.byteCount) }
    return result
  }
}
