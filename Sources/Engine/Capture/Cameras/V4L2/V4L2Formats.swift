package import Imagery
package import Video4Linux

extension PixelFormat {
  /// The engine's format for a V4L2 format; nil for a format that the engine cannot read.
  package init?(_ fourCC: FourCC) {
    switch fourCC {
    case .nv12m: self = .nv12
    case .nv21m: self = .nv21
    case .nv16m: self = .nv16
    case .yuv420m: self = .i420
    case .yvu420m: self = .yv12
    // The engine ignores the fourth byte.
    case .xbgr32, .bgr32: self = .bgra
    case .rgbx32: self = .rgba
    case .argb32, .rgb32: self = .xrgb
    case .jpeg: self = .mjpeg
    default:
      if let raw = V4L2RawFormat(fourCC) {
        self = raw.format
        return
      }
      // The raw values of `PixelFormat` are V4L2's names, except `i444`, which V4L2 lacks.
      guard let format = PixelFormat(rawValue: fourCC.description), format != .i444 else { return nil }
      self = format
    }
  }
}

extension ColorDescription {
  /// The colour that the driver reports for a format, completed by the kernel's defaults. SMPTE 240M, which the engine does
  /// not know, becomes BT.709, the nearest. A JPEG picture has the colour that JFIF prescribes, whatever the driver reports.
  init(_ colorimetry: Colorimetry, of format: PixelFormat) {
    if format == .mjpeg {
      self = .jpeg
      return
    }
    var whole = colorimetry.resolved(isRGB: format.carriesRGB)
    // Linear samples become full-range codes when they are read.
    if format == .grey, whole.isLinear { whole.quantization = .full }
    let matrix: ColorMatrix =
      switch whole.encoding {
      case .bt709, .xv709, .smpte240M: .bt709
      case .bt2020, .bt2020ConstantLuminance: .bt2020
      case .unspecified, .bt601, .xv601, .sYCC: .bt601
      }
    self.init(matrix: matrix, range: whole.quantization == .full ? .full : .limited)
  }
}

/// The formats that a device offers and the engine can read.
///
/// If a device offers ranges, the usual sizes and rates within them are listed. If it reports no rate, 30 frames a second are assumed: the real
/// rate is known only when frames arrive.
struct V4L2Offer {
  let device: VideoDevice
  let request: V4L2Request
  /// The signal on a digital input; nil for a camera.
  var signal: V4L2Signal?
  /// The limit of formats to keep and of sizes to query, for a device that lists without end.
  static let limit = 1024
  private static let usualSizes = [
    (4096, 2160), (3840, 2160), (2560, 1440), (1920, 1080), (1280, 960), (1280, 720), (1024, 768), (800, 600),
    (640, 480),
    (640, 360), (320, 240),
  ].map { FrameSize(width: $0.0, height: $0.1) }
  private static let usualRates: [FrameInterval] =
    [240, 120, 60, 50, 30, 25, 24, 15, 10, 5, 1].map { FrameInterval(framesPerSecond: $0) }
    + [60_000, 30_000, 24_000].map { FrameInterval(numerator: 1001, denominator: $0) }

  /// The device's formats that the engine can read and the request allows.
  /// If several of them become the same format of the engine, only the first is listed, one that needs no conversion before others.
  func descriptions() throws(VideoDeviceError) -> [FormatDescription] {
    var seen: Set<PixelFormat> = []
    let all = try device.formats()
    let isConverted = { (description: FormatDescription) in
      (V4L2RawFormat(description.fourCC)?.packing.bits ?? 8) > 8
    }
    return (all.filter { !isConverted($0) } + all.filter(isConverted)).filter { description in
      let fourCC = description.fourCC
      guard let format = PixelFormat(fourCC), request.fourCC ?? fourCC == fourCC else { return false }
      return seen.insert(format).inserted
    }
  }

