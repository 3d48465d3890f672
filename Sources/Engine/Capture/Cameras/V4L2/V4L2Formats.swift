package import Imagery
import System
package import Video4Linux

extension PixelFormat {
  /// The engine's name for a V4L2 format; nil for one that it cannot read.
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
      // Formats are named as V4L2 names them; 4:4:4 in three planes has no name there.
      guard let format = PixelFormat(rawValue: fourCC.description), format != .i444 else { return nil }
      self = format
    }
  }
}

extension ColorDescription {
  /// What the driver says of a format's colour, completed by the kernel's own defaults. SMPTE 240M, which the engine does
  /// not know, is nearest to BT.709; a JPEG picture is what JFIF prescribes, whatever the driver says.
  init(_ colorimetry: Colorimetry, of format: PixelFormat) {
    if format == .mjpeg {
      self = .jpeg
      return
    }
    let whole = colorimetry.resolved(isRGB: format.carriesRGB)
    let matrix: ColorMatrix =
      switch whole.encoding {
      case .bt709, .xv709, .smpte240M: .bt709
      case .bt2020, .bt2020ConstantLuminance: .bt2020
      case .unspecified, .bt601, .xv601, .sYCC: .bt601
      }
    self.init(matrix: matrix, range: whole.quantization == .full ? .full : .limited)
  }
}

/// What a device offers, in formats that the engine knows.
///
/// A device that offers ranges is given the usual sizes and rates in them. Where it says nothing of its rate, 30 frames a
/// second stand for it: what it delivers is seen only when it does.
struct V4L2Offer {
  let device: VideoDevice
  let request: V4L2Request
  /// Nil for a camera.
  var signal: V4L2Signal?
  /// Formats that are kept of a device that offers no end of them, and sizes that are asked about.
  static let limit = 1024
  private static let usualSizes = [
    (4096, 2160), (3840, 2160), (2560, 1440), (1920, 1080), (1280, 960), (1280, 720), (1024, 768), (800, 600),
    (640, 480),
    (640, 360), (320, 240),
  ].map { FrameSize(width: $0.0, height: $0.1) }
  private static let usualRates: [FrameInterval] =
    [240, 120, 60, 50, 30, 25, 24, 15, 10, 5, 1].map { FrameInterval(framesPerSecond: $0) }
    + [60_000, 30_000, 24_000].map { FrameInterval(numerator: 1001, denominator: $0) }

  /// Of the formats that the engine can read and the request allows, those that the device has; one for each that is
  /// the same to the engine.
  func descriptions() throws(VideoDeviceError) -> [FormatDescription] {
    var seen: Set<PixelFormat> = []
    return try device.formats().filter { description in
      let fourCC = description.fourCC
      guard let format = PixelFormat(fourCC), request.fourCC ?? fourCC == fourCC else { return false }
      return seen.insert(format).inserted
    }
  }

  /// - Parameter descriptions: from `descriptions()`; a driver may know dozens, each at the price of a call.
  /// - Returns: the formats that agree with the request.
  func formats(in descriptions: [FormatDescription]) throws(VideoDeviceError) -> [CameraFormat] {
    let (timings, current) = (signal?.timings, try? device.format())
    var formats: [CameraFormat] = []
    var seen: Set<CameraFormat> = []
    var asked = 0
    for description in descriptions {
      let fourCC = description.fourCC
      guard let pixelFormat = PixelFormat(fourCC) else { continue }
      // Of a signal the receiver tells the colour; of a camera nobody knows it before the format is set.
      let colorimetry = signal == nil || signal?.isToBeSet == true ? nil : current?.colorimetry
      let color = ColorDescription(colorimetry ?? Colorimetry(), of: pixelFormat)
      for size in try sizes(of: fourCC, timings: timings, current: current?.size) {
        asked += 1
        guard asked <= V4L2Offer.limit else { return formats }
        // List the device's own colours first, then those it can be asked for.
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
    // Nonsense is no offer; the device's other formats may be sound.
    case nil: return []
    // Until the device is set to its signal it speaks of the one before.
    case .discrete where signal?.isToBeSet == true: offered = [timings?.size].compactMap { $0 }
    case .discrete(let sizes): offered = sizes.isEmpty ? [timings?.size ?? current].compactMap { $0 } : sizes
    case .stepwise(let width, let height):
      // A digital input has the size of its signal; what it can scale to is there for those who ask.
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
    // A device that lists no interval is asked for one at set-up.
    let unsaid = request.interval ?? FrameInterval(framesPerSecond: 30)
    let met = (believable.isEmpty ? [unsaid] : believable).filter(request.isMet(by:))
    // Where 23.976 and 24 are there, the one that was asked is meant.
    let exact = met.filter(request.isExactly)
    return exact.isEmpty ? met : exact
  }
}

extension V4L2Offer {
  /// What the driver says, nil where it makes no sense: v4l2loopback told frame intervals that it had not filled in
  /// (https://github.com/v4l2loopback/v4l2loopback/issues/465).
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
  /// Its driver gives it in BT.2020 when it is asked.
  var convertsToLog: Bool {
    PixelFormat(fourCC)?.isWide == true && conversions.isSuperset(of: [.space, .encoding])
  }
}

extension Colorimetry {
  /// What a log format is asked by: the kernel's own defaults complete it.
  static let log = Colorimetry(space: .bt2020, encoding: .bt2020)
}

extension ColorDescription {
  fileprivate static func log(_ format: PixelFormat) -> ColorDescription {
    ColorDescription(.log, of: format)
  }
}

extension FrameInterval {
  /// Whether it is a whole number of steps longer than the shortest, to a hundredth of itself: that much drivers round.
  fileprivate func isOnStep(_ step: FrameInterval?, from shortest: FrameInterval) -> Bool {
    guard let step, step.nanoseconds > 0 else { return true }
    let off = (nanoseconds - shortest.nanoseconds) % step.nanoseconds
    return min(off, step.nanoseconds - off) * 100 <= nanoseconds
  }

  /// No camera is faster than a million frames a second, none slower than one an hour.
  var isBelievable: Bool { (1000...3_600_000_000_000).contains(nanoseconds) }

  init(_ interval: TimePerFrame) {
    self.init(numerator: Int(interval.numerator), denominator: Int(interval.denominator))
  }

  /// The rate of a digital signal, in thousandths where it is not whole (59.94 is 60000/1001).
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
  /// Nil when the fraction does not fit V4L2's.
  init?(_ interval: FrameInterval) {
    guard let numerator = UInt32(exactly: interval.numerator),
      let denominator = UInt32(exactly: interval.denominator)
    else { return nil }
    self.init(numerator: numerator, denominator: denominator)
  }
}

extension ImageFormat {
  /// What the driver agreed to; nil when the engine cannot read it, or the size is out of reason.
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
  /// For who must find out why it cannot be used.
  var details: String {
    let rows = planes.map { "\($0.bytesPerLine)" }.joined(separator: ", ")
    return "\(self), rows of \(rows) bytes, field order \(field)"
  }
}

extension FieldOrder {
  /// Its lines are those of two fields by turns.
  var isInterleaved: Bool {
    switch self {
    case .interlaced, .interlacedTopBottom, .interlacedBottomTop: true
    case .any, .none, .top, .bottom, .sequentialTopBottom, .sequentialBottomTop, .alternate: false
    }
  }

  /// Its lines are those of one picture, in order.
  var isWholeFrame: Bool {
    switch self {
    case .any, .none, .interlaced, .interlacedTopBottom, .interlacedBottomTop: true
    case .top, .bottom, .sequentialTopBottom, .sequentialBottomTop, .alternate: false
    }
  }
}
