package import CVideo4Linux
import Glibc
package import Video4Linux

/// One pixel format, size and set of frame rates that a `ScriptedDevice` offers.
package struct ScriptedMode {
  package var fourCC: FourCC
  package var width: UInt32
  package var height: UInt32
  package var framesPerSecond: [UInt32]
  /// Flags of the pixel format (`V4L2_FMT_FLAG_…`).
  package var flags: UInt32

  package init(
    _ fourCC: FourCC, _ width: UInt32, _ height: UInt32, _ framesPerSecond: [UInt32] = [30], flags: UInt32 = 0
  ) {
    self.fourCC = fourCC
    self.width = width
    self.height = height
    self.framesPerSecond = framesPerSecond
    self.flags = flags
  }
}

// The modes of the device, and setting one.
extension ScriptedDevice {
  mutating func answerOffer(_ request: Request, _ argument: UnsafeMutableRawPointer) -> Errno? {
    func argumentAs<Argument>(_: Argument.Type) -> UnsafeMutablePointer<Argument> {
      argument.assumingMemoryBound(to: Argument.self)
    }
    switch request {
    case .enumerateFormats: return describeFormat(&argumentAs(v4l2_fmtdesc.self).pointee)
    case .enumerateFrameSizes: return describeSize(&argumentAs(v4l2_frmsizeenum.self).pointee)
    case .enumerateFrameIntervals: return describeInterval(&argumentAs(v4l2_frmivalenum.self).pointee)
    case .getParameters, .setParameters:
      let raw = argumentAs(v4l2_streamparm.self)
      if request == .setParameters { interval = raw.pointee.parm.capture.timeperframe }
      raw.pointee.parm.capture.capability = UInt32(V4L2_CAP_TIMEPERFRAME)
      raw.pointee.parm.capture.timeperframe = interval
    case .subscribeEvent: break
    case .dequeueEvent:
      guard !events.isEmpty else { return .noEntry }
      argumentAs(v4l2_event.self).pointee = events.removeFirst()
    case .queryTimings, .getTimings, .setTimings:
      return answerTimings(request, argumentAs(v4l2_dv_timings.self))
    default: return .notTTY
    }
    return nil
  }

  private func describeFormat(_ raw: inout v4l2_fmtdesc) -> Errno? {
    var names: [FourCC] = []
    for mode in modes where !names.contains(mode.fourCC) { names.append(mode.fourCC) }
    guard raw.index < names.count else { return .invalidArgument }
    raw.pixelformat = names[Int(raw.index)].rawValue
    raw.flags = modes.first { $0.fourCC == names[Int(raw.index)] }?.flags ?? 0
    return nil
  }

  private func describeSize(_ raw: inout v4l2_frmsizeenum) -> Errno? {
    let width = timingsInForce?.bt.width
    let sizes = modes.filter { $0.fourCC.rawValue == raw.pixel_format && width ?? $0.width == $0.width }
    guard raw.index < sizes.count else { return .invalidArgument }
    raw.type = V4L2_FRMSIZE_TYPE_DISCRETE.rawValue
    raw.discrete.width = sizes[Int(raw.index)].width
    raw.discrete.height = sizes[Int(raw.index)].height
    return nil
  }

  private func describeInterval(_ raw: inout v4l2_frmivalenum) -> Errno? {
    let mode = modes.first {
      $0.fourCC.rawValue == raw.pixel_format && $0.width == raw.width && $0.height == raw.height
    }
    guard let mode, raw.index < mode.framesPerSecond.count else { return .invalidArgument }
    raw.type = V4L2_FRMIVAL_TYPE_DISCRETE.rawValue
    raw.discrete = v4l2_fract(numerator: 1, denominator: mode.framesPerSecond[Int(raw.index)])
    return nil
  }

  /// Sets the mode with the requested pixel format and width, or else with the pixel format, or else the first mode. Rows are
  /// padded to 64 bytes.
  package mutating func setMode(_ raw: inout v4l2_format) -> Errno? {
    if allocated > 0 { return .busy }
    let wanted = isMultiplanar ? raw.fmt.pix_mp.pixelformat : raw.fmt.pix.pixelformat
    let width = isMultiplanar ? raw.fmt.pix_mp.width : raw.fmt.pix.width
    let mode =
      modes.first { $0.fourCC.rawValue == wanted && $0.width == width }
      ?? modes.first { $0.fourCC.rawValue == wanted } ?? modes[0]
    let (stride, planes) = mode.layout
    planeLengths = isMultiplanar ? planes : [planes.reduce(0, +)]
    if isMultiplanar {
      raw.fmt.pix_mp.pixelformat = mode.fourCC.rawValue
      raw.fmt.pix_mp.width = mode.width
      raw.fmt.pix_mp.height = mode.height
      raw.fmt.pix_mp.num_planes = UInt8(planes.count)
      raw.fmt.pix_mp.field = UInt32(V4L2_FIELD_NONE.rawValue)
      withUnsafeMutableBytes(of: &raw.fmt.pix_mp.plane_fmt) { bytes in
        for (index, length) in planes.enumerated() {
          var plane = v4l2_plane_pix_format()
          plane.bytesperline = stride
          plane.sizeimage = length
          bytes.storeBytes(
            of: plane, toByteOffset: index * MemoryLayout.stride(ofValue: plane), as: type(of: plane))
        }
      }
    } else {
      raw.fmt.pix.pixelformat = mode.fourCC.rawValue
      raw.fmt.pix.width = mode.width
      raw.fmt.pix.height = mode.height
      raw.fmt.pix.bytesperline = stride
      raw.fmt.pix.sizeimage = planeLengths[0]
      raw.fmt.pix.field = UInt32(V4L2_FIELD_NONE.rawValue)
    }
    format = raw
    return nil
  }

  private mutating func answerTimings(
    _ request: Request, _ raw: UnsafeMutablePointer<v4l2_dv_timings>
  ) -> Errno? {
    guard let timings else { return .notTTY }
    if request == .queryTimings, let signalFault { return signalFault }
    switch request {
    case .setTimings:
      if allocated > 0 { return .busy }
      timingsInForce = raw.pointee
    case .queryTimings: raw.pointee = timings
    default:
      timingsInForce = timingsInForce ?? timings
      raw.pointee = timingsInForce ?? timings
    }
    return nil
  }
}

extension ScriptedMode {
  /// The stride of the first plane, and the bytes of each plane of NV12, NM12, P010, YUYV or MJPG.
  fileprivate var layout: (stride: UInt32, planes: [UInt32]) {
    let padded = (width + 63) / 64 * 64
    return switch fourCC {
    case .nv12m: (padded, [padded * height, padded * height / 2])
    case .nv12: (padded, [padded * height * 3 / 2])
    case .p010: (padded * 2, [padded * height * 3])
    case .mjpeg: (0, [width * height])
    default: ((width * 2 + 63) / 64 * 64, [(width * 2 + 63) / 64 * 64 * height])
    }
  }
}
