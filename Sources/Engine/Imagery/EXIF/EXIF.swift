import Glibc

/// Reads the orientation in EXIF metadata (CIPA DC-008 "Exif 2.32", tag 0x0112), and writes it,
/// alone or with the other metadata of a photo. Reads nothing outside the given bytes.
public enum EXIF {
  /// The orientation in an EXIF block.
  enum Reading: Equatable {
    case orientation(Orientation)
    case absent
    case damaged(String)
  }

  /// The orientation in a TIFF structure, as it follows `Exif\0\0` in a JPEG APP1 segment or fills a PNG `eXIf` chunk.
  /// - Returns: nil if there is none or the block is damaged.
  public static func orientation(tiff bytes: UnsafeRawBufferPointer) -> Orientation? {
    guard case .orientation(let orientation) = read(tiff: bytes) else { return nil }
    return orientation
  }

  /// Tag 0x0112 of the first image directory: a whole number of 1...8, of SHORT or any other type that other readers accept; the first one if there
  /// are several.
  static func read(tiff bytes: UnsafeRawBufferPointer) -> Reading {
    let reader: TIFFReader
    do throws(TIFFReader.Damage) {
      reader = try TIFFReader(bytes)
      guard let entry = try reader.entry(0x0112, of: reader.first) else { return .absent }
      guard let value = reader.number(entry) else { return .damaged("its orientation is not a number") }
      guard let orientation = Orientation(exif: value) else {
        return .damaged("its orientation is \(value), outside 1 to 8")
      }
      return .orientation(orientation)
    } catch { return .damaged(error.reason) }
  }

  /// Whether colours are Adobe RGB (1998): by the index `R03` of DCF 2.0 in the interoperability directory, or by the colour space 2 of some cameras.
  static func isAdobeRGB(tiff bytes: UnsafeRawBufferPointer) -> Bool {
    guard let reader = try? TIFFReader(bytes), let exif = reader.directory(0x8769, of: reader.first) else {
      return false
    }
    if let entry = try? reader.entry(0xA001, of: exif), let space = reader.number(entry), space != 0xFFFF {
      return space == 2
    }
    guard let interoperability = reader.directory(0xA005, of: exif),
      let index = try? reader.entry(1, of: interoperability)
    else { return false }
    return reader.isText(index, "R03")
  }

  /// A TIFF structure with only the orientation, big-endian, 26 bytes.
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

  /// Moves the start marker and JFIF segment of a picture to the front of a buffer, and inserts the EXIF segment behind them.
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
