/// The layout of the bytes of a frame, named as in V4L2.
///
/// This file has all properties of the formats. `PlanarLoader` reads the formats, and `Packing` writes them.
public enum PixelFormat: String, Sendable, CaseIterable, Codable {
  /// Planar 4:2:0: a luma plane, then one plane of interleaved Cb, Cr pairs. V4L2 `NV12`.
  case nv12 = "NV12"
  /// As NV12, with Cr before Cb. V4L2 `NV21`.
  case nv21 = "NV21"
  /// As NV12 with chroma in every row: 4:2:2. V4L2 `NV16`.
  case nv16 = "NV16"
  /// Planar 4:2:0: luma, Cb, Cr. V4L2 `YU12`.
  case i420 = "YU12"
  /// Planar 4:2:0: luma, Cr, Cb. V4L2 `YV12`.
  case yv12 = "YV12"
  /// Planar 4:2:2: luma, Cb, Cr. V4L2 `422P`.
  case i422 = "422P"
  /// Planar 4:4:4: luma, Cb, Cr. V4L2 has no single-buffer name; used inside the engine only.
  case i444 = "I444"
  /// Packed 4:2:2: Y0 Cb Y1 Cr. V4L2 `YUYV`.
  case yuyv = "YUYV"
  /// Packed 4:2:2: Y0 Cr Y1 Cb. V4L2 `YVYU`.
  case yvyu = "YVYU"
  /// Packed 4:2:2: Cb Y0 Cr Y1. V4L2 `UYVY`.
  case uyvy = "UYVY"
  /// One JPEG picture a frame. V4L2 `MJPG`.
  case mjpeg = "MJPG"
  /// Packed 8-bit blue, green, red, alpha in memory order. V4L2 `AR24`.
  case bgra = "AR24"
  /// Packed 8-bit red, green, blue, alpha in memory order. V4L2 `AB24`.
  case rgba = "AB24"
  /// Packed 8-bit red, green, blue in memory order. V4L2 `RGB3`.
  case rgb24 = "RGB3"
  /// Packed 8-bit blue, green, red in memory order. V4L2 `BGR3`.
  case bgr24 = "BGR3"
  /// Packed 8 bits: an unused byte, then red, green, blue in memory order. V4L2 `BX24`.
  case xrgb = "BX24"
  /// Raw sensor, 8 bits: rows of blue and green alternate with rows of green and red. V4L2 `BA81`. All four Bayer formats are demosaiced by
  /// the mean of neighbours, which is softer than a camera's own processing.
  case bayerBGGR = "BA81"
  /// Raw sensor, 8 bits: rows of green and blue alternate with rows of red and green. V4L2 `GBRG`.
  case bayerGBRG = "GBRG"
  /// Raw sensor, 8 bits: rows of green and red alternate with rows of blue and green. V4L2 `GRBG`.
  case bayerGRBG = "GRBG"
  /// Raw sensor, 8 bits: rows of red and green alternate with rows of green and blue. V4L2 `RGGB`.
  case bayerRGGB = "RGGB"
  /// Luma only, 8 bits. V4L2 `GREY`.
  case grey = "GREY"
  /// 10-bit 4:2:0 in the high bits of little-endian 16-bit words, planes as NV12. V4L2 `P010`.
  case p010 = "P010"
  /// 10-bit packed 4:2:2 in the high bits of little-endian 16-bit words: Y0 Cb Y1 Cr. V4L2 `Y210`.
  case y210 = "Y210"
}

// Most of these properties list every format, so that the compiler demands a decision for a new format.
extension PixelFormat {
  /// Whether frames are compressed, without rows of pixels.
  public var isCompressed: Bool { self == .mjpeg }

  /// Whether red, green and blue of every pixel are adjacent.
  package var isRGB: Bool {
    switch self {
    case .bgra, .rgba, .rgb24, .bgr24, .xrgb: true
    case .nv12, .nv21, .nv16, .i420, .yv12, .i422, .i444, .yuyv, .yvyu, .uyvy, .mjpeg, .grey, .p010, .y210,
      .bayerBGGR, .bayerGBRG, .bayerGRBG, .bayerRGGB:
      false
    }
  }

  /// Whether each pixel has one colour, as behind a sensor's filter; the other colours come from its neighbours (demosaicing).
  public var isBayer: Bool { bayer != nil }

