import CVideo4Linux
import Imagery
import ScriptedKernel
import System
import Testing
import Video4Linux

@testable import Capture

/// An explicit request of the user is met exactly, or ends in a clear error.
@Suite struct V4L2WishTests {
  private func request(size: (Int, Int)? = nil, fps: Double? = nil, fourCC: FourCC? = nil) -> V4L2Request {
    var request = V4L2Request()
    request.size = size.map { PixelSize(width: $0.0, height: $0.1) }
    request.framesPerSecond = fps
    request.fourCC = fourCC
    return request
  }

  /// Returns a camera whose driver ignores requests: it sets a width of 32 and 7 frames a second.
  private func unfaithful(_ request: V4L2Request) -> CameraRig {
    let rig = CameraRig(request: request)
    rig.kernel.on(.setFormat, v4l2_format.self) { raw in
      defer { raw.fmt.pix.width = 32 }
      return rig.kernel.with { $0.setMode(&raw) }
    }
    rig.kernel.on(.setParameters, v4l2_streamparm.self) { raw in
      raw.parm.capture.capability = UInt32(V4L2_CAP_TIMEPERFRAME)
      raw.parm.capture.timeperframe = v4l2_fract(numerator: 1, denominator: 7)
      return nil
    }
    return rig
  }

  @Test func anAnswerThatIsNotWhatWasAskedForIsAnError() throws {
    for wish in [request(size: (64, 36)), request(fps: 30), request(size: (64, 36), fps: 30)] {
      let rig = unfaithful(wish)
      let error = #expect(throws: CameraError.self) { try rig.start() }
      #expect(
        error?.description
          == "/dev/video0 does not offer \(wish) (its driver answered with 32×36 NV12 at 7 fps); it offers NV12 64×36 at 30 fps"
      )
      #expect(error?.isUnavailability == false)
      rig.camera.close()
      #expect(rig.kernel.leaks.isEmpty)
    }
    // Without a request, the driver's setting is accepted.
    #expect(try unfaithful(V4L2Request()).start().image.size.width == 32)
  }

  @Test func anotherFormatThatKeepsToItIsTaken() throws {
    let rig = CameraRig(
      [ScriptedMode(.yuyv, 64, 36), ScriptedMode(.nv12, 64, 36)], request: request(size: (64, 36)))
    rig.kernel.on(.setFormat, v4l2_format.self) { raw in
      let isCut = raw.fmt.pix.pixelformat == FourCC.yuyv.rawValue
      defer { if isCut { raw.fmt.pix.width = 32 } }
      return rig.kernel.with { $0.setMode(&raw) }
    }
    let format = try rig.start()
    #expect(format.image.pixelFormat == .nv12)
    #expect(format.image.size == PixelSize(width: 64, height: 36))
    _ = try rig.image()
  }

  @Test func anExplicitFormatIsKeptTo() {
    let rig = CameraRig(request: request(fourCC: .nv12))
    rig.kernel.on(.setFormat, v4l2_format.self) { raw in
      defer { (raw.fmt.pix.pixelformat, raw.fmt.pix.bytesperline) = (FourCC.yuyv.rawValue, 128) }
      return rig.kernel.with { $0.setMode(&raw) }
    }
    #expect(throws: CameraError.self) { try rig.start() }
  }

  /// Arguments: the rate in thousandths of a frame per second that the driver sets when 30 is requested, or nil if it reports no
  /// rate, and whether the camera accepts it.
  @Test(
    arguments: [(29_970, true), (30_000, true), (30_300, true), (25_000, false), (nil, false)]
      as [(UInt32?, Bool)])
  func roundingIsNoRefusal(rate: UInt32?, isTaken: Bool) throws {
    let rig = CameraRig(request: request(fps: 30))
    for call in [Request.setParameters, .getParameters] {
      rig.kernel.on(call, v4l2_streamparm.self) { raw in
        guard let rate else { return .notTTY }
        raw.parm.capture.capability = UInt32(V4L2_CAP_TIMEPERFRAME)
        raw.parm.capture.timeperframe = v4l2_fract(numerator: 1000, denominator: rate)
        return nil
      }
    }
    if isTaken {
      try rig.start()
    } else {
      #expect(throws: CameraError.self) { try rig.start() }
    }
  }

  @Test(arguments: [(0, []), (1, [1])] as [(Int, [Int32])]) func anInputIsChosenWhereItIsAnother(
    input: Int, chosen: [Int32]
  ) throws {
    var request = V4L2Request()
    request.input = input
    let rig = CameraRig(request: request)
    offerInputs(rig, 2)
    let set = Locked<[Int32]>([])
    rig.kernel.on(.setInput, Int32.self) { index in
      set.withLock { $0.append(index) }
      return nil
    }
    try rig.start()
    #expect(set.withLock { $0 } == chosen)
  }

  @Test func anInputThatIsNotThereIsRefusedByName() throws {
    var request = V4L2Request()
    request.input = 2
    let rig = CameraRig(request: request)
    offerInputs(rig, 2)
    let error = #expect(throws: CameraError.self) { try rig.start() }
    #expect(error?.code == .invalidSource && error?.reason == "it has no input 2; choose one of 0 (), 1 ()")
  }

  private func offerInputs(_ rig: CameraRig, _ count: UInt32) {
    rig.kernel.on(.getInput, Int32.self) { index in
      index = 0
      return nil
    }
    rig.kernel.on(.enumerateInputs, v4l2_input.self) { $0.index < count ? nil : .invalidArgument }
  }

  /// If a device does not list its rates, the requested one is tried.
  @Test func aRateThatIsNotListedIsAskedFor() throws {
    let rig = CameraRig(request: request(fps: 60))
    rig.kernel.on(.enumerateFrameIntervals, v4l2_frmivalenum.self) { _ in .notTTY }
    #expect(try rig.start().frameInterval == FrameInterval(framesPerSecond: 60))
  }

  /// The driver offers 24, 24000/1001 and 25.
  @Test(arguments: [(23.976, 24_000), (24, 24_024), (24.3, 24_024)] as [(Double, UInt32)])
  func ofTwoRatesTheOneThatWasAskedIsTaken(rate: Double, denominator: UInt32) throws {
    let rig = CameraRig(request: request(fps: rate))
    rig.kernel.on(.enumerateFrameIntervals, v4l2_frmivalenum.self) { raw in
      guard raw.index < 3 else { return .invalidArgument }
      raw.type = V4L2_FRMIVAL_TYPE_DISCRETE.rawValue
      raw.discrete = v4l2_fract(numerator: 1001, denominator: [24_024, 24_000, 25_025][Int(raw.index)])
      return nil
    }
    let formats = try rig.camera.open().formats
    #expect(formats.count == (rate == 24.3 ? 2 : 1), "nothing is exact for 24.3")
    let given = try rig.camera.prepare(formats[0])
    #expect(given.frameInterval == FrameInterval(numerator: 1001, denominator: Int(denominator)))
    #expect(rig.kernel.with { $0.interval.denominator } == denominator, "the request to the driver")
  }

  // MARK: BT.2020

  /// The flags are `V4L2_FMT_FLAG_CSC_COLORSPACE` and `V4L2_FMT_FLAG_CSC_YCBCR_ENC`.
  private func converting() -> CameraRig { CameraRig([ScriptedMode(.p010, 64, 36, flags: 0x20 | 0x80)]) }

  @Test func aDriverThatConvertsIsAskedForBT2020() throws {
    let rig = converting()
    let formats = try rig.camera.open().formats
    #expect(formats.map(\.description) == ["P010 64×36 at 30 fps", "P010 (BT.2020) 64×36 at 30 fps"])
    #expect(
      FormatFinder(size: formats[0].image.size).best(of: formats) == formats[0], "only where it is wished")
    for (wanted, flags) in [(formats[1], UInt32(2)), (formats[0], 0)] {
      let given = try rig.camera.prepare(wanted)
      #expect(rig.kernel.with { $0.format.fmt.pix.flags } == flags)
      #expect(given.isLog == (flags == 2), "the value that was read back")
      rig.camera.close()
      _ = try rig.camera.open()
    }
  }

  /// The driver accepts the request, but sets BT.709.
  @Test func aDriverThatDoesNotConvertAfterAllIsToldAsItIs() throws {
    let rig = converting()
    let formats = try rig.camera.open().formats
    rig.kernel.on(.setFormat, v4l2_format.self) { raw in
      (raw.fmt.pix.colorspace, raw.fmt.pix.ycbcr_enc) = (V4L2_COLORSPACE_REC709.rawValue, 0)
      return rig.kernel.with { $0.setMode(&raw) }
    }
    #expect(try rig.camera.prepare(formats[1]).image.color.matrix == .bt709)
  }

  @Test func aDriverThatDoesNotConvertIsNotAsked() throws {
    let rig = CameraRig([ScriptedMode(.p010, 64, 36, flags: 0x20), ScriptedMode(.nv12, 64, 36, flags: 0xA0)])
    #expect(try rig.camera.open().formats.allSatisfy { !$0.isLog })
  }

  /// The driver offers sizes from 32×24 to 1290×730, in steps of 16 and 8.
  @Test func ofARangeTheLargestTheSmallestAndTheUsualOnStepAreOffered() throws {
    let rig = CameraRig()
    rig.kernel.on(.enumerateFrameSizes, v4l2_frmsizeenum.self) { raw in
      raw.type = V4L2_FRMSIZE_TYPE_STEPWISE.rawValue
      raw.stepwise = v4l2_frmsize_stepwise(
        min_width: 32, max_width: 1290, step_width: 16, min_height: 24, max_height: 730, step_height: 8)
      return nil
    }
    let sizes = try rig.camera.open().formats.map(\.image.size.description)
    #expect(
      sizes == ["1280×728", "1280×720", "640×480", "640×360", "320×240", "32×24", "800×600"].sorted(by: area))
  }

  private func area(_ left: String, _ right: String) -> Bool {
    func area(_ text: String) -> Int { text.split(separator: "×").compactMap { Int($0) }.reduce(1, *) }
    return area(left) > area(right)
  }
}

