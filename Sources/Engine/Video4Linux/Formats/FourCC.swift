/// A V4L2 pixel format code: four characters, the first in the lowest byte; bit 31 marks a big-endian variant.
public struct FourCC: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The kernel's number (`V4L2_PIX_FMT_…`).
  public let rawValue: UInt32

  /// Creates a code from any number, including one without a name here.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Creates a code from four ASCII characters, such as "MJPG"; nil for any other text.
  public init?(_ name: String) {
    let bytes = Array(name.utf8)
    guard bytes.count == 4, bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
    self.init(bytes[0], bytes[1], c: bytes[2], d: bytes[3])
  }

  private init(_ a: UInt8, _ b: UInt8, c: UInt8, d: UInt8) {
    rawValue = UInt32(a) | UInt32(b) << 8 | UInt32(c) << 16 | UInt32(d) << 24
  }

  private init(_ name: StaticString) {
    precondition(name.utf8CodeUnitCount == 4)
    self = name.withUTF8Buffer { FourCC($0[0], $0[1], c: $0[2], d: $0[3]) }
  }

  /// A luma plane, then a plane of Cb, Cr pairs at half width and height, in one buffer.
  public static let nv12 = FourCC("NV12" as StaticString)
  /// NV12 whose planes are in separate buffers.
  public static let nv12m = FourCC("NM12" as StaticString)
  /// As NV12, with Cr before Cb.
  public static let nv21 = FourCC("NV21" as StaticString)
  /// NV21 whose planes are in separate buffers.
  public static let nv21m = FourCC("NM21" as StaticString)
  /// As NV12, with chroma in every row.
  public static let nv16 = FourCC("NV16" as StaticString)
  /// NV16 whose planes are in separate buffers.
  public static let nv16m = FourCC("NM16" as StaticString)
  /// A luma plane, then planes of Cb and of Cr at half width and height, in one buffer.
  public static let yuv420 = FourCC("YU12" as StaticString)
  /// YU12 whose planes are in separate buffers.
  public static let yuv420m = FourCC("YM12" as StaticString)
  /// As YU12, with Cr before Cb.
  public static let yvu420 = FourCC("YV12" as StaticString)
  /// YV12 whose planes are in separate buffers.
  public static let yvu420m = FourCC("YM21" as StaticString)
  /// A luma plane, then planes of Cb and of Cr at half width, in one buffer.
  public static let yuv422p = FourCC("422P" as StaticString)
  /// Packed 4:2:2, luma first.
  public static let yuyv = FourCC("YUYV" as StaticString)
  /// Packed 4:2:2, chroma first.
  public static let uyvy = FourCC("UYVY" as StaticString)
  /// Packed 4:2:2, luma first, with Cr before Cb.
  public static let yvyu = FourCC("YVYU" as StaticString)
  /// One JPEG picture per frame; may lack its Huffman tables.
  public static let mjpeg = FourCC("MJPG" as StaticString)
  /// One JPEG picture per frame.
  public static let jpeg = FourCC("JPEG" as StaticString)
  /// Bytes B, G, R, A.
  public static let abgr32 = FourCC("AR24" as StaticString)
  /// Bytes B, G, R, and one without meaning.
  public static let xbgr32 = FourCC("XR24" as StaticString)
  /// Bytes R, G, B, A.
  public static let rgba32 = FourCC("AB24" as StaticString)
  /// Bytes R, G, B, and one without meaning.
  public static let rgbx32 = FourCC("XB24" as StaticString)
  /// Bytes A, R, G, B.
  public static let argb32 = FourCC("BA24" as StaticString)
  /// Bytes B, G, R, and one that drivers disagree about; superseded.
  public static let bgr32 = FourCC("BGR4" as StaticString)
  /// One byte that drivers disagree about, then R, G, B; superseded.
  public static let rgb32 = FourCC("RGB4" as StaticString)
  /// Bytes R, G, B.
  public static let rgb24 = FourCC("RGB3" as StaticString)
  /// Bytes B, G, R.
  public static let bgr24 = FourCC("BGR3" as StaticString)
  /// Luma alone.
  public static let grey = FourCC("GREY" as StaticString)
  /// As NV12, with 10 bits in the upper part of 16.
  public static let p010 = FourCC("P010" as StaticString)
  /// Packed 4:2:2, luma first, with 10 bits in the upper part of 16.
  public static let y210 = FourCC("Y210" as StaticString)

  /// The big-endian variant of the format (`v4l2_fourcc_be`).
  public var bigEndian: FourCC { FourCC(rawValue: rawValue | 1 << 31) }

  /// Whether the format has red, green and blue (or hue, saturation and value), so that the Y′CbCr encoding has no meaning
  /// and the default quantization is full range.
  public var isRGB: Bool { FourCC.rgbFormats.contains(self) }

  private static let rgbFormats: Set<FourCC> = Set(
    [
      "RGB1", "R444", "AR12", "XR12", "RA12", "RX12", "AB12", "XB12", "GA12", "BA12", "BX12", "RGBO", "AR15",
      "XR15", "RA15", "RX15", "AB15", "XB15", "BA15", "BX15", "RGBP", "RGBQ", "RGBR", "BGRH", "BGR3", "RGB3",
      "BGR4", "AR24", "XR24", "RA24", "RX24", "RGB4", "BA24", "BX24", "AB24", "XB24", "HSV3", "HSV4",
    ].compactMap { FourCC($0) })

  /// The four characters, unprintable ones as `?`, plus `-BE` for a big-endian variant, as v4l2-ctl prints it.
  public var description: String {
    let isBigEndian = rawValue >> 31 != 0
    let characters = (0..<4).map { place -> Character in
      let byte = UInt8(truncatingIfNeeded: (rawValue & 0x7FFF_FFFF) >> (8 * UInt32(place)))
      return (0x20...0x7E).contains(byte) ? Character(Unicode.Scalar(byte)) : "?"
    }
    return String(characters) + (isBigEndian ? "-BE" : "")
  }
}
