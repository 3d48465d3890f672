import CYUV

/// A picture file from outside: JPEG or PNG, told apart by content, not by name.
public enum ImageFile {
  /// JPEG stays compressed (`mjpeg`); its header has been checked, its pixels are decoded where they are used. PNG becomes
  /// `bgra`, what is transparent on white.
  ///
  /// Damaged EXIF is a note, never an error; the picture then counts as upright.
  /// - Throws: `unrecognised`, `truncated`, `corrupt`, `tooLarge`, `unsupported`.
  public static func read(
    _ bytes: [UInt8]
  ) throws(ImageError) -> (image: PixelBuffer, orientation: Orientation, notes: [String]) {
    // `withUnsafeBytes` does not carry typed errors out.
    let result = bytes.withUnsafeBytes { raw in
      Result { () throws(ImageError) in
        if PNGCodec.isPNG(raw) { return try readPNG(raw) }
        guard JPEGHeader.isJPEG(raw) else { throw .unrecognised }
        return try readJPEG(raw)
      }
    }
    return try result.get()
  }

  private static func readJPEG(
    _ bytes: UnsafeRawBufferPointer
  ) throws(ImageError) -> (PixelBuffer, Orientation, [String]) {
    let header = try JPEGHeader(bytes)
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
    let pixels = try PNGCodec.decode(bytes, header.size)
    let format = ImageFormat(pixelFormat: .bgra, size: header.size, color: .jpeg)
    let image = try PixelBufferPool().makeBuffer(format)
    pixels.withUnsafeBufferPointer { source in
      _ = RGB24ToARGB(
        source.baseAddress, Int32(header.size.width * 3), image.planes[0].pointer, image.planes[0].stride,
        Int32(header.size.width), Int32(header.size.height))
    }
    let (orientation, notes) = orientation(header.exif, bytes)
    return (image, orientation, notes)
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
