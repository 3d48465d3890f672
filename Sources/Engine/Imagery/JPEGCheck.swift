/// Checks a compressed picture without decoding it, at almost no cost: bounded, and without allocation.
public enum JPEGCheck {
  /// The reason why the bytes cannot be decoded to a picture; nil if no fault is found. Reads the markers before the first scan
  /// (ITU-T T.81 Annex B), as the decoder does, and as many entropy-coded bytes as the emptiest picture of that size has.
  /// - Parameter announced: the size that the device announced, which tells the picture from a thumbnail before it.
  public static func fault(in bytes: UnsafeRawBufferPointer, announced: PixelSize? = nil) -> ImageError? {
    do throws(ImageError) {
      let header = try JPEGHeader(bytes, announced: announced)
      // A Huffman-coded block has at least two codes of one bit, and the first scan has all blocks of a component. Other pictures may
      // be smaller still.
      let isSequential = header.isOrdinary && !header.isProgressive
      let blocks = (header.size.width / 8) * (header.size.height / 8)
      try checkScan(bytes, from: header.scanStart, least: isSequential ? max(2, blocks / 4) : 2)
      return nil
    } catch { return error }
  }

  /// The reason why a camera's compressed frame cannot be decoded to a picture; nil if there is none.
  public static func fault(in image: PixelBuffer) -> ImageError? {
    fault(in: image.planes[0].bytes, announced: image.format.size)
  }

  /// Checks that the scan has at least `least` bytes before another marker ends it; restart markers do not end it.
  private static func checkScan(
    _ bytes: UnsafeRawBufferPointer, from start: Int, least: Int
  ) throws(ImageError) {
    let end = start + least
    guard end <= bytes.count else { throw .truncated(format: "JPEG", have: bytes.count, needed: end) }
    for index in start..<end - 1 where bytes[index] == 0xFF {
      let next = bytes[index + 1]
      guard next == 0 || next == 0xFF || (0xD0...0xD7).contains(next) else {
        throw .corrupt(
          format: "JPEG", reason: "its data end after \(index - start) of at least \(least) bytes")
      }
    }
  }
}
