import CYUV

/// Loads any picture as 8-bit planes with the least work: planes that exist already are only referenced. One
/// thread at a time; the result is valid until the next call and while the source is held.
final class PlanarLoader {
  private let scratch = Scratch()
  private let decoder: JPEGDecoder
  private let encoder = JPEGEncoder()
  private let rgb = Scratch()
  private let halves = Scratch()

  private let threads: PhotoThreads

  /// - Parameter threads: the threads that process bands of rows.
  init(damage: DamagePolicy, threads: PhotoThreads = PhotoThreads(.never)) {
    decoder = JPEGDecoder(damage: damage, threads: threads)
    self.threads = threads
  }

  /// A reduction of chroma by averaging, before it is scaled.
  enum ChromaHalving {
    case none
    /// Horizontally and vertically, for interleaved chroma (NV12 and the like).
    case pairs
    /// Vertically, for chroma interleaved with luma (YUYV and the like).
    case rows
  }

  /// - Parameters:
  ///   - halving: the reduction that is allowed while chroma is separated from luma; reducing later costs more. The sampling of the result tells
  ///     whether the reduction was done.
  ///   - eighths: chooses, from a JPEG picture's size, the scale 1...8 eighths for decoding it; by default full size, within
  ///     `ImageLimits.decodedArea`.
  func load(
    _ image: PixelBuffer, halving: ChromaHalving = .none,
    eighths: (PixelSize) -> Int = { $0.mostDecodedEighths }
  ) throws(ImageError) -> (image: PlanarImage, notes: [String]) {
    try image.checkPlanes()
    let (format, planes) = (image.format, image.planes)
    func view(_ sampling: ChromaSampling) -> PlanarImage {
      PlanarImage(size: format.size, sampling: sampling, color: format.color, planes: Planes(planes))
    }
    switch format.pixelFormat {
    case .i420: return (view(.s420), [])
    case .i422: return (view(.s422), [])
    case .i444: return (view(.s444), [])
    case .grey: return (view(.monochrome), [])
    case .yv12:
      var swapped = view(.s420)
      swapped.planes = swapped.planes.withChromaSwapped
      return (swapped, [])
    case .nv12, .nv21, .nv16: return (try splitPairs(image, isHalved: halving == .pairs), [])
    case .yuyv, .yvyu, .uyvy: return (try unpack422(image, isHalved: halving == .rows), [])
    case .p010: return (try narrowP010(image), [])
    case .y210: return (try narrowY210(image), [])
    case .bgra, .rgba, .rgb24, .bgr24, .xrgb, .bayerBGGR, .bayerGBRG, .bayerGRBG, .bayerRGGB:
      let full = try rgb.full(image)
      return (try encoder.separate(full, format.size, format: format.pixelFormat, into: scratch), [])
    case .mjpeg:
      let header = try JPEGHeader(image)
      var (decoded, notes) = try decoder.decode(planes[0].bytes, header, eighths: eighths(header.size))
      if let polarity = header.avi1Polarity, polarity != 0 {
        notes.append("The frame is one field of an interlaced picture (AVI1 polarity \(polarity)).")
      }
      return (decoded, notes)
    }
  }

  /// Whether the codes of a JPEG picture stay unchanged, since they are sRGB already.
  func keepsColors(of image: PixelBuffer, _ header: JPEGHeader) -> Bool {
    decoder.keepsColors(of: image.planes[0].bytes, header)
  }

  /// Planes with the luma in place and the chroma separated.
  private func splitPairs(_ image: PixelBuffer, isHalved: Bool) throws(ImageError) -> PlanarImage {
    let size = image.format.size
    var (sampling, pairs) = (image.format.pixelFormat.sampling, image.planes[1])
    if isHalved, let smaller = try halved(pairs, sampling.chromaSize(size)) {
      pairs = smaller
      sampling.horizontal *= 2
      sampling.vertical *= 2
    }
    let chroma = sampling.chromaSize(size)
    let apart = try scratch.planar(chroma, .s444, color: image.format.color)
    let (first, second) = (apart.planes[1], apart.planes[2])
    inBands(chroma.height, area: chroma.area * 2) { rows in
      SplitUVPlane(
        pairs.row(rows.lowerBound), pairs.stride, first.row(rows.lowerBound), first.stride,
        second.row(rows.lowerBound), second.stride, Int32(chroma.width), Int32(rows.count))
    }
    let isSwapped = image.format.pixelFormat == .nv21
    return PlanarImage(
      size: size, sampling: sampling, color: image.format.color,
      planes: Planes(image.planes[0], isSwapped ? second : first, cr: isSwapped ? first : second))
  }

