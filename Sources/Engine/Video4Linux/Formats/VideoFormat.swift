import CVideo4Linux

/// In which order the lines of a frame were taken (`enum v4l2_field`).
public enum FieldOrder: UInt32, Sendable, CaseIterable {
  /// A wish only: the driver decides.
  case any = 0
  /// Progressive.
  case none = 1
  /// The upper lines alone.
  case top = 2
  /// The lower lines alone.
  case bottom = 3
  /// Both fields, line by line; which is older depends on the standard.
  case interlaced = 4
  /// Both fields, the upper one above the other and older.
  case sequentialTopBottom = 5
  /// Both fields, the lower one above the other and older.
  case sequentialBottomTop = 6
  /// One field in each buffer, by turns.
  case alternate = 7
  /// Both fields, line by line, the upper one older.
  case interlacedTopBottom = 8
  /// Both fields, line by line, the lower one older.
  case interlacedBottomTop = 9
}

/// The layout of one plane of a frame.
public struct PlaneLayout: Hashable, Sendable {
  /// Distance between the starts of rows, in bytes; 0 for compressed formats.
  public var bytesPerLine: Int
  /// The most bytes a frame takes.
  public var sizeImage: Int

  /// - Parameters:
  ///   - bytesPerLine: 0 lets the driver choose, and for compressed formats.
  ///   - sizeImage: 0 lets the driver choose.
  public init(bytesPerLine: Int, sizeImage: Int) {
    self.bytesPerLine = bytesPerLine
    self.sizeImage = sizeImage
  }
}

/// A frame format as the driver has it (`VIDIOC_G_FMT`), in either flavour of the API.
public struct VideoFormat: Hashable, Sendable, CustomStringConvertible {
  /// The pixel format.
  public var fourCC: FourCC
  /// In pixels.
  public var size: FrameSize
  /// How its lines belong together.
  public var field: FieldOrder
  /// One per buffer plane: contiguous formats such as NV12 have one, NM12 two. At most 8.
  public var planes: [PlaneLayout]
  /// As the driver gave it; see `Colorimetry.resolved`.
  public var colorimetry: Colorimetry
  /// In a format to ask for: the driver is asked to convert to its colorimetry (`V4L2_PIX_FMT_FLAG_SET_CSC`), where it says that it can
  /// (`FormatDescription.conversions`). Otherwise it is the driver that says what the colorimetry is.
  public var convertsColor: Bool

  /// A format to ask for; the driver fills in what is left open.
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

  /// Such as `1280×720 NV12`.
  public var description: String { "\(size) \(fourCC)" }
}

extension VideoFormat {
  init(_ pix: v4l2_pix_format) {
    // Before the magic number the fields after it held rubbish.
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

  /// Nil when the driver claims no plane, or more than V4L2 has.
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
