/// What can be known of a compressed picture before it is decoded, at next to no cost: bounded, and without memory.
public enum JPEGCheck {
  /// Why the bytes cannot be decoded to a picture; nil when nothing speaks against it. Looks at the markers before the first
  /// scan (ITU-T T.81 Annex B), and at as many entropy-coded bytes as the emptiest picture of that size has.
  public static func fault(in bytes: UnsafeRawBufferPointer) -> ImageError? {
    guard JPEGHeader.isJPEG(bytes) else {
      return .corrupt(format: "JPEG", reason: "it does not begin with a start marker")
    }
    do throws(ImageError) {
      try check(bytes)
      return nil
    } catch { return error }
  }

  private static func check(_ bytes: UnsafeRawBufferPointer) throws(ImageError) {
    var reader = MarkerReader(bytes: bytes, position: 2)
    var size: PixelSize?
    var isSequential = false
    while let (marker, body) = try reader.next() {
      switch marker {
      case 0xC0...0xCF where marker != 0xC4 && marker != 0xC8 && marker != 0xCC:
        size = try frameSize(bytes, body)
        isSequential = marker <= 0xC1
      case 0xDA:
        guard let size else { throw .corrupt(format: "JPEG", reason: "a scan comes before the frame header") }
        // A Huffman-coded block has two codes of a bit at least, and the first scan has all blocks of a component. Others may
        // be smaller still.
        let least = isSequential ? max(2, (size.width / 8) * (size.height / 8) / 4) : 2
        return try checkScan(bytes, from: body.upperBound, least: least)
      default: break
      }
    }
    throw .truncated(format: "JPEG", have: bytes.count, needed: bytes.count + 2)
  }

  private static func frameSize(
    _ bytes: UnsafeRawBufferPointer, _ body: Range<Int>
  ) throws(ImageError) -> PixelSize {
    guard body.count >= 9 else { throw .corrupt(format: "JPEG", reason: "its frame header is too short") }
    let size = PixelSize(width: bytes.big16(body.lowerBound + 3), height: bytes.big16(body.lowerBound + 1))
    guard size.width > 0, size.height > 0 else {
      throw .corrupt(format: "JPEG", reason: "its header gives a size of \(size)")
    }
    try size.checkLimits()
    return size
  }

  /// The scan goes on for so many bytes before another marker ends it; restart markers do not.
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