  /// Replaces four pairs by their mean.
  /// - Returns: nil for a size that is not even.
  private func halved(_ pairs: Plane, _ size: PixelSize) throws(ImageError) -> Plane? {
    guard size.width % 2 == 0, size.height % 2 == 0 else { return nil }
    let half = PixelSize(width: size.width / 2, height: size.height / 2)
    let bytesPerRow = (half.width * 2).aligned(to: 64)
    let result = Plane(
      base: try halves.reserve(bytesPerRow * half.height), bytesPerRow: bytesPerRow, height: half.height)
    inBands(half.height, area: size.area * 2) { rows in
      // Fails only for sizes that are not positive.
      _ = UVScale(
        pairs.row(rows.lowerBound * 2), pairs.stride, Int32(size.width), Int32(rows.count * 2),
        result.row(rows.lowerBound), result.stride, Int32(half.width), Int32(rows.count), kFilterBox)
    }
    return result
  }

  private func unpack422(_ image: PixelBuffer, isHalved: Bool) throws(ImageError) -> PlanarImage {
    let (size, format) = (image.format.size, image.format.pixelFormat)
    // With an odd number of rows, the last row has no partner.
    let isHalved = isHalved && size.height % 2 == 0
    let planar = try scratch.planar(size, isHalved ? .s420 : .s422, color: image.format.color)
    let isSwapped = format == .yvyu
    let (y, u, v) = (planar.planes[0], planar.planes[isSwapped ? 2 : 1], planar.planes[isSwapped ? 1 : 2])
    let unpack =
      switch (format == .uyvy, isHalved) {
      case (true, true): UYVYToI420
      case (true, false): UYVYToI422
      case (false, true): YUY2ToI420
      case (false, false): YUY2ToI422
      }
    let packed = image.planes[0]
    inBands(size.height, area: size.area * 2) { rows in
      let (row, chromaRow) = (rows.lowerBound, isHalved ? rows.lowerBound / 2 : rows.lowerBound)
      _ = unpack(
        packed.row(row), packed.stride, y.row(row), y.stride, u.row(chromaRow), u.stride, v.row(chromaRow),
        v.stride, Int32(size.width), Int32(rows.count))
    }
    return planar
  }

  private func narrowP010(_ image: PixelBuffer) throws(ImageError) -> PlanarImage {
    let planar = try scratch.planar(image.format.size, .s420, color: image.format.color)
    let chroma = planar.planeSize(1)
    let narrow = TenBitNarrowing(image.format.color.range)
    let (luma, pairs) = (image.planes[0], image.planes[1])
    inBands(planar.size.height, area: planar.size.area * 2) { rows in
      for row in rows {
        narrow.row(luma.words(row), 1, bytes: planar.planes[0].row(row), width: planar.size.width)
      }
      for row in rows.lowerBound / 2..<(rows.upperBound + 1) / 2 {
        narrow.row(pairs.words(row), 2, bytes: planar.planes[1].row(row), width: chroma.width)
        narrow.row(pairs.words(row) + 1, 2, bytes: planar.planes[2].row(row), width: chroma.width)
      }
    }
    return planar
  }

  private func narrowY210(_ image: PixelBuffer) throws(ImageError) -> PlanarImage {
    let planar = try scratch.planar(image.format.size, .s422, color: image.format.color)
    let chroma = planar.planeSize(1)
    let narrow = TenBitNarrowing(image.format.color.range)
    let packed = image.planes[0]
    inBands(planar.size.height, area: planar.size.area * 2) { rows in
      for row in rows {
        let words = packed.words(row)
        narrow.row(words, 2, bytes: planar.planes[0].row(row), width: planar.size.width)
        narrow.row(words + 1, 4, bytes: planar.planes[1].row(row), width: chroma.width)
        narrow.row(words + 3, 4, bytes: planar.planes[2].row(row), width: chroma.width)
      }
    }
    return planar
  }

  /// - Parameter area: the number of samples to process.
  private func inBands(_ height: Int, area: Int, _ body: (_ rows: Range<Int>) -> Void) {
    // Bands have an even number of rows, so that each has chroma of its own.
    let bands = RowBands(height, rows: 64)
    threads.share(bands.count, area: area) { band, _ in body(bands[band]) }
  }
}

/// Converts 10-bit codes in the high bits of 16-bit words to 8-bit codes, rounded: a quarter for limited range, 255/1023 for full.
struct TenBitNarrowing {
  private let scale: Int32

  init(_ range: ColorRange) { scale = range == .limited ? 16384 : 16336 }  // 65536 · 255/1023 = 16335.9

  func row(_ words: UnsafePointer<UInt16>, _ step: Int, bytes: UnsafeMutablePointer<UInt8>, width: Int) {
    for x in 0..<width { bytes[x] = clampedToByte((Int32(words[x &* step] &>> 6) &* scale &+ 32768) &>> 16) }
  }
}

extension Plane {
  /// Row `index` as 16-bit words. V4L2 buffers and pools start on at least 8-byte boundaries.
  func words(_ index: Int) -> UnsafeMutablePointer<UInt16> {
    (base + index * bytesPerRow).assumingMemoryBound(to: UInt16.self)
  }
}
