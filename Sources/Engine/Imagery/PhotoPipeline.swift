import CYUV
import System

/// Makes a sized, upright, encoded photo of a frame by the shortest path: JPEG is decoded at reduced scale straight to planes, scaled
/// and turned in one pass, and encoded from planes. Reusable; owns its working memory; one thread at a time.
///
/// A second thread takes half of the rows of each step, as long as there are two processors for each photo that the process is making: a
/// single photo uses both, and each of many photos uses one. The thread begins with the first large photo, and ends with the pipeline or ``rest()``.
public final class PhotoPipeline {
  private let threads: PhotoThreads
  private let loader: PlanarLoader
  private let transform: PlanarTransform
  private let untangling: PlanarTransform
  private let encoder: JPEGEncoder
  private let judge: JPEGDecoder
  private let pixels = Scratch()
  private let separated = Scratch()
  private let rows = Scratch()
  private let pool = PixelBufferPool()
  private let deinterlacer = Deinterlacer()

  /// The least similarity (SSIM on luma): below it, a photo becomes smaller rather than coarser.
  static let leastSimilarity = 0.95

  /// Creates a pipeline. It keeps its working memory from photo to photo, so use one for each thread and reuse it.
  /// - Parameter damage: the handling of a damaged JPEG picture. The default is for files; for the frames of a camera use `.refuse`, as
  ///   the engine's photo output does.
  public convenience init(damage: DamagePolicy = .keep) { self.init(damage: damage, threads: .whenIdle) }

  init(damage: DamagePolicy, threads use: PhotoThreads.Use) {
    let threads = PhotoThreads(use)
    self.threads = threads
    loader = PlanarLoader(damage: damage, threads: threads)
    transform = PlanarTransform(threads: threads)
    untangling = PlanarTransform(threads: threads)
    encoder = JPEGEncoder(threads: threads)
    judge = JPEGDecoder(threads: threads)
  }

  /// Ends the second thread; the next large photo starts another. Must not be called while `process` runs.
  public func rest() { threads.rest() }

  /// - Parameters:
  ///   - image: any pixel format; a compressed frame's own header decides its size.
  ///   - orientation: turns stored pixels upright.
  /// - Throws: `budgetUnattainable`; the errors of decoding for a damaged picture.
  public func process(
    _ image: PixelBuffer, orientation: Orientation, settings: PhotoSettings
  ) throws(ImageError) -> Photo {
    try threads.makingPhoto { () throws(ImageError) in
      let (began, helped) = (ProcessorTime.ofThread(), threads.helped)
      var photo = try make(image, orientation, settings: settings)
      photo.timings.helper = threads.helped - helped
      photo.timings.processor = ProcessorTime.ofThread() - began + photo.timings.helper
      return photo
    }
  }

