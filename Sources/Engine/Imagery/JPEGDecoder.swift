import CTurboJPEG
import Glibc

/// Decodes JPEG to planes of Y′CbCr as they are stored, at a fraction of the size if that suffices. One thread at a time.
///
/// libjpeg keeps the Huffman and quantisation tables of a picture for a later one that has none of its own. So each picture
/// gets a decompressor of its own, which takes microseconds: its appearance then depends only on its own data and the standard.
final class JPEGDecoder {
  private let planes = Scratch()
  private let rgb = Scratch()
  private let separated = Scratch()
  private let ended = Scratch()
  private lazy var encoder = JPEGEncoder()
  private let damage: DamagePolicy
  private let condition: BaselineJPEG.Condition?
  private let threads: PhotoThreads
  private lazy var colors = JPEGColors(encoder)
  private lazy var baseline: BaselineJPEG? = condition.flatMap { [threads] in
    BaselineJPEG(when: $0, threads: threads)
  }

  /// - Parameters:
  ///   - condition: when to try the baseline decoder first; nil leaves all pictures to libjpeg-turbo.
  ///   - threads: the threads that decode bands of pictures with restart markers.
  init(
    damage: DamagePolicy = .keep, baseline condition: BaselineJPEG.Condition? = .itIsFaster,
    threads: PhotoThreads = PhotoThreads(.never)
  ) {
    self.damage = damage
    self.threads = threads
    self.condition = condition
  }

  /// The size of a picture of `size` when decoded at `eighths`/8.
  static func scaled(_ size: PixelSize, _ eighths: Int) -> PixelSize {
    PixelSize(width: (size.width * eighths + 7) / 8, height: (size.height * eighths + 7) / 8)
  }

  /// - Parameters:
  ///   - bytes: a JPEG picture, possibly without Huffman tables (libjpeg-turbo then uses those of T.81 Annex K.3). A picture
  ///     without quantisation tables is corrupt: they have no standard.
  ///   - header: the header of these bytes, with the place of the picture in them.
  ///   - eighths: the scale, 1...8.
  /// - Returns: planes that are valid until the next call, in the picture's own sampling (BT.601 full), or without subsampling if a colour profile
  ///   was applied; and the defects of a picture that could still be decoded.
  func decode(
    _ bytes: UnsafeRawBufferPointer, _ header: JPEGHeader, eighths: Int = 8
  ) throws(ImageError) -> (image: PlanarImage, notes: [String]) {
    let (bytes, header) = header.alone(in: bytes)
    guard header.hasProfile || header.exif != nil else {
      return try decode(bytes, header, eighths: eighths, conversion: nil)
    }
    let (conversion, remark) = colors.conversion(of: bytes, header)
    var (image, notes) = try decode(bytes, header, eighths: eighths, conversion: conversion)
    if let remark { notes.append(remark) }
    guard let conversion, header.factors.count != 4 else { return (image, notes) }
    image = try colors.converted(image, conversion)
    return (image, notes)
  }

  /// Whether the picture's codes are those of sRGB, without any remark about them.
  func keepsColors(of bytes: UnsafeRawBufferPointer, _ header: JPEGHeader) -> Bool {
    guard header.hasProfile || header.exif != nil else { return true }
    let (bytes, header) = header.alone(in: bytes)
    let (conversion, remark) = colors.conversion(of: bytes, header)
    return conversion == nil && remark == nil
  }

  private func decode(
    _ bytes: UnsafeRawBufferPointer, _ header: JPEGHeader, eighths: Int, conversion: ColorConversion?
  ) throws(ImageError) -> (image: PlanarImage, notes: [String]) {
    guard bytes.count - header.scanStart >= 2 else {
      throw .truncated(format: "JPEG", have: bytes.count, needed: header.scanStart + 2)
    }
    if let image = try baseline?.decode(bytes, header, eighths: eighths, into: planes) { return (image, []) }
    guard let handle = tjInitDecompress() else { throw .outOfMemory(bytes: 0) }
    defer { tjDestroy(handle) }
    let (whole, isEnded) = try withEnd(bytes, header.scanStart)
    let (image, warning) = try decodeWhole(
      handle, whole, header: header, eighths: eighths, conversion: conversion)
    guard let warning else { return (image, []) }
    let isDamaged = Self.tellsDamage(warning) || !isEnded && header.lacksRestarts(in: bytes)
    if isDamaged, damage == .refuse { throw .corrupt(format: "JPEG", reason: warning) }
    return (image, ["The JPEG data is damaged (\(warning)); what could be decoded is shown."])
  }

  /// - Returns: the planes, and libjpeg's first warning.
  private func decodeWhole(
    _ handle: tjhandle, _ bytes: UnsafeRawBufferPointer, header: JPEGHeader, eighths: Int,
    conversion: ColorConversion?
  ) throws(ImageError) -> (PlanarImage, String?) {
    let source = bytes.bindMemory(to: UInt8.self).baseAddress
    var (width, height, sampling, space) = (Int32(0), Int32(0), Int32(-1), Int32(-1))
    let known =
      tjDecompressHeader3(handle, source, UInt(bytes.count), &width, &height, &sampling, &space) == 0
      && (space == TJCS_YCbCr.rawValue || space == TJCS_GRAY.rawValue)
    if known, let own = ChromaSampling(turboJPEG: sampling) {
      let size = PixelSize(width: Int(width), height: Int(height))
      try size.checkLimits()
      return try decodePlanes(handle, bytes, size: Self.scaled(size, eighths), sampling: own)
    }
    return try decodeThroughRGB(
      handle, bytes, size: Self.scaled(header.size, eighths), isFourInks: header.factors.count == 4,
      conversion: conversion)
  }

