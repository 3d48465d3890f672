import CYUV

/// Any picture → 8-bit planes, touching as little as possible: planes that are already there are only looked at. One
/// thread at a time; the result is valid until the next call and while the source is held.
final class PlanarLoader {
  private let scratch = Scratch()
  private let decoder: JPEGDecoder
  private let encoder = JPEGEncoder()
  private let rgb = Scratch()

  init(damage: DamagePolicy) { decoder = JPEGDecoder(damage: damage) }

  /// - Parameter eighths: chooses, from a JPEG picture's size, the scale 1...8 eighths to decode it at.
  func load(
    _ image: PixelBuffer, eighths: (PixelSize) -> Int = { _ in 8 }
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
    case .nv12, .nv21, .nv16: return (try splitPairs(image), [])
    case .yuyv, .yvyu, .uyvy: return (try unpack422(image), [])
    case .p010: return (try narrowP010(image), [])
    case .y210: return (try narrowY210(image), [])
    case .bgra, .rgba, .rgb24, .bgr24, .xrgb, .bayerBGGR, .bayerGBRG, .bayerGRBG, .bayerRGGB:
      let full = try rgb.full(image)
      return (try encoder.separate(full, format.size, format.pixelFormat, into: scratch), [])
    case .mjpeg:
      let header = try JPEGHeader(planes[0].bytes)
      var (decoded, notes) = try decoder.decode(planes[0].bytes, header, eighths: eighths(header.size))
      if let polarity = header.avi1Polarity, polarity != 0 {
        notes.append("The frame is one field of an interlaced picture (AVI1 polarity \(polarity)).")
      }
      return (decoded, notes)
    }
  }

  /// The luma where it is, the chroma taken apart.
  private func splitPairs(_ image: PixelBuffer) throws(ImageError) -> PlanarImage {
    let (size, sampling) = (image.format.size, image.format.pixelFormat.sampling)
    let chroma = sampling.chromaSize(size)
    let halves = try scratch.planar(
      PixelSize(width: chroma.width, height: chroma.height), .s444, image.format.color)
    let pairs = image.planes[1]
    SplitUVPlane(
      pairs.pointer, pairs.stride, halves.planes[1].pointer, halves.planes[1].stride,
      halves.planes[2].pointer,
      halves.planes[2].stride, Int32(chroma.width), Int32(chroma.height))
    let (first, second) = (halves.planes[1], halves.planes[2])
    let isSwapped = image.format.pixelFormat == .nv21
    return PlanarImage(
      size: size, sampling: sampling, color: image.format.color,
      planes: Planes(image.planes[0], isSwapped ? second : first, isSwapped ? first : second))
  }

  private func unpack422(_ image: PixelBuffer) throws(ImageError) -> PlanarImage {
    let planar = try scratch.planar(image.format.size, .s422, image.format.color)
    let isSwapped = image.format.pixelFormat == .yvyu
    let (y, u, v) = (planar.planes[0], planar.planes[isSwapped ? 2 : 1], planar.planes[isSwapped ? 1 : 2])
    let unpack = image.format.pixelFormat == .uyvy ? UYVYToI422 : YUY2ToI422
    _ = unpack(
      image.planes[0].pointer, image.planes[0].stride, y.pointer, y.stride, u.pointer, u.stride, v.pointer,
      v.stride, Int32(image.format.size.width), Int32(image.format.size.height))
    return planar
  }

  private func narrowP010(_ image: PixelBuffer) throws(ImageError) -> PlanarImage {
    let planar = try scratch.planar(image.format.size, .s420, image.format.color)
    let chroma = planar.planeSize(1)
    let narrow = TenBitNarrowing(image.format.color.range)
    for row in 0..<planar.size.height {
      narrow.row(image.planes[0].words(row), 1, planar.planes[0].row(row), planar.size.width)
    }
    for row in 0..<chroma.height {
      let pairs = image.planes[1].words(row)
      narrow.row(pairs, 2, planar.planes[1].row(row), chroma.width)
      narrow.row(pairs + 1, 2, planar.planes[2].row(row), chroma.width)
    }
    return planar
  }

  private func narrowY210(_ image: PixelBuffer) throws(ImageError) -> PlanarImage {
    let planar = try scratch.planar(image.format.size, .s422, image.format.color)
    let chroma = planar.planeSize(1)
    let narrow = TenBitNarrowing(image.format.color.range)
    for row in 0..<planar.size.height {
      let words = image.planes[0].words(row)
      narrow.row(words, 2, planar.planes[0].row(row), planar.size.width)
      narrow.row(words + 1, 4, planar.planes[1].row(row), chroma.width)
      narrow.row(words + 3, 4, planar.planes[2].row(row), chroma.width)
    }
    return planar
  }
}

/// 10-bit codes in the high bits of 16-bit words → 8-bit codes, rounded: a quarter for limited range, 255/1023 for full.
struct TenBitNarrowing {
  private let scale: Int32

  init(_ range: ColorRange) { scale = range == .limited ? 16384 : 16336 }  // 65536 · 255/1023 = 16335.9

  func row(_ words: UnsafePointer<UInt16>, _ step: Int, _ bytes: UnsafeMutablePointer<UInt8>, _ width: Int) {
    for x in 0..<width { bytes[x] = clampedToByte((Int32(words[x &* step] &>> 6) &* scale &+ 32768) &>> 16) }
  }
}

extension Plane {
  /// Row `index` as 16-bit words. V4L2 buffers and pools start on at least 8-byte boundaries.
  func words(_ index: Int) -> UnsafeMutablePointer<UInt16> {
    (base + index * bytesPerRow).assumingMemoryBound(to: UInt16.self)
  }
}
