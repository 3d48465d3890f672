import CVideo4Linux

/// The order of the lines and fields of a frame (`enum v4l2_field`).
public enum FieldOrder: UInt32, Sendable, CaseIterable {
  /// For requests only: the driver decides.
  case any = 0
  /// Progressive.
  case none = 1
  /// Only the top field.
  case top = 2
  /// Only the bottom field.
  case bottom = 3
  /// Both fields, interleaved; the video standard decides which is older.
  case interlaced = 4
  /// Both fields, one after the other: first the top field, which is older.
  case sequentialTopBottom = 5
  /// Both fields, one after the other: first the bottom field, which is older.
  case sequentialBottomTop = 6
  /// One field in each buffer, alternating.
  case alternate = 7
  /// Both fields, interleaved, the top field older.
  case interlacedTopBottom = 8
  /// Both fields, interleaved, the bottom field older.
  case interlacedBottomTop = 9
}

/// The layout of one plane of a frame.
public struct PlaneLayout: Hashable, Sendable {
  /// The distance between the starts of rows, in bytes; 0 for compressed formats.
  public var bytesPerLine: Int
  /// The largest number of bytes of a frame.
  public var sizeImage: Int

  /// - Parameters:
  ///   - bytesPerLine: 0 lets the driver choose; also 0 for compressed formats.
  ///   - sizeImage: 0 lets the driver choose.
  public init(bytesPerLine: Int, sizeImage: Int) {
    self.bytesPerLine = bytesPerLine
    self.sizeImage = sizeImage
  }
}

/// A frame format of a driver (`VIDIOC_G_FMT`), in either flavour of the API.
public struct VideoFormat: Hashable, Sendable, CustomStringConvertible {
  /// The pixel format.
  public var fourCC: FourCC
  /// The size in pixels.
  public var size: FrameSize
  /// The order of the frame's lines and fields.
  public var field: FieldOrder
  /// One layout per buffer plane: contiguous formats such as NV12 have one, NM12 two. At most 8.
  public var planes: [PlaneLayout]
  /// The colorimetry as the driver reports it; see `Colorimetry.resolved`.
  public var colorimetry: Colorimetry
  /// For requests: whether the driver shall convert to `colorimetry` (`V4L2_PIX_FMT_FLAG_SET_CSC`), if it offers that
  /// (`FormatDescription.conversions`). Otherwise the driver decides the colorimetry.
  public var convertsColor: Bool

  /// Creates a format for a request; the driver fills in the unspecified parts.
  public init(
    fourCC: FourCC, size: FrameSize, field: FieldOrder = .none, planes: [PlaneLayout] = [],
    colorimetry: Colorimetry = Colorimetry(), convertsColor: Bool = false
  ) {
    self.convertsColor = convertsColor
    self.fourCC = fourCC
    self.size = size
    self.field = field
    self.planes = planes
    self.colorimetry = colorimetry
  }

  /// Text such as `1280×720 NV12`.
  public var description: String { "\(size) \(fourCC)" }
}

extension VideoFormat {
  init(_ pix: v4l2_pix_format) {
    // Without the magic number, the fields after it are undefined.
    let isExtended = pix.priv == UInt32(V4L2_PIX_FMT_PRIV_MAGIC)
    self.init(
      fourCC: FourCC(rawValue: pix.pixelformat),
      size: FrameSize(width: Int(pix.width), height: Int(pix.height)),
      field: FieldOrder(rawValue: pix.field) ?? .any,
      planes: [PlaneLayout(bytesPerLine: Int(pix.bytesperline), sizeImage: Int(pix.sizeimage))],
      colorimetry: Colorimetry(
        space: pix.colorspace, encoding: isExtended ? pix.ycbcr_enc : 0,
        quantization: isExtended ? pix.quantization : 0, transfer: isExtended ? pix.xfer_func : 0))
  }

  /// Nil if the driver reports no plane, or more than V4L2 allows.
  init?(_ pix: v4l2_pix_format_mplane) {
    guard (1...Int(VIDEO_MAX_PLANES)).contains(Int(pix.num_planes)) else { return nil }
    let planes = withUnsafeBytes(of: pix.plane_fmt) { bytes in
      (0..<Int(pix.num_planes)).map { index in
        let plane = bytes.loadUnaligned(
          fromByteOffset: index * MemoryLayout<v4l2_plane_pix_format>.stride, as: v4l2_plane_pix_format.self)
        return PlaneLayout(bytesPerLine: Int(plane.bytesperline), sizeImage: Int(plane.sizeimage))
      }
    }
    self.init(
      fourCC: FourCC(rawValue: pix.pixelformat),
      size: FrameSize(width: Int(pix.width), height: Int(pix.height)),
      field: FieldOrder(rawValue: pix.field) ?? .any, planes: planes,
      colorimetry: Colorimetry(
        space: pix.colorspace, encoding: UInt32(pix.ycbcr_enc), quantization: UInt32(pix.quantization),
        transfer: UInt32(pix.xfer_func)))
  }

  var singlePlanar: v4l2_pix_format {
    var pix = v4l2_pix_format()
    pix.width = UInt32(clamping: size.width)
    pix.height = UInt32(clamping: size.height)
    pix.pixelformat = fourCC.rawValue
    pix.field = field.rawValue
    pix.bytesperline = UInt32(clamping: planes.first?.bytesPerLine ?? 0)
    pix.sizeimage = UInt32(clamping: planes.first?.sizeImage ?? 0)
    pix.colorspace = colorimetry.space.rawValue
    pix.ycbcr_enc = colorimetry.encoding.rawValue
    pix.quantization = colorimetry.quantization.rawValue
    pix.xfer_func = colorimetry.transfer.rawValue
    pix.priv = UInt32(V4L2_PIX_FMT_PRIV_MAGIC)
    if convertsColor { pix.flags = UInt32(V4L2_PIX_FMT_FLAG_SET_CSC) }
    return pix
  }

  var multiPlanar: v4l2_pix_format_mplane {
    var pix = v4l2_pix_format_mplane()
    pix.width = UInt32(clamping: size.width)
    pix.height = UInt32(clamping: size.height)
    pix.pixelformat = fourCC.rawValue
    pix.field = field.rawValue
    pix.colorspace = colorimetry.space.rawValue
    pix.ycbcr_enc = UInt8(clamping: colorimetry.encoding.rawValue)
    pix.quantization = UInt8(clamping: colorimetry.quantization.rawValue)
    pix.xfer_func = UInt8(clamping: colorimetry.transfer.rawValue)
    if convertsColor { pix.flags = UInt8(V4L2_PIX_FMT_FLAG_SET_CSC) }
    let layouts = planes.prefix(Int(VIDEO_MAX_PLANES))
    pix.num_planes = UInt8(layouts.count)
    withUnsafeMutableBytes(of: &pix.plane_fmt) { bytes in
      for (index, layout) in layouts.enumerated() {
        var plane = v4l2_plane_pix_format()
        plane.bytesperline = UInt32(clamping: layout.bytesPerLine)
        plane.sizeimage = UInt32(clamping: layout.sizeImage)
        bytes.storeBytes(
          of: plane, toByteOffset: index * MemoryLayout.stride(ofValue: plane), as: type(of: plane))
      }
    }
    return pix
  }
}