  /// Appends an end marker if there is none: without it, libjpeg reports complete data and truncated
  /// data alike. If there is one, nothing is copied; any bytes may follow the marker.
  private func withEnd(
    _ bytes: UnsafeRawBufferPointer, _ scanStart: Int
  ) throws(ImageError) -> (bytes: UnsafeRawBufferPointer, isEnded: Bool) {
    let isEnded = (scanStart..<bytes.count - 1).reversed().contains {
      bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD9
    }
    if isEnded { return (bytes, true) }
    let whole = UnsafeMutableRawBufferPointer(
      start: try ended.reserve(bytes.count + 2), count: bytes.count + 2)
    whole.copyMemory(from: bytes)
    (whole[bytes.count], whole[bytes.count + 1]) = (0xFF, 0xD9)
    return (UnsafeRawBufferPointer(whole), false)
  }

  private func decodePlanes(
    _ handle: tjhandle, _ bytes: UnsafeRawBufferPointer, size: PixelSize, sampling: ChromaSampling
  ) throws(ImageError) -> (PlanarImage, String?) {
    let image = try planes.planar(size, sampling, color: .jpeg)
    let status = image.planes.withPointers { bases, strides in
      tjDecompressToYUVPlanes(
        handle, bytes.bindMemory(to: UInt8.self).baseAddress, UInt(bytes.count), bases, Int32(size.width),
        strides, Int32(size.height), TJFLAG_LIMITSCANS)
    }
    return (image, try check(handle, status))
  }

  /// Decodes rare kinds of pictures: unusual sampling, RGB, CMYK and YCCK.
  private func decodeThroughRGB(
    _ handle: tjhandle, _ bytes: UnsafeRawBufferPointer, size: PixelSize, isFourInks: Bool,
    conversion: ColorConversion?
  ) throws(ImageError) -> (PlanarImage, String?) {
    let pixels = try rgb.reserve(size.area * 4)
    let status = tjDecompress2(
      handle, bytes.bindMemory(to: UInt8.self).baseAddress, UInt(bytes.count),
      pixels.assumingMemoryBound(to: UInt8.self), Int32(size.width), Int32(size.width * 4),
      Int32(size.height),
      (isFourInks ? TJPF_CMYK : TJPF_BGRA).turboJPEG, TJFLAG_LIMITSCANS)
    let warning = try check(handle, status)
    let plane = Plane(base: pixels, bytesPerRow: size.width * 4, height: size.height)
    if isFourInks, let conversion {
      conversion.apply(to: plane, width: size.width)
    } else if isFourInks {
      mixInks(plane)
    }
    let image = try encoder.separate(plane, size, format: .bgra, into: separated)
    return (image, warning)
  }

  /// Converts CMYK to BGRA in place: each colour is the light that its ink and black let through. Inks are assumed to be
  /// stored inverted, as Adobe stores them, even without Adobe's marker, as every other reader assumes.
  private func mixInks(_ plane: Plane) {
    for index in stride(from: 0, to: plane.byteCount, by: 4) {
      let pixel = plane.pointer + index
      let (red, green, blue, black) = (Int(pixel[0]), Int(pixel[1]), Int(pixel[2]), Int(pixel[3]))
      pixel[0] = UInt8((blue * black + 127) / 255)
      pixel[1] = UInt8((green * black + 127) / 255)
      pixel[2] = UInt8((red * black + 127) / 255)
      pixel[3] = 255
    }
  }

  /// Throws an error, after which there is no picture, or returns a warning, after
  /// which there is one. The warning tells whether that picture is right.
  private func check(_ handle: tjhandle, _ status: Int32) throws(ImageError) -> String? {
    guard status != 0 else { return nil }
    let reason = String(cString: tjGetErrorStr2(handle))
    guard tj_warned_only(handle) else { throw .corrupt(format: "JPEG", reason: reason) }
    return reason
  }

  /// Whether a warning of libjpeg (`jerror.h`) means that samples are missing or wrong. Stray bytes before a marker, odd parameters
  /// of a scan and unknown application markers are common in cameras, and change no sample. libjpeg reports only the first warning,
  /// so such a warning hides later damage.
  private static func tellsDamage(_ warning: String) -> Bool {
    // `String.contains` would link Swift's regular expressions into the viewfinder, about a megabyte.
    warning.hasPrefix("Premature end")
      || warning.hasPrefix("Corrupt JPEG data") && strstr(warning, " extraneous bytes before marker ") == nil
  }
}

extension PixelSize {
  /// The largest scale, in eighths, at which the size is within `ImageLimits.decodedArea`.
  var mostDecodedEighths: Int {
    (1...8).last { JPEGDecoder.scaled(self, $0).area <= ImageLimits.decodedArea } ?? 1
  }
}

extension ChromaSampling {
  init?(turboJPEG value: Int32) {
    switch value {
    case tj_444: self = .s444
    case tj_422: self = .s422
    case tj_420: self = .s420
    case tj_grey: self = .monochrome
    case tj_440: self = .s440
    case tj_411: self = .s411
    default: return nil
    }
  }

  var turboJPEG: Int32 {
    switch self {
    case .s444: tj_444
    case .s422: tj_422
    case .s440: tj_440
    case .s411: tj_411
    case .monochrome: tj_grey
    default: tj_420
    }
  }
}

extension TJPF {
  var turboJPEG: Int32 { Int32(rawValue) }
}
