import CYUV

/// Renders frames upright and aspect-filled on a surface. Owns its working memory and is reusable; one thread at a time.
///
/// `AspectFill` with the same arguments tells which stored pixel each point of the surface shows. Chroma is repeated, not
/// interpolated; without scaling, every code is within 1/255 of the exact matrix.
public final class PreviewRenderer {
  private let loader = PlanarLoader(damage: .refuse)
  private let (scaled, tile, packed, packedScaled, rows) = (
    Scratch(), Scratch(), Scratch(), Scratch(), Scratch()
  )
  private lazy var transform = PlanarTransform()
  private let painter = LookPainter()
  private let deinterlacer = Deinterlacer()

  /// The colour lookup from the next picture on; nil, the default, keeps the camera's own colours, bit for bit.
  public var look: ColorLookup?

  /// Exposure compensation by software, in EV (``DigitalExposure``), applied before the look; 0, the default, changes nothing.
  public var exposureBias = 0.0 {
    didSet { if exposureBias != oldValue { brightening = DigitalExposure(bias: exposureBias).pixelTable } }
  }
  /// The table of new codes for each byte of a pixel (`DigitalExposure.pixelTable`); nil if no code changes.
  private var brightening: [UInt8]?

  /// Creates a renderer. It keeps its working memory from picture to picture, so use one for each thread and reuse it.
  public init() {}

  /// - Parameters:
  ///   - image: any pixel format.
  ///   - orientation: turns stored pixels to the way the surface is held.
  ///   - zoom: digital zoom about the centre, clamped to 1...4.
  ///   - surface: BGRA or RGBA of any size, in the range of its colour description; every pixel is written, alpha 255.
  /// - Throws: `unsupported` for another surface format; the errors of decoding for a damaged frame, which is not shown
  ///   (`DamagePolicy.refuse`), although the surface may have been written to.
  public func render(
    _ image: PixelBuffer, orientation: Orientation, zoom: Double = 1, into surface: PixelBuffer
  ) throws(ImageError) {
    guard surface.format.pixelFormat == .bgra || surface.format.pixelFormat == .rgba else {
      throw .unsupported(
        what: "a preview surface of format \(surface.format.pixelFormat.rawValue)", remedy: "use BGRA or RGBA"
      )
    }
    try surface.checkPlanes()
    let image = try deinterlacer.progressive(image)
    try image.checkPlanes()
    let size = try sourceSize(image)
    let fill = AspectFill(source: size, orientation: orientation, surface: surface.format.size, zoom: zoom)
    let pixels = PackedPixels(
      base: surface.planes[0].pointer, bytesPerRow: surface.planes[0].bytesPerRow,
      isRGBA: surface.format.pixelFormat == .rgba)
    switch image.format.pixelFormat {
    case let format where format.carriesRGB: try renderPacked(image, fill, pixels: pixels)
    case .p010, .y210: try renderTenBit(image, fill, pixels: pixels)
    case .nv12 where fill.isUnscaled, .nv21 where fill.isUnscaled:
      try renderPairs(image, fill, pixels: pixels)
    default: try renderPlanar(image, fill, pixels: pixels)
    }
    if let brightening { RGBRange.apply(brightening, to: pixels, surface.format.size) }
    if let look, !meetsLook(image.format.pixelFormat) { painter.apply(look, to: pixels, surface.format.size) }
    RGBRange.change(from: .full, to: surface.format.color.range)?.apply(to: pixels, surface.format.size)
  }

  /// Whether the look is applied to a 10-bit frame before it is reduced to 8 bits, unless it must be brightened in between.
  private func meetsLook(_ format: PixelFormat) -> Bool { format.isWide && brightening == nil }

  /// Ends the helper thread for looks, until a look is drawn again.
  package func rest() { painter.rest() }

  /// The size of the source: a compressed frame's own header takes precedence over the announced size.
  private func sourceSize(_ image: PixelBuffer) throws(ImageError) -> PixelSize {
    image.format.pixelFormat.isCompressed ? try JPEGHeader(image).size : image.format.size
  }

