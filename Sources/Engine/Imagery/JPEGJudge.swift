/// Judges a camera's JPEG that is passed on as it is, by the decoder that would show it: whoever gets it can decode it. One thread at a time.
package final class JPEGJudge {
  private let decoder = JPEGDecoder(damage: .refuse)

  package init() {}

  /// A picture that can be decoded.
  package struct Picture {
    /// From its start marker on, without what the camera sent before. Valid as long as the frame.
    package let bytes: UnsafeRawBufferPointer
    /// By its own header.
    package let size: PixelSize
    /// Browsers and players can decode it too: neither arithmetic codes nor inks.
    package let isOrdinary: Bool
  }

  /// Reads all codes of the picture, but makes only an eighth of its size: a millisecond for 1080p.
  /// - Throws: as decoding does for a damaged picture.
  package func picture(of image: PixelBuffer) throws(ImageError) -> Picture {
    try image.checkPlanes()
    let (bytes, header) = try JPEGHeader(image).alone(in: image.planes[0].bytes)
    _ = try decoder.decode(bytes, header, eighths: 1)
    let isOrdinary = header.isOrdinary && [1, 3].contains(header.factors.count)
    return Picture(bytes: bytes, size: header.size, isOrdinary: isOrdinary)
  }
}
