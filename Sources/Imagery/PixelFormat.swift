/// How the bytes of a frame are laid out, named as V4L2 names them.
///
/// All that is known of a format is in this file. `PlanarLoader` reads it, and `Packing` writes it.
public enum PixelFormat: String, Sendable, CaseIterable, Codable {
  /// Planar 4:2:0: a luma plane, then one plane of interleaved Cb, Cr pairs. V4L2 `NV12`.
  case nv12 = "NV12"
  /// Planar 4:2:0: luma, Cb, Cr. V4L2 `YU12`.
  case i420 = "YU12"
  /// Planar 4:2:2: luma, Cb, Cr. V4L2 `422P`.
  case i422 = "422P"
  /// Planar 4:4:4: luma, Cb, Cr. V4L2 has no single-buffer name; used inside the engine only.
  case i444 = "I444"
  /// Packed 4:2:2: Y0 Cb Y1 Cr. V4L2 `YUYV`.
  case yuyv = "YUYV"
  /// One JPEG picture a frame. V4L2 `MJPG`.
  case mjpeg = "MJPG"
  /// Packed 8-bit blue, green, red, alpha in memory order. V4L2 `AR24`.
  case bgra = "AR24"
  /// Packed 8-bit red, green, blue, alpha in memory order. V4L2 `AB24`.
  case rgba = "AB24"
  /// Luma only, 8 bits. V4L2 `GREY`.
  case grey = "GREY"
  /// 10-bit 4:2:0 in the high bits of little-endian 16-bit words, planes as NV12. V4L2 `P010`.
  case p010 = "P010"
  /// 10-bit packed 4:2:2 in the high bits of little-endian 16-bit words: Y0 Cb Y1 Cr. V4L2 `Y210`.
  case y210 = "Y210"
}

// Each of these has a case for every format, so that the compiler asks for a new one.
extension PixelFormat {
  /// Compressed frames have no rows.
  public var isCompressed: Bool { self == .mjpeg }

  /// Four bytes a pixel: three colours, and one that means alpha or nothing.
  package var isRGB: Bool {
    switch self {
    case .bgra, .rgba: true
    case .nv12, .i420, .i422, .i444, .yuyv, .mjpeg, .grey, .p010, .y210: false
    }
  }

  /// Samples are little-endian words of 16 bits, 10 of them used.
  package var isWide: Bool {
    switch self {
    case .p010, .y210: true
    case .nv12, .i420, .i422, .i444, .yuyv, .mjpeg, .bgra, .rgba, .grey: false
    }
  }

  /// The chroma sampling of a Y′CbCr format.
  var sampling: ChromaSampling {
    switch self {
    case .nv12, .i420, .p010: .s420
    case .i422, .yuyv, .y210: .s422
    case .grey: .monochrome
    case .i444, .mjpeg, .bgra, .rgba: .s444
    }
  }

  /// Bytes a row and rows of each plane, tightly packed as V4L2 gives them. Odd sizes round chroma up. Nil for a compressed format.
  func planes(of size: PixelSize) -> [(bytesPerRow: Int, height: Int)]? {
    let (width, height) = (size.width, size.height)
    let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
    return switch self {
    case .nv12: [(width, height), (halfWidth * 2, halfHeight)]
    case .i420: [(width, height), (halfWidth, halfHeight), (halfWidth, halfHeight)]
    case .i422: [(width, height), (halfWidth, height), (halfWidth, height)]
    case .i444: [(width, height), (width, height), (width, height)]
    case .yuyv: [(halfWidth * 4, height)]
    case .bgra, .rgba: [(width * 4, height)]
    case .grey: [(width, height)]
    case .p010: [(width * 2, height), (halfWidth * 4, halfHeight)]
    case .y210: [(halfWidth * 8, height)]
    case .mjpeg: nil
    }
  }

  /// Bytes from pixel to pixel in the first plane, and where in a pixel its luma is: the high byte of a wide sample. For RGB,
  /// where its three colours begin. Nil for a compressed format.
  var lumaPlace: (stride: Int, offset: Int)? {
    switch self {
    case .nv12, .i420, .i422, .i444, .grey: (1, 0)
    case .yuyv: (2, 0)
    case .p010: (2, 1)
    case .y210: (4, 1)
    case .bgra, .rgba: (4, 0)
    case .mjpeg: nil
    }
  }

  /// What it takes to read a format, to choose between formats that are equal otherwise. Cheapest first: nothing to unpack, then
  /// 4:2:2 and wider samples, then a decoder.
  package var conversionCost: Int {
    switch self {
    case .nv12: 0
    case .i420: 1
    case .yuyv: 2
    case .bgra, .rgba: 3
    case .i422: 4
    case .i444: 5
    case .p010: 6
    case .y210: 7
    case .mjpeg: 8
    // Cheap, but without colour.
    case .grey: 9
    }
  }
}
