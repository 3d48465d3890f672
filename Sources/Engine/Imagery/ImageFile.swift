/// A picture file from outside: JPEG or PNG, recognised by content, not by name.
public enum ImageFile {
  /// Reads a picture file. JPEG stays compressed (`mjpeg`); its header is checked here, its pixels are decoded when they are used. PNG becomes
  /// `bgra`, with transparent parts on white; beyond `ImageLimits.decodedArea` it is reduced, which adds a note.
  ///
  /// Colours are converted to sRGB if a profile, or EXIF, declares another colour space. Damaged EXIF and damaged profiles add a note and cause no
  /// error; the picture then counts as upright, and as sRGB.
  /// - Throws: `unrecognised`, `truncated`, `corrupt`, `tooLarge`, `unsupported`.
  public static func read(
    _ bytes: [UInt8]
  ) throws(ImageError) -> (image: PixelBuffer, orientation: Orientation, notes: [String]) {
    try read(bytes, announced: nil)
  }

  /// - Parameter announced: the size that a device announced for its pictures, if this is one of them.
  package static func read(
    _ bytes: [UInt8], announced: PixelSize?
  ) throws(ImageError) -> (image: PixelBuffer, orientation: Orientation, notes: [String]) {
    // `withUnsafeBytes` does not pass on typed errors.
    let result = bytes.withUnsafeBytes { raw in
      Result { () throws(ImageError) in
        if PNGCodec.isPNG(raw) { return try readPNG(raw) }
        return try readJPEG(raw, announced)
      }
    }
    return try result.get()
  }

  /// The signatures of other formats that may contain a JPEG picture: TIFF and raw pictures, RIFF, MP4 and HEIF, GIF, PDF, Photoshop, ZIP, MP3,
  /// Matroska.
  private static let others: [(at: Int, text: StaticString)] = [
    (0, "II"), (0, "MM"), (0, "RIFF"), (4, "ftyp"), (0, "GIF8"), (0, "%PDF"), (0, "8BPS"), (0, "PK"),
    (0, "ID3"), (0, "BM"), (0, "FUJI"),
    (31, "matroska"), (24, "webm"),
  ]

  private static func readJPEG(
    _ bytes: UnsafeRawBufferPointer, _ announced: PixelSize?
  ) throws(ImageError) -> (PixelBuffer, Orientation, [String]) {
    let isOther = others.contains { bytes.hasText($0.text, at: $0.at) }
    guard JPEGHeader.isJPEG(bytes) || !isOther && JPEGHeader.hasStart(bytes) else { throw .unrecognised }
    let header = try JPEGHeader(bytes, announced: announced)
    let format = ImageFormat(pixelFormat: .mjpeg, size: header.size, color: .jpeg)
    var (orientation, notes) = orientation(header.exif, bytes)
    if let polarity = header.avi1Polarity, polarity != 0 {
      notes.append("The picture is one field of an interlaced frame (AVI1 polarity \(polarity)).")
    }
    return (try PixelBufferPool().makeBuffer(format, compressed: bytes), orientation, notes)
  }

  private static func readPNG(
    _ bytes: UnsafeRawBufferPointer
  ) throws(ImageError) -> (PixelBuffer, Orientation, [String]) {
    let header = try PNGCodec.Header(bytes)
    let reader = try PNGReader(bytes, header)
    let image = try reader.picture()
    let (orientation, notes) = orientation(header.exif, bytes)
    return (image, orientation, notes + reader.notes)
  }

  /// Whether every reader interprets the file as this engine does, because nothing precedes its picture and its codes are sRGB.
  package static func isPlain(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { raw in
      guard let header = try? JPEGHeader(raw) else { return PNGCodec.isPNG(raw) }
      let isShared = header.start == 0 && header.isOrdinary && [1, 3].contains(header.factors.count)
      return isShared && JPEGDecoder().keepsColors(of: raw, header)
    }
  }

  private static func orientation(
    _ exif: Range<Int>?, _ bytes: UnsafeRawBufferPointer
  ) -> (Orientation, [String]) {
    guard let exif else { return (.upright, []) }
    switch EXIF.read(tiff: UnsafeRawBufferPointer(rebasing: bytes[exif])) {
    case .orientation(let orientation): return (orientation, [])
    case .absent: return (.upright, [])
    case .damaged(let reason):
      return (.upright, ["The EXIF metadata is damaged (\(reason)); the picture is taken as upright."])
    }
  }
}