/// Listing a device changes nothing on it.
@Suite struct V4L2ListingTests {
  private static let asking: Set<String> = [
    "open", "VIDIOC_QUERYCAP", "VIDIOC_ENUM_FMT", "VIDIOC_ENUM_FRAMESIZES", "VIDIOC_ENUM_FRAMEINTERVALS",
    "VIDIOC_G_FMT", "VIDIOC_G_PARM", "VIDIOC_G_DV_TIMINGS", "VIDIOC_QUERY_DV_TIMINGS",
    "VIDIOC_QUERY_EXT_CTRL", "VIDIOC_G_EXT_CTRLS",
  ]

  private func timings(_ width: UInt32) -> v4l2_dv_timings {
    var timings = v4l2_dv_timings()
    timings.bt.width = width
    timings.bt.height = 36
    timings.bt.pixelclock = UInt64(width) * 36 * 50
    return timings
  }

  /// The device has a signal with other timings than those that are set.
  @Test func listingSetsNothing() throws {
    let rig = CameraRig([ScriptedMode(.yuyv, 64, 36), ScriptedMode(.yuyv, 128, 36)]) {
      $0.timings = timings(128)
      $0.timingsInForce = timings(64)
    }
    let listed = try ConnectedCamera.list(kernel: rig.kernel)
    #expect(Set(rig.kernel.log).subtracting(Self.asking) == [])
    #expect(rig.kernel.with { $0.timingsInForce?.bt.width } == 64)
    #expect(
      try listed.first?.description.get().formats.map(\.image.size.width) == [128],
      "the format after the start")
    // Only preparing to stream sets the new timings.
    #expect(try rig.start().image.size.width == 128)
    #expect(rig.kernel.with { $0.timingsInForce?.bt.width } == 128)
    rig.camera.close()
    #expect(rig.kernel.leaks.isEmpty)
  }

  /// A camera has no video signal, so the error gives the driver's reason, a missing link.
  @Test func aMissingLinkOfACameraIsToldAsThat() throws {
    let rig = CameraRig()
    rig.kernel.fail("VIDIOC_STREAMON", .noLink)
    let error = #expect(throws: CameraError.self) { try rig.start() }
    #expect(error?.interruption == .deviceReset)
    #expect(
      error?.description
        == "/dev/video0 failed: Could not start streaming on /dev/video0: its driver finds no link to what delivers the pictures (VIDIOC_STREAMON: ENOLINK); connect its source, or set up the links between its parts with `media-ctl`."
    )
    try rig.camera.start()
  }

  /// If an opened device refuses permission, the cause is not the user's group.
  @Test func aRefusalOfAnOpenDeviceIsNoMissingPermission() {
    let rig = CameraRig()
    rig.kernel.fail("VIDIOC_S_FMT", .notPermitted)
    let error = #expect(throws: CameraError.self) { try rig.start() }
    #expect(error?.interruption == .deviceReset)
    #expect(error?.description.contains("group") == false)
  }
}
