import CVideo4Linux
import ScriptedKernel
import Testing

@testable import Video4Linux

@Suite struct FormatTests {
  private let kernel = ScriptedKernel()

  private func device() throws -> VideoDevice { try VideoDevice(path: "/dev/video0", kernel: kernel) }

  @Test func namesFormats() {
    #expect(FourCC("MJPG") == .mjpeg)
    #expect(FourCC.nv12.rawValue == 0x3231_564E)
    #expect(FourCC("NV1") == nil && FourCC("NV12 ") == nil && FourCC("é12") == nil)
    #expect(FourCC(rawValue: FourCC.nv12.rawValue | 1 << 31).description == "NV12-BE")
    #expect(FourCC(rawValue: 0x0A00_0041).description == "A???")
    #expect(FourCC.rgb24.isRGB && FourCC.abgr32.isRGB && !FourCC.mjpeg.isRGB)
  }

  @Test func listsFormatsOnceEach() throws {
    let offered: [FourCC] = [.mjpeg, .yuyv, .mjpeg]
    kernel.on(.enumerateFormats, v4l2_fmtdesc.self) {
      guard $0.index < offered.count else { return .invalidArgument }
      $0.pixelformat = offered[Int($0.index)].rawValue
      $0.flags = UInt32($0.index == 0 ? V4L2_FMT_FLAG_COMPRESSED : V4L2_FMT_FLAG_EMULATED)
      return nil
    }
    let formats = try device().formats()
    #expect(formats.map(\.fourCC) == [.mjpeg, .yuyv])
    #expect(formats.map(\.isCompressed) == [true, false])
    #expect(formats.map(\.isEmulated) == [false, true])
  }