  /// - Parameter descriptions: the formats to query, from `descriptions()`; a driver may have dozens, and each costs a call.
  /// - Returns: the formats that meet the request.
  func formats(in descriptions: [FormatDescription]) throws(VideoDeviceError) -> [CameraFormat] {
    let (timings, current) = (signal?.timings, try? device.format())
    var formats: [CameraFormat] = []
    var seen: Set<CameraFormat> = []
    var asked = 0
    for description in descriptions {
      let fourCC = description.fourCC
      guard let pixelFormat = PixelFormat(fourCC) else { continue }
      // A receiver reports the colour of its signal; the colour of a camera is unknown before the format is set.
      let colorimetry = signal == nil || signal?.isToBeSet == true ? nil : current?.colorimetry
      let color = ColorDescription(colorimetry ?? Colorimetry(), of: pixelFormat)
      for size in try sizes(of: fourCC, timings: timings, current: current?.size) {
        asked += 1
        guard asked <= V4L2Offer.limit else { return formats }
        // List the device's own colours first, then those that it can convert to.
        let colors = description.convertsToLog ? [color, .log(pixelFormat)] : [color]
        for interval in try intervals(of: fourCC, size: size, timings: timings) {
          for color in colors {
            let image = ImageFormat(
              pixelFormat: pixelFormat, size: PixelSize(width: size.width, height: size.height), color: color)
            let format = CameraFormat(image: image, frameInterval: interval)
            guard seen.insert(format).inserted else { continue }
            formats.append(format)
            if formats.count == V4L2Offer.limit { return formats }
          }
        }
      }
    }
    return formats
  }

  private func sizes(
    of fourCC: FourCC, timings: DVTimings?, current: FrameSize?
  ) throws(VideoDeviceError) -> [FrameSize] {
    let offered: [FrameSize]
    switch try sense({ () throws(VideoDeviceError) in try device.frameSizes(for: fourCC) }) {
    // Offer nothing for an invalid answer; the device's other formats may be valid.
    case nil: return []
    // Until the device is set to its signal, it reports the sizes of the previous signal.
    case .discrete where signal?.isToBeSet == true: offered = [timings?.size].compactMap { $0 }
    case .discrete(let sizes): offered = sizes.isEmpty ? [timings?.size ?? current].compactMap { $0 } : sizes
    case .stepwise(let width, let height):
      // A digital input has the size of its signal; sizes that it can scale to are listed only if they are requested.
      let asked = request.size.map { FrameSize(width: $0.width, height: $0.height) }
      let usual =
        timings.map { [$0.size] } ?? [width.last].map { FrameSize(width: $0, height: height.last) }
        + V4L2Offer.usualSizes + [FrameSize(width: width.minimum, height: height.minimum)]
      offered = ([asked, signal?.isToBeSet == true ? nil : current].compactMap { $0 } + usual).filter {
        width.contains($0.width) && height.contains($0.height)
      }
    }
    let believable = offered.filter { (1...32_768).contains($0.width) && (1...32_768).contains($0.height) }
    return believable.filter { request.isMet(by: PixelSize(width: $0.width, height: $0.height)) }
  }

  private func intervals(
    of fourCC: FourCC, size: FrameSize, timings: DVTimings?
  ) throws(VideoDeviceError) -> [FrameInterval] {
    let offered: [FrameInterval]
    if let timings {
      offered = [FrameInterval(timings)]
    } else {
      switch try sense({ () throws(VideoDeviceError) in try device.frameIntervals(for: fourCC, size: size) })
      {
      case nil: offered = []
      case .discrete(let intervals): offered = intervals.map(FrameInterval.init)
      case .stepwise(let shortest, let longest, let step):
        let usual = V4L2Offer.usualRates
        let (least, most) = (FrameInterval(shortest), FrameInterval(longest))
        let between = ([request.interval].compactMap { $0 } + usual).filter {
          $0.nanoseconds > least.nanoseconds && $0.nanoseconds < most.nanoseconds
            && $0.isOnStep(step.map { FrameInterval($0) }, from: least)
        }
        offered = [least] + between + (most.nanoseconds > least.nanoseconds ? [most] : [])
      }
    }
    let believable = offered.filter(\.isBelievable)
    // For a device that lists no interval, assume the requested one; it is requested again at set-up.
    let unsaid = request.interval ?? FrameInterval(framesPerSecond: 30)
    let met = (believable.isEmpty ? [unsaid] : believable).filter(request.isMet(by:))
    // If both 23.976 and 24 are offered, keep only the exact one.
    let exact = met.filter(request.isExactly)
    return exact.isEmpty ? met : exact
  }
}

