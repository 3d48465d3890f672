import CYUV

/// Frame → sized, upright, encoded photo by the shortest path: JPEG is decoded at reduced scale straight to planes, scaled
/// and turned in one pass, and encoded from planes. Reusable; owns its scratch memory; one thread at a time.
public final class PhotoPipeline {
  private let loader: PlanarLoader
  private let transform = PlanarTransform()
  private let encoder = JPEGEncoder()
  private let judge = JPEGDecoder()
  private let (recolor, pixels) = (Scratch(), Scratch())

  /// Below this similarity (SSIM on luma) a photo gets smaller rather than coarser.
  static let leastSimilarity = 0.95

  /// A pipeline keeps its working memory from photo to photo, so use one for each thread and keep it.
  /// - Parameter damage: what becomes of a damaged JPEG picture. The default is for files; for the frames of a camera use `.refuse`, as
  ///   the engine's photo output does.
  public init(damage: DamagePolicy = .keep) { loader = PlanarLoader(damage: damage) }

  /// - Parameters:
  ///   - image: any pixel format; a compressed frame's own header decides its size.
  ///   - orientation: stored pixels → upright.
  /// - Throws: `budgetUnattainable`; as decoding does for a damaged picture.
  public func process(
    _ image: PixelBuffer, orientation: Orientation, settings: PhotoSettings
  ) throws(ImageError) -> Photo {
    try image.checkPlanes()
    let stored =
      image.format.pixelFormat.isCompressed ? try JPEGHeader(image.planes[0].bytes).size : image.format.size
    var timings = Photo.Timings()
    var clock = StepClock()
    let began = ProcessorTime.ofThread()
    var target = try settings.targetSize(for: orientation.applied(to: stored))
    let storedTarget = orientation.inverse.applied(to: target)
    let (planar, notes) = try loader.load(image) { JPEGDecoder.scale(from: $0, to: storedTarget) }
    timings.decode = clock.lap()
    while true {
      let draft = try encodeBest(planar, target, orientation, settings, &timings, &clock)
      timings.processor = ProcessorTime.ofThread() - began
      guard let limit = settings.maximumBytes, draft.bytes.count > limit else {
        return Photo(
          bytes: draft.bytes, size: target, storedSize: draft.storedSize,
          exifOrientation: settings.orientationMode == .baked ? 1 : orientation.exif, quality: draft.quality,
          timings: timings, notes: notes)
      }
      target = try smaller(target, draft.bytes.count, limit)
    }
  }

  private struct Draft {
    var bytes: [UInt8]
    var quality: Int
    var storedSize: PixelSize
  }

  /// The picture at one size, at the best quality that meets the byte limit without ruining it; over the limit if none.
  private func encodeBest(
    _ planar: PlanarImage, _ target: PixelSize, _ orientation: Orientation, _ settings: PhotoSettings,
    _ timings: inout Photo.Timings, _ clock: inout StepClock
  ) throws(ImageError) -> Draft {
    let isBaked = settings.orientationMode == .baked
    let sampling: ChromaSampling = settings.container == .png ? .s444 : .s420
    var scaled = try transform.apply(
      planar, size: orientation.inverse.applied(to: target), sampling: sampling,
      orientation: isBaked ? orientation : .upright)
    timings.scaleAndTurn += clock.lap()
    scaled = try recolored(scaled)
    timings.color += clock.lap()
    defer { timings.encode += clock.lap() }
    let tag = isBaked ? Orientation.upright : orientation
    if settings.container == .png {
      return Draft(bytes: try encodePNG(scaled, tag), quality: 100, storedSize: scaled.size)
    }
    return try encodeJPEG(scaled, tag, settings)
  }

  /// The one change of matrix and range on the way, after scaling, when there are fewest samples.
  private func recolored(_ image: PlanarImage) throws(ImageError) -> PlanarImage {
    guard image.color != .jpeg else { return image }
    let result = try recolor.planar(image.size, image.sampling, .jpeg)
    Recolor(from: image.color, to: .jpeg)
      .apply(image, into: result, offsets: try transform.sums(image.size.width + 16))
    return result
  }

  private func encodeJPEG(
    _ image: PlanarImage, _ tag: Orientation, _ settings: PhotoSettings
  ) throws(ImageError) -> Draft {
    var quality = min(max(settings.quality, 1), 100)
    var bytes = try encoder.encode(image, quality: quality, orientation: tag)
    guard let limit = settings.maximumBytes, bytes.count > limit else {
      return Draft(bytes: bytes, quality: quality, storedSize: image.size)
    }
    let original = LumaImage(image)
    while bytes.count > limit, quality > 5 {
      let next = try encoder.encode(image, quality: quality - 5, orientation: tag)
      guard try similarity(next, original) >= Self.leastSimilarity else { break }
      (bytes, quality) = (next, quality - 5)
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

  private func encodePNG(_ image: PlanarImage, _ tag: Orientation) throws(ImageError) -> [UInt8] {
    if image.sampling.isMonochrome {
      return try PNGCodec.encode(LumaImage(image).bytes, image.size, isGrey: true, orientation: tag)
    }
    let bytesPerRow = image.size.width * 4
    let base = try pixels.reserve(bytesPerRow * image.size.height).assumingMemoryBound(to: UInt8.self)
    image.writeRGB(PackedPixels(base: base, bytesPerRow: bytesPerRow, isRGBA: false))
    let packed = [UInt8](unsafeUninitializedCapacity: image.size.area * 3) { buffer, count in
      ARGBToRGB24(
        base, Int32(bytesPerRow), buffer.baseAddress, Int32(image.size.width * 3), Int32(image.size.width),
        Int32(image.size.height))
      count = image.size.area * 3
    }
    return try PNGCodec.encode(packed, image.size, isGrey: false, orientation: tag)
  }

  /// The next size to try when `count` bytes are more than `limit`: nearer the limit at each step.
  private func smaller(_ size: PixelSize, _ count: Int, _ limit: Int) throws(ImageError) -> PixelSize {
    let shrink = min(0.95, max(0.5, (Double(limit) / Double(count)).squareRoot()))
    let next = size.fitted(longSide: Int(Double(size.longSide) * shrink))
    guard size.longSide > 1 else { throw .budgetUnattainable(budget: "\(limit) bytes") }
    return next
  }
}

extension JPEGDecoder {
  /// The smallest number of eighths that leaves the resampler a fifth more pixels than wanted, or all there are.
  static func scale(from source: PixelSize, to target: PixelSize) -> Int {
    (1..<8).first { eighths in
      source.width * eighths * 10 >= target.width * 8 * 12
        && source.height * eighths * 10 >= target.height * 8 * 12
    } ?? 8
  }
}

/// Times consecutive steps.
private struct StepClock {
  private var last = MonotonicTime.now()

  mutating func lap() -> Duration {
    let now = MonotonicTime.now()
    defer { last = now }
    return now - last
  }
}