  @Test func listsSizes() throws {
    kernel.on(.enumerateFrameSizes, v4l2_frmsizeenum.self) { raw in
      guard raw.pixel_format != FourCC.yuyv.rawValue else {
        raw.type = V4L2_FRMSIZE_TYPE_STEPWISE.rawValue
        raw.stepwise = v4l2_frmsize_stepwise(
          min_width: 32, max_width: 1920, step_width: 16, min_height: 32, max_height: 1080, step_height: 0)
        return raw.index == 0 ? nil : .invalidArgument
      }
      guard raw.index < 2 else { return .invalidArgument }
      raw.type = V4L2_FRMSIZE_TYPE_DISCRETE.rawValue
      raw.discrete = v4l2_frmsize_discrete(width: 640 << raw.index, height: 360 << raw.index)
      return nil
    }
    #expect(
      try device().frameSizes(for: .mjpeg)
        == .discrete([FrameSize(width: 640, height: 360), FrameSize(width: 1280, height: 720)]))
    guard case .stepwise(let width, let height) = try device().frameSizes(for: .yuyv) else {
      Issue.record("not a range")
      return
    }
    #expect(width.nearest(to: 1000) == 992 && width.nearest(to: 9999) == 1920 && width.nearest(to: -5) == 32)
    #expect(width.contains(48) && !width.contains(40))
    #expect(height.step == 1 && height.nearest(to: 77) == 77)
  }

  @Test func refusesARangeThatEndsBeforeItBegins() throws {
    kernel.on(.enumerateFrameSizes, v4l2_frmsizeenum.self) {
      $0.type = V4L2_FRMSIZE_TYPE_CONTINUOUS.rawValue
      $0.stepwise.min_width = 10
      return nil
    }
    #expect(throws: VideoDeviceError.self) { try device().frameSizes(for: .yuyv) }
  }

  @Test func listsIntervals() throws {
    kernel.on(.enumerateFrameIntervals, v4l2_frmivalenum.self) { raw in
      let isWide = raw.width == 1920
      raw.type = (isWide ? V4L2_FRMIVAL_TYPE_CONTINUOUS : V4L2_FRMIVAL_TYPE_DISCRETE).rawValue
      if isWide {
        raw.stepwise.min = v4l2_fract(numerator: 1, denominator: 60)
        raw.stepwise.max = v4l2_fract(numerator: 1, denominator: 5)
        return nil
      }
      let rates: [v4l2_fract] = [
        .init(numerator: 1001, denominator: 30000), .init(numerator: 0, denominator: 1),
        .init(numerator: 1, denominator: 15),
      ]
      guard raw.index < rates.count else { return .invalidArgument }
      raw.discrete = rates[Int(raw.index)]
      return nil
    }
    let discrete = try device().frameIntervals(for: .mjpeg, size: FrameSize(width: 640, height: 480))
    guard case .discrete(let intervals) = discrete else {
      Issue.record("not discrete")
      return
    }
    #expect(intervals.map(\.nanoseconds) == [33_366_666, 66_666_666])
    let wide = try device().frameIntervals(for: .mjpeg, size: FrameSize(width: 1920, height: 1080))
    let fastest = try #require(TimePerFrame(framesPerSecond: 60))
    let slowest = try #require(TimePerFrame(framesPerSecond: 5))
    #expect(wide == .stepwise(shortest: fastest, longest: slowest, step: nil))
    #expect(TimePerFrame(framesPerSecond: 0) == nil && TimePerFrame(framesPerSecond: -1) == nil)
  }

  /// The driver's lists never end.
  @Test func noDriverKeepsUsForEver() throws {
    for request in [Request.enumerateFormats, .enumerateInputs, .enumerateTimings, .enumerateFrameIntervals] {
      kernel.on(request, UInt32.self) { _ in nil }
    }
    kernel.on(.enumerateFrameSizes, v4l2_frmsizeenum.self) {
      $0.type = V4L2_FRMSIZE_TYPE_DISCRETE.rawValue
      return nil
    }
    let device = try device()
    #expect(try device.formats().count == 1)
    #expect(try device.inputs().count == 64)
    #expect(try device.timings().count == 512)
    #expect(try device.frameSizes(for: .yuyv) == .discrete([FrameSize(width: 0, height: 0)]))
    #expect(throws: VideoDeviceError.self) {
      try device.frameIntervals(for: .yuyv, size: FrameSize(width: 1, height: -1))
    }
    #expect(kernel.log.count < 2000)
  }

  @Test func anUnpluggedDeviceEndsNoListSilently() throws {
    let device = try device()
    kernel.fail("VIDIOC_ENUM_FMT", .noDevice)
    let error = #expect(throws: VideoDeviceError.self) { try device.formats() }
    #expect(error?.reason == .disconnected)
  }

  @Test(arguments: [V4L2_CAP_VIDEO_CAPTURE, V4L2_CAP_VIDEO_CAPTURE_MPLANE])
  func formatsSurviveTheWayToTheDriverAndBack(capability: Int32) throws {
    let kernel = ScriptedKernel { $0.capabilities = capability | V4L2_CAP_STREAMING }
    let device = try VideoDevice(path: "/dev/video0", kernel: kernel)
    var wanted = VideoFormat(
      fourCC: .nv12m, size: FrameSize(width: 1280, height: 720), field: .none,
      planes: [PlaneLayout(bytesPerLine: 1280, sizeImage: 921_600)],
      colorimetry: Colorimetry(space: .rec709, encoding: .bt709, quantization: .limited, transfer: .rec709))
    if capability == V4L2_CAP_VIDEO_CAPTURE_MPLANE {
      wanted.planes.append(PlaneLayout(bytesPerLine: 1280, sizeImage: 460_800))
    }
    #expect(try device.setFormat(wanted) == wanted)
    #expect(try device.tryFormat(wanted) == wanted)
    #expect(try device.format() == wanted)
    #expect(wanted.description == "1280×720 NM12")
  }

  /// `V4L2_PIX_FMT_FLAG_SET_CSC` is set if and only if a conversion is requested.
  @Test(arguments: [V4L2_CAP_VIDEO_CAPTURE, V4L2_CAP_VIDEO_CAPTURE_MPLANE], [false, true])
  func aConversionIsAskedForByItsFlag(capability: Int32, isAsked: Bool) throws {
    let kernel = ScriptedKernel { $0.capabilities = capability | V4L2_CAP_STREAMING }
    let device = try VideoDevice(path: "/dev/video0", kernel: kernel)
    let wanted = VideoFormat(
      fourCC: .nv12, size: FrameSize(width: 1280, height: 720),
      planes: [PlaneLayout(bytesPerLine: 1280, sizeImage: 1_382_400)],
      colorimetry: Colorimetry(space: .bt2020), convertsColor: isAsked)
    #expect(try device.setFormat(wanted).colorimetry.space == .bt2020)
    let format = kernel.with { $0.format.fmt }
    let flags = capability == V4L2_CAP_VIDEO_CAPTURE ? format.pix.flags : UInt32(format.pix_mp.flags)
    #expect(flags == (isAsked ? 2 : 0))
  }

  @Test func aFormatSaysWhatItsDriverConverts() throws {
    kernel.on(.enumerateFormats, v4l2_fmtdesc.self) {
      guard $0.index == 0 else { return .invalidArgument }
      ($0.pixelformat, $0.flags) = (FourCC.nv12.rawValue, 0x0020 | 0x0080)
      return nil
    }
    let conversions = try #require(device().formats().first?.conversions)
    #expect(conversions.isSuperset(of: [.space, .encoding]))
    #expect(conversions.isDisjoint(with: [.transfer, .quantization]))
  }

  @Test(arguments: [UInt8(0), 9, 255])
  func refusesAnImpossibleNumberOfPlanes(count: UInt8) throws {
    let kernel = ScriptedKernel { $0.capabilities = V4L2_CAP_VIDEO_CAPTURE_MPLANE | V4L2_CAP_STREAMING }
    kernel.on(.getFormat, v4l2_format.self) {
      $0.fmt.pix_mp.num_planes = count
      return nil
    }
    let device = try VideoDevice(path: "/dev/video0", kernel: kernel)
    #expect(throws: VideoDeviceError.self) { try device.format() }
  }

  @Test func oldDriversLeaveTheExtendedFieldsUnread() {
    var pix = v4l2_pix_format()
    pix.colorspace = 99
    pix.ycbcr_enc = 2
    #expect(VideoFormat(pix).colorimetry == Colorimetry())
    pix.priv = UInt32(V4L2_PIX_FMT_PRIV_MAGIC)
    #expect(VideoFormat(pix).colorimetry.encoding == .bt709)
  }

  /// The expected values are those of the kernel's documentation, "Detailed Colorspace Descriptions".
  @Test(arguments: [
    (ColorSpace.unspecified, YCbCrEncoding.bt601, Quantization.limited, TransferFunction.sRGB),
    (.smpte170M, .bt601, .limited, .rec709), (.smpte240M, .smpte240M, .limited, .smpte240M),
    (.rec709, .bt709, .limited, .rec709), (.jpeg, .bt601, .full, .sRGB), (.sRGB, .bt601, .limited, .sRGB),
    (.opRGB, .bt601, .limited, .opRGB), (.bt2020, .bt2020, .limited, .rec709),
    (.dciP3, .bt709, .limited, .dciP3),
  ])
  func fillsInWhatDriversLeaveOpen(
    space: ColorSpace, encoding: YCbCrEncoding, quantization: Quantization, transfer: TransferFunction
  ) {
    let resolved = Colorimetry(space: space).resolved(isRGB: false)
    #expect(resolved.space == (space == .unspecified ? .sRGB : space))
    #expect(resolved.encoding == encoding)
    #expect(resolved.quantization == quantization)
    #expect(resolved.transfer == transfer)
    #expect(Colorimetry(space: space).resolved(isRGB: true).quantization == .full)
    #expect(Colorimetry(space: space, quantization: .limited).resolved(isRGB: true).quantization == .limited)
  }

  @Test func setsTheFrameRateWhereTheDeviceLetsIt() throws {
    let device = try device()
    let wanted = try #require(TimePerFrame(framesPerSecond: 60))
    #expect(try device.setFrameInterval(wanted) == nil)
    #expect(try device.frameInterval() == nil)
    kernel.on(.setParameters, v4l2_streamparm.self) {
      $0.parm.capture.capability = UInt32(V4L2_CAP_TIMEPERFRAME)
      $0.parm.capture.timeperframe.denominator = 30
      return nil
    }
    #expect(try device.setFrameInterval(wanted)?.framesPerSecond == 30)
    kernel.on(.getParameters, v4l2_streamparm.self) {
      $0.parm.capture.capability = UInt32(V4L2_CAP_TIMEPERFRAME)
      return nil
    }
    #expect(try device.frameInterval() == nil)  // 0/0
  }

  @Test func readsTimingsAndSignal() throws {
    let device = try device()
    kernel.on(.queryTimings, v4l2_dv_timings.self) {
      $0.bt.width = 1280
      $0.bt.height = 720
      $0.bt.hfrontporch = 110
      $0.bt.hsync = 40
      $0.bt.hbackporch = 220
      $0.bt.vfrontporch = 5
      $0.bt.vsync = 5
      $0.bt.vbackporch = 20
      $0.bt.pixelclock = 74_250_000
      return nil
    }
    guard case .locked(let timings) = try device.signal() else {
      Issue.record("no signal")
      return
    }
    #expect(timings.framesPerSecond == 60)
    #expect(timings.description == "1280×720 at 60.0 Hz")
    var sent: v4l2_dv_timings?
    kernel.on(.setTimings, v4l2_dv_timings.self) {
      sent = $0
      return nil
    }
    try device.setTimings(timings)
    #expect(sent?.bt.width == 1280)
    kernel.fail("VIDIOC_QUERY_DV_TIMINGS", .noLink, .noLock, .outOfRange, .notTTY)
    if case .none = try device.signal() {} else { Issue.record("ENOLINK") }
    if case .unstable = try device.signal() {} else { Issue.record("ENOLCK") }
    if case .outOfRange = try device.signal() {} else { Issue.record("ERANGE") }
    #expect(throws: VideoDeviceError.self) { try device.signal() }
    #expect(try device.currentTimings() == nil)
    #expect(try device.timings().isEmpty)
  }

  @Test func choosesInputs() throws {
    let device = try device()
    #expect(try device.currentInput() == nil)
    kernel.on(.enumerateInputs, v4l2_input.self) {
      guard $0.index == 0 else { return .invalidArgument }
      $0.type = UInt32(V4L2_INPUT_TYPE_CAMERA)
      $0.status = UInt32(V4L2_IN_ST_NO_SIGNAL | V4L2_IN_ST_VFLIP)
      return nil
    }
    let input = try #require(try device.inputs().first)
    #expect(input.isCamera && input.hasPower && !input.hasSignal && input.isFlippedVertically)
    #expect(!input.isFlippedHorizontally && !input.hasTimings)
    kernel.fail("VIDIOC_S_INPUT", .invalidArgument)
    let error = #expect(throws: VideoDeviceError.self) { try device.setInput(3) }
    #expect(error?.reason == .unsupported)
  }

  @Test func crops() throws {
    let device = try device()
    #expect(try device.selection(.crop) == nil)
    kernel.on(.setSelection, v4l2_selection.self) {
      $0.r.width &= ~7
      return nil
    }
    let wanted = PixelRectangle(left: -4, top: 2, size: FrameSize(width: 101, height: 50))
    let given = try device.setSelection(.crop, to: wanted)
    #expect(given == PixelRectangle(left: -4, top: 2, size: FrameSize(width: 96, height: 50)))
  }
}