  // MARK: Y′CbCr

  private func renderPlanar(
    _ image: PixelBuffer, _ fill: AspectFill, pixels: PackedPixels
  ) throws(ImageError) {
    var eighths = 8
    var (planar, _) = try loader.load(image) { _ in
      eighths = fill.smallestExactScale
      return eighths
    }
    if planar.sampling == .s440 || planar.sampling == .s411 {
      planar = try transform.apply(planar, size: planar.size, sampling: .s444, orientation: .upright)
    }
    let crop = fill.visibleSource
    let region = AspectFill.Region(
      x: crop.x * eighths / 8, y: crop.y * eighths / 8,
      size: PixelSize(
        width: min(JPEGDecoder.scaled(crop.size, eighths).width, planar.size.width - crop.x * eighths / 8),
        height: min(JPEGDecoder.scaled(crop.size, eighths).height, planar.size.height - crop.y * eighths / 8))
    )
    let visible = try scale(planar.cropped(region), to: fill.target)
    try turnTiles(visible.size, fill.orientation, surface: pixels) { (tile, target) throws(ImageError) in
      try self.convert(visible.cropped(tile), fill.orientation, target: target)
    }
  }

  private func scale(_ image: PlanarImage, to size: PixelSize) throws(ImageError) -> PlanarImage {
    guard image.size != size else { return image }
    let isKept = image.sampling == .s444 || image.sampling.isMonochrome
    let sampling = isKept ? image.sampling : .s420
    let result = try scaled.planar(size, sampling, color: image.color)
    for index in image.planes.indices {
      let (from, to) = (image.planeSize(index), result.planeSize(index))
      let isMuchSmaller = from.width > to.width * 3 / 2 || from.height > to.height * 3 / 2
      ScalePlane(
        image.planes[index].pointer, image.planes[index].stride, Int32(from.width), Int32(from.height),
        result.planes[index].pointer, result.planes[index].stride, Int32(to.width), Int32(to.height),
        isMuchSmaller ? kFilterBox : kFilterBilinear)
    }
    return result
  }

  /// Converts one tile: turns the planes, then converts them; if turning would change the sampling, converts first.
  private func convert(
    _ source: PlanarImage, _ orientation: Orientation, target: PackedPixels
  ) throws(ImageError) {
    if orientation == .upright { return try source.writeRGB(target, rows: rows) }
    if source.sampling == .s422, orientation.rotation.swapsAxes {
      let rgb = try packedScratch(packed, source.size, isRGBA: target.isRGBA)
      try source.writeRGB(rgb, rows: rows)
      return turnPacked(rgb, source.size, orientation: orientation, into: target)
    }
    let turned = try tile.planar(orientation.applied(to: source.size), source.sampling, color: source.color)
    for index in source.planes.indices {
      turn(
        source.planes[index], source.planeSize(index), orientation: orientation, into: turned.planes[index])
    }
    try turned.writeRGB(target, rows: rows)
  }

  /// Renders NV12 or NV21 directly, without separating its chroma first.
  private func renderPairs(
    _ image: PixelBuffer, _ fill: AspectFill, pixels: PackedPixels
  ) throws(ImageError) {
    let (crop, color) = (fill.visibleSource, image.format.color)
    let isSwapped = image.format.pixelFormat == .nv21
    let (luma, pairs) = (
      image.planes[0].from(row: crop.y, byte: crop.x), image.planes[1].from(row: crop.y / 2, byte: crop.x)
    )
    if fill.orientation == .upright, let constants = color.constants(isRGBA: pixels.isRGBA) {
      let convert = pixels.isRGBA != isSwapped ? NV21ToARGBMatrix : NV12ToARGBMatrix
      _ = convert(
        luma.pointer, luma.stride, pairs.pointer, pairs.stride, pixels.base, pixels.stride, constants,
        Int32(crop.size.width), Int32(crop.size.height))
      return
    }
    try turnTiles(crop.size, fill.orientation, surface: pixels) { (region, target) throws(ImageError) in
      var turned = try self.tile.planar(fill.orientation.applied(to: region.size), .s420, color: color)
      turn(
        luma.from(row: region.y, byte: region.x), region.size, orientation: fill.orientation,
        into: turned.planes[0])
      splitAndTurn(
        pairs.from(row: region.y / 2, byte: region.x), ChromaSampling.s420.chromaSize(region.size),
        orientation: fill.orientation, into: turned)
      if isSwapped { turned.planes = turned.planes.withChromaSwapped }
      try turned.writeRGB(target, rows: self.rows)
    }
  }

