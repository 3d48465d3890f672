/// Checks a camera's JPEG that is passed on unchanged, with the decoder that would show it, so that every receiver can decode it. One thread at a
/// time.
package final class JPEGJudge {
  private let decoder = JPEGDecoder(damage: .refuse)

  package init() {}

  /// A picture that can be decoded.
  package struct Picture {
    /// The bytes from the start marker on, without anything that the camera sent before. Valid as long as the frame.
    package let bytes: UnsafeRawBufferPointer
    /// The size in the picture's own header.
    package let size: PixelSize
    /// Whether browsers and players can decode it too: it has neither arithmetic coding nor inks.
    package let isOrdinary: Bool
  }

  /// Reads all codes of the picture, but decodes only an eighth of its size, which takes a millisecond for 1080p.
  /// - Throws: the errors of decoding for a damaged picture.
  package func picture(of image: PixelBuffer) throws(ImageError) -> Picture {
    try image.checkPlanes()
    let (bytes, header) = try JPEGHeader(image).alone(in: image.planes[0].bytes)
    _ = try decoder.decode(bytes, header, eighths: 1)
    let isOrdinary = header.isOrdinary && [1, 3].contains(header.factors.count)
    return Picture(bytes: bytes, size: header.size, isOrdinary: isOrdinary)
  }
}
