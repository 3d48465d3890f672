import Glibc

/// Applies a look to a frame and converts it to the format that a recording needs. 10-bit frames stay at 10 bits. Reusable;
/// owns its working memory; one thread at a time.
public final class LookConverter {
  private let pool: PixelBufferPool
  private let converter: ImageConverter
  private let painter = LookPainter()
  private let (sums, rows) = (Scratch(), Scratch())
  private let deinterlacer = Deinterlacer()

  /// Creates a converter. It keeps its working memory, so use one for each thread.
  /// - Parameters:
  ///   - pool: the pool for the resulting pictures.
  ///   - damage: the handling of a damaged JPEG picture; the default is for frames of a camera.
  public init(pool: PixelBufferPool, damage: DamagePolicy = .refuse) {
    self.pool = pool
    converter = ImageConverter(pool: pool, damage: damage)
  }

  /// - Parameters:
  ///   - image: any format, including compressed ones. It is not written to.
  ///   - pixelFormat: any except `mjpeg`.
  ///   - color: the colour description of the result.
  /// - Returns: a new picture of the frame's size.
  /// - Throws: `unsupported` for `mjpeg`; the errors of decoding for a damaged frame.
  public func convert(
    _ image: PixelBuffer, with look: ColorLookup, to pixelFormat: PixelFormat, color: ColorDescription
  ) throws(ImageError) -> PixelBuffer {
    guard !pixelFormat.isCompressed else {
      throw .unsupported(what: "a conversion to compressed frames", remedy: "use the photo pipeline")
    }
    let image = try deinterlacer.progressive(image)
    try image.checkPlanes()
    if image.format.pixelFormat.isWide, pixelFormat.isWide {
      let result = try pool.makeBuffer(
        ImageFormat(pixelFormat: pixelFormat, size: image.format.size, color: color))
      try WideLook(look, from: image.format.color, to: color, rows: rows)
        .convert(image, into: result, sums: sums)
      return result
    }
    return try converter.convert(try pixels(of: image, with: look), to: pixelFormat, color: color)
  }

  /// The frame as full-range BGRA with the look.
  private func pixels(of image: PixelBuffer, with look: ColorLookup) throws(ImageError) -> PixelBuffer {
    let color = ColorDescription(matrix: image.format.color.matrix, range: .full)
    if image.format.pixelFormat.isWide {
      let result = try pool.makeBuffer(
        ImageFormat(pixelFormat: .bgra, size: image.format.size, color: color))
      let whole = AspectFill.Region(x: 0, y: 0, size: image.format.size)
      try TenBitRGB(image.format.color, look: look, rows: rows).write(image, whole, pixels: result.packed)
      return result
    }
    let given = try converter.convert(image, to: .bgra, color: color)
    let result = given === image ? try copy(given) : given
    painter.apply(look, to: result.packed, result.format.size)
    return result
  }

  private func copy(_ image: PixelBuffer) throws(ImageError) -> PixelBuffer {
    let result = try pool.makeBuffer(image.format)
    let (from, to) = (image.planes[0], result.planes[0])
    for row in 0..<image.format.size.height {
      memcpy(to.row(row), from.row(row), image.format.size.width * 4)
    }
    return result
  }
}