  private func make(
    _ image: PixelBuffer, _ orientation: Orientation, settings: PhotoSettings
  ) throws(ImageError) -> Photo {
    let image = try deinterlacer.progressive(image)
    try image.checkPlanes()
    if let look = settings.look, image.format.pixelFormat.isWide, settings.exposureBias == 0 {
      var rest = settings
      rest.look = nil
      return try make(wide(image, with: look), orientation, settings: rest)
    }
    var timings = Photo.Timings()
    var clock = StepClock()
    let header = image.format.pixelFormat.isCompressed ? try JPEGHeader(image) : nil
    let stored = header?.size ?? image.format.size
    if let header, let bytes = try preserved(image, header, orientation: orientation, settings: settings) {
      timings.encode = clock.lap()
      let isBaked = settings.orientationMode == .baked
      return Photo(
        bytes: bytes, size: orientation.applied(to: stored),
        storedSize: isBaked ? orientation.applied(to: stored) : stored,
        exifOrientation: isBaked ? 1 : orientation.exif, quality: 100, isEncodingPreserved: true,
        timings: timings, notes: [])
    }
    let crop = AspectFill(source: stored, orientation: .upright, surface: stored, zoom: settings.zoom)
      .visibleSource
    let within = header == nil ? 8 : stored.mostDecodedEighths
    var target = try settings.limited(stored, within).targetSize(for: orientation.applied(to: crop.size))
    let lying = orientation.inverse.applied(to: target)
    let eighths = min(within, settings.priority.eighths(from: crop.size, to: lying))
    let halves =
      crop.size == stored ? chromaHalving(image.format, stored, lying: lying, settings: settings) : .none
    let (whole, notes) = try loader.load(image, halving: halves) { _ in eighths }
    let planar = try zoomed(whole, to: crop, of: stored)
    timings.decode = clock.lap()
    while true {
      let draft = try encodeBest(
        planar, target, orientation: orientation, settings: settings, timings: &timings, clock: &clock)
      guard let limit = settings.maximumBytes, draft.bytes.count > limit else {
        return Photo(
          bytes: draft.bytes, size: target, storedSize: draft.storedSize,
          exifOrientation: settings.orientationMode == .baked ? 1 : orientation.exif, quality: draft.quality,
          isEncodingPreserved: false, timings: timings, notes: notes)
      }
      target = try settings.affordable(try smaller(target, draft.bytes.count, limit: limit))
    }
  }

  /// The reduction of chroma that is allowed while it is separated. Do not use it for a part of the picture, which may begin at any even sample.
  private func chromaHalving(
    _ format: ImageFormat, _ stored: PixelSize, lying: PixelSize, settings: PhotoSettings
  ) -> PlanarLoader.ChromaHalving {
    let (here, there) = (
      format.pixelFormat.sampling, settings.sampling(needsColors: settings.needsColors(isMonochrome: false))
    )
    switch format.pixelFormat {
    case .yuyv, .yvyu, .uyvy:
      return PlanarTransform.halvesChromaRows(of: stored, here, to: lying, there, priority: settings.priority)
        ? .rows : .none
    default:
      return PlanarTransform.halvesChroma(of: stored, here, to: lying, there, priority: settings.priority)
        ? .pairs : .none
    }
  }

  /// The JPEG picture with only its orientation changed, without a second loss.
  /// - Returns: nil if it must be decoded.
  private func preserved(
    _ image: PixelBuffer, _ header: JPEGHeader, orientation: Orientation, settings: PhotoSettings
  ) throws(ImageError) -> [UInt8]? {
    let upright = orientation.applied(to: header.size)
    guard settings.preservesEncoding, loader.keepsColors(of: image, header), settings.container == .jpeg,
      settings.look == nil,
      settings.exposureBias == 0, settings.zoom <= 1, try settings.targetSize(for: upright) == upright
    else { return nil }
    let isBaked = settings.orientationMode == .baked
    let bytes = JPEGTransform.apply(
      isBaked ? orientation : .upright, to: image.planes[0].bytes, header,
      tag: isBaked ? .upright : orientation, metadata: settings.metadata)
    guard let bytes, bytes.count <= settings.maximumBytes ?? .max else { return nil }
    return bytes
  }

  /// Applies a look to a 10-bit frame before it is reduced to 8 bits, unless it must be brightened in between.
  private func wide(_ image: PixelBuffer, with look: ColorLookup) throws(ImageError) -> PixelBuffer {
    let color = ColorDescription(matrix: image.format.color.matrix, range: .full)
    let result = try pool.makeBuffer(
      ImageFormat(pixelFormat: .bgra, size: image.format.size, color: color))
    let whole = AspectFill.Region(x: 0, y: 0, size: image.format.size)
    try TenBitRGB(image.format.color, look: look, rows: rows).write(image, whole, pixels: result.packed)
    return result
  }