  /// Whether pixels have red, green or blue values, so that the Y′CbCr matrix has no meaning.
  package var carriesRGB: Bool { isRGB || isBayer }

  /// The position of red in each square of four.
  var bayer: BayerPattern? {
    switch self {
    case .bayerBGGR: BayerPattern(redX: 1, redY: 1)
    case .bayerGBRG: BayerPattern(redX: 0, redY: 1)
    case .bayerGRBG: BayerPattern(redX: 1, redY: 0)
    case .bayerRGGB: BayerPattern(redX: 0, redY: 0)
    default: nil
    }
  }

  /// Whether samples are little-endian 16-bit words with 10 used bits.
  package var isWide: Bool {
    switch self {
    case .p010, .y210: true
    default: false
    }
  }

  /// The chroma sampling of a Y′CbCr format.
  var sampling: ChromaSampling {
    switch self {
    case .nv12, .nv21, .i420, .yv12, .p010: .s420
    case .nv16, .i422, .yuyv, .yvyu, .uyvy, .y210: .s422
    case .grey: .monochrome
    case .i444, .mjpeg, .bgra, .rgba, .rgb24, .bgr24, .xrgb, .bayerBGGR, .bayerGBRG, .bayerGRBG, .bayerRGGB:
      .s444
    }
  }

  /// The bytes per row and the rows of each plane, tightly packed as in V4L2. Chroma of odd sizes is rounded up. Nil for a compressed format.
  func planes(of size: PixelSize) -> PlaneShapes? {
    let (width, height) = (size.width, size.height)
    let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
    return switch self {
    case .nv12, .nv21: PlaneShapes((width, height), (halfWidth * 2, halfHeight))
    case .nv16: PlaneShapes((width, height), (halfWidth * 2, height))
    case .i420, .yv12: PlaneShapes((width, height), (halfWidth, halfHeight), last: (halfWidth, halfHeight))
    case .i422: PlaneShapes((width, height), (halfWidth, height), last: (halfWidth, height))
    case .i444: PlaneShapes((width, height), (width, height), last: (width, height))
    case .yuyv, .yvyu, .uyvy: PlaneShapes((halfWidth * 4, height))
    case .bgra, .rgba, .xrgb: PlaneShapes((width * 4, height))
    case .rgb24, .bgr24: PlaneShapes((width * 3, height))
    case .grey, .bayerBGGR, .bayerGBRG, .bayerGRBG, .bayerRGGB: PlaneShapes((width, height))
    case .p010: PlaneShapes((width * 2, height), (halfWidth * 4, halfHeight))
    case .y210: PlaneShapes((halfWidth * 8, height))
    case .mjpeg: nil
    }
  }

  /// The distance between pixels in the first plane, and the offset of luma in a pixel, both in bytes. For wide samples
  /// the offset is that of the high byte; for RGB, that of the three colours. Nil for a compressed format.
  var lumaPlace: (stride: Int, offset: Int)? {
    switch self {
    // For a Bayer picture, any colour of a pixel: that is enough to read grey charts.
    case .nv12, .nv21, .nv16, .i420, .yv12, .i422, .i444, .grey, .bayerBGGR, .bayerGBRG, .bayerGRBG,
      .bayerRGGB:
      (1, 0)
    case .yuyv, .yvyu: (2, 0)
    case .uyvy, .p010: (2, 1)
    case .y210: (4, 1)
    case .bgra, .rgba: (4, 0)
    case .xrgb: (4, 1)
    case .rgb24, .bgr24: (3, 0)
    case .mjpeg: nil
    }
  }

  /// The relative cost of reading a format, to choose between otherwise equal formats. Cheapest first: nothing to unpack, then
  /// 4:2:2 and wider samples, then a decoder.
  package var conversionCost: Int {
    switch self {
    case .nv12: 0
    case .nv21: 1
    case .i420, .yv12: 2
    case .yuyv, .yvyu, .uyvy: 3
    case .bgra, .rgba: 4
    case .nv16: 5
    case .i422: 6
    case .i444: 7
    case .rgb24, .bgr24, .xrgb: 8
    case .p010: 9
    case .y210: 10
    case .mjpeg: 11
    // Formats with interpolated colours come next; formats without colours last.
    case .bayerBGGR, .bayerGBRG, .bayerGRBG, .bayerRGGB: 12
    case .grey: 13
    }
  }
}
