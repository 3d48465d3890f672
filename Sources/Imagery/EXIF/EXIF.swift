import Glibc

/// The orientation in EXIF metadata (CIPA DC-008 "Exif 2.32", tag 0x0112), read within bounds and written minimally.
public enum EXIF {
  /// What an EXIF block says of orientation.
  enum Reading: Equatable {
    case orientation(Orientation)
    case absent
    case damaged(String)
  }

  /// The orientation in a TIFF structure, as it follows `Exif\0\0` in a JPEG APP1 segment or fills a PNG `eXIf` chunk.
  /// - Returns: nil when there is none or the block is damaged.
  public static func orientation(tiff bytes: UnsafeRawBufferPointer) -> Orientation? {
    guard case .orientation(let orientation) = read(tiff: bytes) else { return nil }
    return orientation
  }

  /// The first image directory's tag 0x0112, which must be one SHORT of 1...8.
  static func read(tiff bytes: UnsafeRawBufferPointer) -> Reading {
    guard bytes.count >= 8 else { return .damaged("it is shorter than its header") }
    let isLittle = bytes.hasText("II", at: 0)
    guard isLittle || bytes.hasText("MM", at: 0) else { return .damaged("its byte order is not given") }
    let word = { (at: Int) in isLittle ? Int(bytes[at]) | Int(bytes[at + 1]) << 8 : bytes.big16(at) }
    let long = { (at: Int) in isLittle ? word(at) | word(at + 2) << 16 : bytes.big32(at) }
    guard word(2) == 42 else { return .damaged("its TIFF number is not 42") }
    let directory = long(4)
    guard directory >= 8, directory + 2 <= bytes.count else { return .damaged("its directory is outside it") }
    for index in 0..<word(directory) {
      let entry = directory + 2 + index * 12
      guard entry + 12 <= bytes.count else { return .damaged("its directory is cut short") }
      guard word(entry) == 0x0112 else { continue }
      guard word(entry + 2) == 3, long(entry + 4) == 1 else {
        return .damaged("its orientation is not a number")
      }
      guard let orientation = Orientation(exif: word(entry + 8)) else {
        return .damaged("its orientation is \(word(entry + 8)), outside 1 to 8")
      }
      return .orientation(orientation)
    }
    return .absent
  }

  /// A TIFF structure with the orientation and nothing else, big-endian, 26 bytes.
  public static func tiff(_ orientation: Orientation) -> [UInt8] {
    [0x4D, 0x4D, 0, 42, 0, 0, 0, 8]  // Big-endian, 42, directory at 8.
      + [0, 1]  // One entry:
      + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation.exif), 0, 0]  // Tag, SHORT, one, value.
      + [0, 0, 0, 0]  // No further directory.
  }

  /// A whole JPEG APP1 segment with the orientation.
  public static func application1(_ orientation: Orientation) -> [UInt8] {
    let body = [UInt8]("Exif\0\0".utf8) + tiff(orientation)
    return [0xFF, 0xE1, 0, UInt8(body.count + 2)] + body
  }

  /// Moves the start marker and JFIF segment of a picture to the front of a buffer, and the EXIF segment behind them.
  /// - Parameter buffer: room for the segment, then the picture.
  static func insert(_ segment: [UInt8], into buffer: UnsafeMutableBufferPointer<UInt8>) {
    guard !segment.isEmpty, let base = buffer.baseAddress else { return }
    let picture = base + segment.count
    let head = picture[2] == 0xFF && picture[3] == 0xE0 ? 4 + (Int(picture[4]) << 8 | Int(picture[5])) : 2
    memmove(base, picture, head)
    segment.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return }
      memcpy(base + head, start, bytes.count)
    }
  }
}