  /// The visible part of a picture.
  /// - Parameter stored: the size to which `crop` refers; the picture may have been decoded smaller.
  private func zoomed(
    _ image: PlanarImage, to crop: AspectFill.Region, of stored: PixelSize
  ) throws(ImageError) -> PlanarImage {
    guard crop.size != stored else { return image }
    var image = image
    // In these samplings, the part would begin between two chroma samples.
    if image.sampling == .s440 || image.sampling == .s411 {
      image = try untangling.apply(image, size: image.size, sampling: .s444, orientation: .upright)
    }
    let x = crop.x * image.size.width / stored.width / 2 * 2
    let y = crop.y * image.size.height / stored.height / 2 * 2
    let size = PixelSize(
      width: min(max(1, crop.size.width * image.size.width / stored.width), image.size.width - x),
      height: min(max(1, crop.size.height * image.size.height / stored.height), image.size.height - y))
    return image.cropped(AspectFill.Region(x: x, y: y, size: size))
  }

  private struct Draft {
    var bytes: [UInt8]
    var quality: Int
    var storedSize: PixelSize
  }

  /// The picture at one size: with the highest acceptable quality that meets the byte limit, or over the limit if no acceptable quality meets it.
  private func encodeBest(
    _ planar: PlanarImage, _ target: PixelSize, orientation: Orientation, settings: PhotoSettings,
    timings: inout Photo.Timings, clock: inout StepClock
  ) throws(ImageError) -> Draft {
    let isBaked = settings.orientationMode == .baked
    let exposure = DigitalExposure(bias: settings.exposureBias)
    let isWhole = settings.needsColors(isMonochrome: planar.sampling.isMonochrome)
    var scaled = try transform.apply(
      planar, size: orientation.inverse.applied(to: target),
      sampling: settings.sampling(needsColors: isWhole),
      orientation: isBaked ? orientation : .upright, priority: settings.priority)
    timings.scaleAndTurn += clock.lap()
    // Convert colours after scaling, when there are fewest samples.
    scaled = try transform.recolored(scaled, to: .jpeg)
    if !isWhole { exposure.apply(toGrey: scaled) }
    timings.color += clock.lap()
    defer { timings.encode += clock.lap() }
    let tag = isBaked ? Orientation.upright : orientation
    if settings.container == .png {
      return Draft(
        bytes: try encodePNG(scaled, tag, settings: settings), quality: 100, storedSize: scaled.size)
    }
    if isWhole { scaled = try looked(scaled, settings) }
    return try encodeJPEG(scaled, tag, settings: settings)
  }

  /// Applies the exposure bias and the look. As in the preview, this comes after scaling.
  private func looked(_ image: PlanarImage, _ settings: PhotoSettings) throws(ImageError) -> PlanarImage {
    let packed = try rgb(image, settings)
    let plane = Plane(base: packed.base, bytesPerRow: packed.bytesPerRow, height: image.size.height)
    let planes = try encoder.separate(plane, image.size, format: .bgra, into: separated)
    return try transform.apply(
      planes, size: image.size, sampling: settings.priority.sampling(.jpeg), orientation: .upright)
  }

  private func rgb(_ image: PlanarImage, _ settings: PhotoSettings) throws(ImageError) -> PackedPixels {
    let bytesPerRow = image.size.width * 4
    let base = try pixels.reserve(bytesPerRow * image.size.height).assumingMemoryBound(to: UInt8.self)
    let packed = PackedPixels(base: base, bytesPerRow: bytesPerRow, isRGBA: false)
    try image.writeRGB(packed, rows: rows)
    if let table = DigitalExposure(bias: settings.exposureBias).pixelTable {
      RGBRange.apply(table, to: packed, image.size)
    }
    settings.look?.apply(to: packed, image.size)
    return packed
  }

