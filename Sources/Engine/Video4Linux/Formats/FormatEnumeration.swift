import CVideo4Linux

/// A pixel format that a device offers (`VIDIOC_ENUM_FMT`).
public struct FormatDescription: Hashable, Sendable {
  /// The pixel format.
  public let fourCC: FourCC
  /// The driver's description of the format.
  public let text: String
  /// Whether the number of bytes varies from frame to frame.
  public let isCompressed: Bool
  /// Whether a library makes the format in software, not the device.
  public let isEmulated: Bool
  /// The parts of the colorimetry that may be requested (`VideoFormat.convertsColor`).
  public let conversions: ColorConversions
}

/// The colour conversions that a driver offers on request (`V4L2_FMT_FLAG_CSC_…`).
public struct ColorConversions: OptionSet, Hashable, Sendable {
  /// The kernel's flags.
  public let rawValue: UInt32

  /// Creates a set from the kernel's flags, including those without a name here.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Conversion to other primaries.
  public static let space = ColorConversions(rawValue: UInt32(V4L2_FMT_FLAG_CSC_COLORSPACE))
  /// Conversion to another transfer function.
  public static let transfer = ColorConversions(rawValue: UInt32(V4L2_FMT_FLAG_CSC_XFER_FUNC))
  /// Conversion to another Y′CbCr matrix.
  public static let encoding = ColorConversions(rawValue: UInt32(V4L2_FMT_FLAG_CSC_YCBCR_ENC))
  /// Conversion to another range of codes.
  public static let quantization = ColorConversions(rawValue: UInt32(V4L2_FMT_FLAG_CSC_QUANTIZATION))
}

extension VideoDevice {
  /// The pixel formats offered, in the driver's order; at most 128.
  public func formats() throws(VideoDeviceError) -> [FormatDescription] {
    let type = try bufferType().number
    let formats = try enumerate(.enumerateFormats, limit: 128) { index in
      var raw = v4l2_fmtdesc()
      raw.index = index
      raw.type = type
      return raw
    } _: { raw in
      FormatDescription(
        fourCC: FourCC(rawValue: raw.pixelformat), text: String(deviceText: raw.description),
        isCompressed: raw.flags & UInt32(V4L2_FMT_FLAG_COMPRESSED) != 0,
        isEmulated: raw.flags & UInt32(V4L2_FMT_FLAG_EMULATED) != 0,
        conversions: ColorConversions(rawValue: raw.flags))
    }
    // A driver that ignores the index repeats its entry, as meson's did
    // (https://github.com/endlessm/linux-meson/pull/38). Keep each format once.
    var seen: Set<FourCC> = []
    return formats.filter { seen.insert($0.fourCC).inserted }
  }

  /// The sizes offered in a format; at most 512.
  /// - Throws: `.driverFault` if the driver's figures are no valid range.
  public func frameSizes(for fourCC: FourCC) throws(VideoDeviceError) -> FrameSizes {
    func entry(_ index: UInt32) -> v4l2_frmsizeenum {
      var raw = v4l2_frmsizeenum()
      raw.index = index
      raw.pixel_format = fourCC.rawValue
      return raw
    }
    let sizes = try enumerate(
      .enumerateFrameSizes, limit: 512, entry: entry,
      isRepeat: {
        $0.type == $1.type
          && ($0.discrete.width, $0.discrete.height) == ($1.discrete.width, $1.discrete.height)
      }, isLast: { $0.type != V4L2_FRMSIZE_TYPE_DISCRETE.rawValue }, { $0 })
    guard let first = sizes.first, first.type != V4L2_FRMSIZE_TYPE_DISCRETE.rawValue else {
      let discrete = sizes.filter { $0.type == V4L2_FRMSIZE_TYPE_DISCRETE.rawValue }
      return .discrete(
        discrete.map { FrameSize(width: Int($0.discrete.width), height: Int($0.discrete.height)) }
          .withoutRepeats)
    }
    let range = first.stepwise
    guard let width = SteppedRange(range.min_width, range.max_width, step: range.step_width),
      let height = SteppedRange(range.min_height, range.max_height, step: range.step_height)
    else { throw fault(.enumerateFrameSizes, "a size range ends before it begins") }
    return .stepwise(width: width, height: height)
  }

  /// The frame intervals offered at a format and size; at most 512.
  /// - Throws: `.driverFault` if the driver's figures are no valid range.
  public func frameIntervals(
    for fourCC: FourCC, size: FrameSize
  ) throws(VideoDeviceError) -> FrameIntervals {
    func entry(_ index: UInt32) -> v4l2_frmivalenum {
      var raw = v4l2_frmivalenum()
      raw.index = index
      raw.pixel_format = fourCC.rawValue
      raw.width = UInt32(clamping: size.width)
      raw.height = UInt32(clamping: size.height)
      return raw
    }
    let intervals = try enumerate(
      .enumerateFrameIntervals, limit: 512, entry: entry,
      isRepeat: {
        $0.type == $1.type
          && ($0.discrete.numerator, $0.discrete.denominator)
            == ($1.discrete.numerator, $1.discrete.denominator)
      }, isLast: { $0.type != V4L2_FRMIVAL_TYPE_DISCRETE.rawValue }, { $0 })
    guard let first = intervals.first, first.type != V4L2_FRMIVAL_TYPE_DISCRETE.rawValue else {
      let discrete = intervals.filter { $0.type == V4L2_FRMIVAL_TYPE_DISCRETE.rawValue }
      return .discrete(discrete.compactMap { TimePerFrame($0.discrete) }.withoutRepeats)
    }
    guard let shortest = TimePerFrame(first.stepwise.min), let longest = TimePerFrame(first.stepwise.max)
    else { throw fault(.enumerateFrameIntervals, "a frame interval is zero or endless") }
    let isContinuous = first.type == V4L2_FRMIVAL_TYPE_CONTINUOUS.rawValue
    return .stepwise(
      shortest: shortest, longest: longest, step: isContinuous ? nil : TimePerFrame(first.stepwise.step))
  }

  func fault(_ request: Request, _ text: String) -> VideoDeviceError {
    VideoDeviceError(.driverFault(text), .control(request), path: path)
  }
}

extension Array where Element: Hashable {
  /// The elements in the same order, each once.
  var withoutRepeats: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