  // MARK: RGB

  private func renderTenBit(
    _ image: PixelBuffer, _ fill: AspectFill, pixels: PackedPixels
  ) throws(ImageError) {
    let crop = fill.visibleSource
    let converter = TenBitRGB(
      image.format.color, look: meetsLook(image.format.pixelFormat) ? look : nil, rows: rows)
    if fill.orientation == .upright, fill.isUnscaled {
      return try converter.write(image, crop, pixels: pixels)
    }
    let rgb = try packedScratch(packed, crop.size, isRGBA: pixels.isRGBA)
    try converter.write(image, crop, pixels: rgb)
    try finishPacked(rgb, crop.size, fill: fill, pixels: pixels)
  }

  private func renderPacked(
    _ image: PixelBuffer, _ fill: AspectFill, pixels: PackedPixels
  ) throws(ImageError) {
    let crop = fill.visibleSource
    if fill.orientation == .upright, fill.isUnscaled { return image.writeFull(crop, into: pixels) }
    let opaque = try packedScratch(packed, crop.size, isRGBA: pixels.isRGBA)
    image.writeFull(crop, into: opaque)
    try finishPacked(opaque, crop.size, fill: fill, pixels: pixels)
  }

  private func finishPacked(
    _ source: PackedPixels, _ size: PixelSize, fill: AspectFill, pixels: PackedPixels
  ) throws(ImageError) {
    var source = source
    if !fill.isUnscaled {
      let smaller = try packedScratch(packedScaled, fill.target, isRGBA: pixels.isRGBA)
      ARGBScale(
        source.base, source.stride, Int32(size.width), Int32(size.height), smaller.base, smaller.stride,
        Int32(fill.target.width), Int32(fill.target.height), kFilterBox)
      source = smaller
    }
    turnPacked(source, fill.target, orientation: fill.orientation, into: pixels)
  }

  private func packedScratch(
    _ scratch: Scratch, _ size: PixelSize, isRGBA: Bool
  ) throws(ImageError) -> PackedPixels {
    let bytesPerRow = (size.width * 4).aligned(to: 64)
    let base = try scratch.reserve(bytesPerRow * size.height)
    return PackedPixels(
      base: base.assumingMemoryBound(to: UInt8.self), bytesPerRow: bytesPerRow, isRGBA: isRGBA)
  }
}

extension PixelBuffer {
  /// Writes full-range RGB.
  fileprivate func writeFull(_ region: AspectFill.Region, into pixels: PackedPixels) {
    writePacked(region, into: pixels)
    RGBRange.change(from: format.color.range, to: .full)?.apply(to: pixels, region.size)
  }
}

extension AspectFill {
  /// The surface's size in the orientation of the stored picture.
  var target: PixelSize { orientation.applied(to: surface) }
  var isUnscaled: Bool { visibleSource.size == target }

  /// The smallest number of eighths for decoding a JPEG that leaves enough pixels and keeps the crop on whole chroma
  /// samples, so that nothing shifts.
  var smallestExactScale: Int {
    let crop = visibleSource
    // All four edges, times the scale, must be multiples of 16.
    let edges = crop.x | crop.y | (crop.x + crop.size.width) | (crop.y + crop.size.height)
    for eighths in 1..<8 where edges * eighths % 16 == 0 {
      if crop.size.width * eighths >= target.width * 8, crop.size.height * eighths >= target.height * 8 {
        return eighths
      }
    }
    return 8
  }
}