  private func encodeJPEG(
    _ image: PlanarImage, _ tag: Orientation, settings: PhotoSettings
  ) throws(ImageError) -> Draft {
    var quality = min(max(settings.quality, 1), 100)
    let encode = { [encoder] (quality: Int) throws(ImageError) -> [UInt8] in
      try encoder.encode(
        image, quality: quality, orientation: tag, metadata: settings.metadata, effort: settings.priority)
    }
    var bytes = try encode(quality)
    guard let limit = settings.maximumBytes, bytes.count > limit else {
      return Draft(bytes: bytes, quality: quality, storedSize: image.size)
    }
    let original = LumaImage(image)
    while bytes.count > limit, quality > 5 {
      let next = try encode(quality - 5)
      guard try similarity(next, original) >= Self.leastSimilarity else { break }
      bytes = next
      quality -= 5
    }
    return Draft(bytes: bytes, quality: quality, storedSize: image.size)
  }

  private func similarity(_ bytes: [UInt8], _ original: LumaImage) throws(ImageError) -> Double {
    let judge = judge
    let result = bytes.withUnsafeBytes { raw in
      Result { () throws(ImageError) in LumaImage(try judge.decode(raw, try JPEGHeader(raw)).image) }
    }
    return ImageQuality.ssim(original, try result.get()) ?? 0
  }

  private func encodePNG(
    _ image: PlanarImage, _ tag: Orientation, settings: PhotoSettings
  ) throws(ImageError) -> [UInt8] {
    let metadata = settings.metadata
    if image.sampling.isMonochrome, settings.look == nil {
      return try PNGCodec.encode(
        LumaImage(image).bytes, image.size, isGrey: true, orientation: tag, metadata: metadata)
    }
    let pixels = try rgb(image, settings)
    let packed = [UInt8](unsafeUninitializedCapacity: image.size.area * 3) { buffer, count in
      ARGBToRGB24(
        pixels.base, pixels.stride, buffer.baseAddress, Int32(image.size.width * 3), Int32(image.size.width),
        Int32(image.size.height))
      count = image.size.area * 3
    }
    return try PNGCodec.encode(packed, image.size, isGrey: false, orientation: tag, metadata: metadata)
  }

  /// The next size to try if `count` bytes exceed `limit`: each step comes nearer to the limit.
  private func smaller(_ size: PixelSize, _ count: Int, limit: Int) throws(ImageError) -> PixelSize {
    let shrink = min(0.95, max(0.5, (Double(limit) / Double(count)).squareRoot()))
    let next = size.fitted(longSide: Int(Double(size.longSide) * shrink))
    guard size.longSide > 1 else { throw .budgetUnattainable(budget: "\(limit) bytes") }
    return next
  }
}

extension PhotoSettings {
  /// The settings for a picture that is decoded at most at `eighths`/8 of its size: a photo is not larger than the decoded picture.
  fileprivate func limited(_ stored: PixelSize, _ eighths: Int) -> PhotoSettings {
    guard eighths < 8 else { return self }
    var settings = self
    settings.maximumLongSide = min(maximumLongSide, JPEGDecoder.scaled(stored, eighths).longSide)
    return settings
  }

  /// Whether red, green and blue of every pixel are needed: for a look, and for adding exposure to colours.
  fileprivate func needsColors(isMonochrome: Bool) -> Bool {
    look != nil || DigitalExposure(bias: exposureBias).bias != 0 && !isMonochrome
  }

  /// The sampling of the scaled picture.
  fileprivate func sampling(needsColors: Bool) -> ChromaSampling {
    needsColors ? .s444 : priority.sampling(container)
  }
}

extension JPEGDecoder {
  /// The smallest number of eighths, at most 8, at which the decoded size is at least `tenths`/10 of the wanted size. The default
  /// requires a fifth more than the wanted size.
  static func scale(from source: PixelSize, to target: PixelSize, tenths: Int = 12) -> Int {
    (1..<8).first { eighths in
      source.width * eighths * 10 >= target.width * 8 * tenths
        && source.height * eighths * 10 >= target.height * 8 * tenths
    } ?? 8
  }
}

/// Measures consecutive steps.
private struct StepClock {
  private var last = MonotonicTime.now()

  mutating func lap() -> Duration {
    let now = MonotonicTime.now()
    defer { last = now }
    return now - last
  }
}