extension V4L2Offer {
  /// The driver's answer; nil if the answer makes no sense. v4l2loopback reported frame intervals that it had
  /// not filled in (https://github.com/v4l2loopback/v4l2loopback/issues/465).
  private func sense<Answer>(
    _ ask: () throws(VideoDeviceError) -> Answer
  ) throws(VideoDeviceError) -> Answer? {
    do throws(VideoDeviceError) { return try ask() } catch {
      guard case .driverFault = error.reason else { throw error }
      return nil
    }
  }
}

extension FormatDescription {
  /// Whether the driver can convert this format to BT.2020.
  var convertsToLog: Bool {
    PixelFormat(fourCC)?.isWide == true && conversions.isSuperset(of: [.space, .encoding])
  }
}

extension Colorimetry {
  /// The colorimetry to request for a log format; the kernel's defaults complete it.
  static let log = Colorimetry(space: .bt2020, encoding: .bt2020)
}

extension ColorDescription {
  fileprivate static func log(_ format: PixelFormat) -> ColorDescription {
    ColorDescription(.log, of: format)
  }
}

extension FrameInterval {
  /// Whether the interval exceeds the shortest by a whole number of steps. Tolerates a hundredth of the interval, since drivers round.
  fileprivate func isOnStep(_ step: FrameInterval?, from shortest: FrameInterval) -> Bool {
    guard let step, step.nanoseconds > 0 else { return true }
    let off = (nanoseconds - shortest.nanoseconds) % step.nanoseconds
    return min(off, step.nanoseconds - off) * 100 <= nanoseconds
  }

  /// Whether the interval is plausible: no camera is faster than a million frames a second, none slower than one an hour.
  var isBelievable: Bool { (1000...3_600_000_000_000).contains(nanoseconds) }

  init(_ interval: TimePerFrame) {
    self.init(numerator: Int(interval.numerator), denominator: Int(interval.denominator))
  }

  /// The interval of a digital signal. A fractional rate becomes a whole rate times
  /// 1000/1001 (59.94 is 60000/1001), or else a number of thousandths.
  init(_ timings: DVTimings) {
    let rate = timings.framesPerSecond.flatMap { (0.001...1e6).contains($0) ? $0 : nil } ?? 30
    let (whole, film) = (rate.rounded(), (rate * 1.001).rounded())
    if abs(rate - whole) < 0.005 || whole < 1 {
      self.init(numerator: 1, denominator: Swift.max(1, Int(whole)))
    } else if abs(rate * 1.001 - film) < 0.005 {
      self.init(numerator: 1001, denominator: Int(film) * 1000)
    } else {
      self.init(numerator: 1000, denominator: Int((rate * 1000).rounded()))
    }
  }
}

extension TimePerFrame {
  /// Nil if the fraction does not fit in V4L2's 32-bit numbers.
  init?(_ interval: FrameInterval) {
    guard let numerator = UInt32(exactly: interval.numerator),
      let denominator = UInt32(exactly: interval.denominator)
    else { return nil }
    self.init(numerator: numerator, denominator: denominator)
  }
}

extension ImageFormat {
  /// The image format that the driver chose; nil if the engine cannot read it, or if its size is implausible.
  package init?(_ format: VideoFormat) {
    guard let pixelFormat = PixelFormat(format.fourCC), (1...ImageLimits.side).contains(format.size.width),
      (1...ImageLimits.side).contains(format.size.height)
    else { return nil }
    self.init(
      pixelFormat: pixelFormat, size: PixelSize(width: format.size.width, height: format.size.height),
      color: ColorDescription(format.colorimetry, of: pixelFormat))
  }
}

extension VideoFormat {
  /// Details for a message about a format that cannot be used.
  var details: String {
    let rows = planes.map { "\($0.bytesPerLine)" }.joined(separator: ", ")
    return "\(self), rows of \(rows) bytes, field order \(field)"
  }
}

extension FieldOrder {
  /// Whether the lines of two fields alternate.
  var isInterleaved: Bool {
    switch self {
    case .interlaced, .interlacedTopBottom, .interlacedBottomTop: true
    case .any, .none, .top, .bottom, .sequentialTopBottom, .sequentialBottomTop, .alternate: false
    }
  }

  /// Whether the lines are those of one picture, in order.
  var isWholeFrame: Bool {
    switch self {
    case .any, .none, .interlaced, .interlacedTopBottom, .interlacedBottomTop: true
    case .top, .bottom, .sequentialTopBottom, .sequentialBottomTop, .alternate: false
    }
  }
}
