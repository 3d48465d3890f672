/// Converts the colours of JPEG pictures to sRGB, by the profile in APP2 segments (ICC.1:2022, B.4), or by EXIF. One thread at a time.
final class JPEGColors {
  private let encoder: JPEGEncoder
  private let (planes, band, rows) = (Scratch(), Scratch(), Scratch())
  /// The profile and the conversion of the latest picture: the next picture mostly has the same profile.
  private var known: (profile: [UInt8], conversion: ColorConversion?, remark: String?)?

  init(_ encoder: JPEGEncoder) { self.encoder = encoder }

  /// The conversion to sRGB, and a remark. The conversion is nil if the picture is sRGB or is assumed to be; a remark tells if that is a guess.
  func conversion(
    of bytes: UnsafeRawBufferPointer, _ header: JPEGHeader
  ) -> (ColorConversion?, String?) {
    guard header.hasProfile else { return header.factors.count == 3 ? byEXIF(bytes, header) : (nil, nil) }
    guard let profile = header.profile(in: bytes) else { return (nil, ColorConversion.Failure.damaged.note) }
    if let known, known.profile == profile { return (known.conversion, known.remark) }
    let made = profile.withUnsafeBytes { Self.conversion($0, components: header.factors.count) }
    known = (profile, made.0, made.1)
    return made
  }

  private static func conversion(
    _ bytes: UnsafeRawBufferPointer, components: Int
  ) -> (ColorConversion?, String?) {
    guard let profile = ICCProfile(bytes) else { return (nil, ColorConversion.Failure.damaged.note) }
    let fits =
      switch profile.space {
      case .grey: components == 1
      // Grey pictures may have an RGB profile.
      case .rgb: components == 1 || components == 3
      case .inks: components == 4
      }
    guard fits else {
      return (
        nil,
        "The colour profile is for another kind of pixels than the picture has, and was not applied."
      )
    }
    guard !profile.isSRGB else { return (nil, nil) }
    do throws(ColorConversion.Failure) {
      return (try ColorConversion(bytes, profile.space), nil)
    } catch { return (nil, error.note) }
  }

  /// Finds Adobe RGB by EXIF. Cameras that are set to Adobe RGB report it by the index `R03` of DCF 2.0, and mostly embed no profile.
  private func byEXIF(
    _ bytes: UnsafeRawBufferPointer, _ header: JPEGHeader
  ) -> (ColorConversion?, String?) {
    guard let exif = header.exif, EXIF.isAdobeRGB(tiff: UnsafeRawBufferPointer(rebasing: bytes[exif])) else {
      return (nil, nil)
    }
    if let known, known.profile.isEmpty { return (known.conversion, known.remark) }
    var made: (ColorConversion?, String?) = (nil, nil)
    do throws(ColorConversion.Failure) {
      made.0 = try ColorConversion(.adobeRGB, gamma: ColorPrimaries.adobeGamma)
    } catch { made.1 = error.note }
    known = ([], made.0, made.1)
    return made
  }

  /// The number of rows to hold as RGB at once.
  private static let bandRows = 64

  /// The picture converted to sRGB.
  func converted(_ image: PlanarImage, _ conversion: ColorConversion) throws(ImageError) -> PlanarImage {
    guard !image.sampling.isMonochrome else {
      recode(image, conversion.greys)
      return image
    }
    let size = image.size
    let result = try planes.planar(size, .s444, color: .jpeg)
    let bytesPerRow = (size.width * 4).aligned(to: 64)
    let base = try band.reserve(bytesPerRow * Self.bandRows)
    for row in stride(from: 0, to: size.height, by: Self.bandRows) {
      let part = PixelSize(width: size.width, height: min(Self.bandRows, size.height - row))
      let region = AspectFill.Region(x: 0, y: row, size: part)
      let pixels = Plane(base: base, bytesPerRow: bytesPerRow, height: part.height)
      let packed = PackedPixels(base: pixels.pointer, bytesPerRow: bytesPerRow, isRGBA: false)
      try image.cropped(region).writeRGB(packed, rows: rows)
      conversion.apply(to: pixels, width: size.width)
      try encoder.separate(pixels, part, format: .bgra, into: result.cropped(region))
    }
    return result
  }

  private func recode(_ image: PlanarImage, _ table: [UInt8]) {
    for row in 0..<image.size.height {
      let line = image.planes[0].row(row)
      for x in 0..<image.size.width { line[x] = table[Int(line[x])] }
    }
  }
}

extension JPEGHeader {
  /// The bytes of the profile, joined from its segments, each of which has its number and the number of segments.
  /// - Returns: nil if a segment is missing, duplicate or cut, or if the limit is exceeded.
  func profile(in bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    var (reader, parts, count) = (MarkerReader(bytes: bytes, position: start + 2), [Int: Range<Int>](), 0)
    while let (marker, body) = try? reader.next(endsAtEnd: false), body.upperBound <= scanStart {
      guard marker == 0xE2, bytes.hasText("ICC_PROFILE\0", at: body.lowerBound) else { continue }
      guard body.count > 14 else { return nil }
      let (number, all) = (Int(bytes[body.lowerBound + 12]), Int(bytes[body.lowerBound + 13]))
      guard count == 0 || count == all, (1...max(1, all)).contains(number), parts[number] == nil else {
        return nil
      }
      parts[number] = body.lowerBound + 14..<body.upperBound
      count = all
    }
    guard count > 0, parts.count == count, parts.values.reduce(0, { $0 + $1.count }) <= ICCProfile.mostBytes
    else { return nil }
    return (1...count).flatMap { parts[$0].map { Array(bytes[$0]) } ?? [] }
  }
}
