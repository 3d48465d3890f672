import CVideo4Linux
import Imagery
import ScriptedKernel
import System
import Testing
import Video4Linux

@testable import Capture

/// Drivers whose answers make no sense. The camera uses the valid part of an answer, or fails with a one-sentence error that gives
/// the driver's reason.
@Suite struct OddOfferTests {
  private func offerIntervals(_ rig: CameraRig, _ answer: @escaping (inout v4l2_frmivalenum) -> Errno?) {
    rig.kernel.on(.enumerateFrameIntervals, v4l2_frmivalenum.self, answer)
  }

  /// The driver's list has invalid intervals. If none is valid, the camera assumes 30 frames per second.
  @Test(
    arguments: [
      ([(0, 0), (1, 0), (0, 1), (.max, 1), (1, .max)], [30]), ([(0, 0), (1, 25), (.max, 1)], [25]),
      ([], [30]),
    ] as [([(UInt32, UInt32)], [Int])])
  func intervalsThatAreNoneAreNotOffered(said: [(UInt32, UInt32)], rates: [Int]) throws {
    let rig = CameraRig()
    offerIntervals(rig) { raw in
      guard raw.index < said.count else { return .invalidArgument }
      raw.type = V4L2_FRMIVAL_TYPE_DISCRETE.rawValue
      raw.discrete = v4l2_fract(numerator: said[Int(raw.index)].0, denominator: said[Int(raw.index)].1)
      return nil
    }
    let formats = try rig.camera.open().formats
    #expect(formats.map(\.frameInterval) == rates.map { FrameInterval(framesPerSecond: $0) })
  }

  /// Arguments: the shortest interval, the longest interval and the step of a range, and the expected rates. Rates from 1000 on are
  /// in thousandths: 29,970 is 30,000/1001.
  @Test(
    arguments: [
      ((0, 0), (0, 0), (0, 0), [30]), ((1, 30), (1, 0), (0, 0), [30]),
      ((1, 30), (1, 15), (0, 0), [30, 25, 24, 29_970, 23_976, 15]),
      ((1, 30), (.max, 1), (0, 1), [30, 25, 24, 15, 10, 5, 1, 29_970, 23_976]),
      ((1, .max), (1, 200), (0, 0), [240, 200]),
      ((1, 60), (1, 10), (1, 60), [60, 30, 15, 59_940, 29_970, 10]),
    ] as [((UInt32, UInt32), (UInt32, UInt32), (UInt32, UInt32), [Int])])
  func rangesOfIntervalsAreHeldToWhatCanBe(
    shortest: (UInt32, UInt32), longest: (UInt32, UInt32), step: (UInt32, UInt32), rates: [Int]
  ) throws {
    let rig = CameraRig()
    offerIntervals(rig) { raw in
      raw.type = V4L2_FRMIVAL_TYPE_STEPWISE.rawValue
      raw.stepwise.min = v4l2_fract(numerator: shortest.0, denominator: shortest.1)
      raw.stepwise.max = v4l2_fract(numerator: longest.0, denominator: longest.1)
      raw.stepwise.step = v4l2_fract(numerator: step.0, denominator: step.1)
      return nil
    }
    let formats = try rig.camera.open().formats
    #expect(
      formats.map(\.frameInterval)
        == rates.map {
          $0 < 1000
            ? FrameInterval(framesPerSecond: $0)
            : FrameInterval(numerator: 1001, denominator: ($0 + 999) / 1000 * 1000)
        })
  }

  @Test func aRequestForNoRateIsRefusedAndNoCrash() throws {
    var request = V4L2Request()
    request.framesPerSecond = 0
    let rig = CameraRig(request: request)
    offerIntervals(rig) { raw in
      raw.type = V4L2_FRMIVAL_TYPE_CONTINUOUS.rawValue
      raw.stepwise.min = v4l2_fract(numerator: 1, denominator: 60)
      raw.stepwise.max = v4l2_fract(numerator: 1, denominator: 1)
      return nil
    }
    #expect(throws: CameraError.self) { try rig.camera.open() }
  }

  @Test func aRangeOfSizesWithoutAStepIsEverySizeInIt() throws {
    let rig = CameraRig()
    rig.kernel.on(.enumerateFrameSizes, v4l2_frmsizeenum.self) { raw in
      raw.type = V4L2_FRMSIZE_TYPE_STEPWISE.rawValue
      raw.stepwise = v4l2_frmsize_stepwise(
        min_width: 1, max_width: 700, step_width: 0, min_height: 1, max_height: 500, step_height: 0)
      return nil
    }
    let sizes = try rig.camera.open().formats.map(\.image.size)
    #expect(
      sizes == [(700, 500), (640, 480), (640, 360), (320, 240), (1, 1)].map(PixelSize.init(width:height:)))
  }

  /// One of two formats has an empty range of sizes. The camera offers only the other format.
  @Test func aFormatOfNonsenseDoesNotTakeTheOthersWithIt() throws {
    let rig = CameraRig([ScriptedMode(.yuyv, 64, 36), ScriptedMode(.nv12, 64, 36)])
    rig.kernel.on(.enumerateFrameSizes, v4l2_frmsizeenum.self) { raw in
      let isSound = raw.pixel_format == FourCC.nv12.rawValue
      raw.type = (isSound ? V4L2_FRMSIZE_TYPE_DISCRETE : V4L2_FRMSIZE_TYPE_STEPWISE).rawValue
      raw.stepwise.min_width = isSound ? 64 : 9
      raw.stepwise.max_width = isSound ? 36 : 8
      return raw.index == 0 ? nil : .invalidArgument
    }
    #expect(try rig.camera.open().formats.map(\.image.pixelFormat) == [.nv12])
  }

  /// The driver's lists never end: they repeat an entry, or always have new ones.
  @Test(arguments: [false, true]) func noDriverKeepsTheCameraForEver(isEverNew: Bool) throws {
    let rig = CameraRig([.nv12, .yuyv, .mjpeg, .yuv420].map { ScriptedMode($0, 64, 36) })
    rig.kernel.on(.enumerateFrameSizes, v4l2_frmsizeenum.self) { raw in
      raw.type = V4L2_FRMSIZE_TYPE_DISCRETE.rawValue
      raw.discrete = v4l2_frmsize_discrete(width: isEverNew ? raw.index + 1 : 64, height: 36)
      return nil
    }
    offerIntervals(rig) { raw in
      raw.type = V4L2_FRMIVAL_TYPE_DISCRETE.rawValue
      raw.discrete = v4l2_fract(numerator: 1, denominator: 30)
      return nil
    }
    let formats = try rig.camera.open().formats
    #expect(formats.count == (isEverNew ? V4L2Offer.limit : 4))
    #expect(rig.kernel.log.count < 25_000)
  }

  /// The search ends even if no offered format meets the request.
  @Test func noSearchGoesOnForEver() throws {
    var request = V4L2Request()
    request.framesPerSecond = 7
    let rig = CameraRig([.nv12, .yuyv, .mjpeg, .yuv420].map { ScriptedMode($0, 64, 36) }, request: request)
    rig.kernel.on(.enumerateFrameSizes, v4l2_frmsizeenum.self) { raw in
      raw.type = V4L2_FRMSIZE_TYPE_DISCRETE.rawValue
      raw.discrete = v4l2_frmsize_discrete(width: raw.index + 1, height: 36)
      return nil
    }
    offerIntervals(rig) { raw in
      raw.type = V4L2_FRMIVAL_TYPE_DISCRETE.rawValue
      raw.discrete = v4l2_fract(numerator: 1, denominator: 30)
      return raw.index == 0 ? nil : .invalidArgument
    }
    #expect(throws: CameraError.self) { try rig.camera.open() }
    #expect(rig.kernel.log.count { $0 == "VIDIOC_ENUM_FRAMEINTERVALS" } <= 4 * V4L2Offer.limit)
  }

  @Test(arguments: [(UInt64.max, UInt32(0)), (1, 0), (0, .max)])
  func aSignalOfAnyRateHasAnInterval(clock: UInt64, blanking: UInt32) throws {
    let rig = CameraRig([ScriptedMode(.yuyv, 1, 1)]) {
      var timings = v4l2_dv_timings()
      (timings.bt.width, timings.bt.height) = (1, 1)
      (timings.bt.hfrontporch, timings.bt.vfrontporch) = (blanking, blanking)
      timings.bt.pixelclock = clock
      $0.timings = timings
    }
    #expect(try rig.camera.open().formats.allSatisfy(\.frameInterval.isBelievable))
  }
}

/// Drivers whose settings differ from the request.
@Suite struct OddAnswerTests {
  @Test(arguments: [Errno.notTTY, .invalidArgument])
  func aRateThatCannotBeSetIsTheOneThereIs(errno: Errno) throws {
    let rig = CameraRig()
    rig.kernel.with { $0.interval = v4l2_fract(numerator: 1, denominator: 7) }
    rig.kernel.fail("VIDIOC_S_PARM", errno)
    #expect(try rig.start().frameInterval == FrameInterval(framesPerSecond: 7))
    _ = try rig.image()
  }

  @Test(
    arguments: [
      ((1, 10), (1, 10)), ((0, 0), (1, 30)), ((1, 0), (1, 30)), ((.max, 1), (1, 30)), ((1, .max), (1, 30)),
    ] as [((UInt32, UInt32), (Int, Int))])
  func theRateInForceIsTheDriversIfThereIsSuch(said: (UInt32, UInt32), known: (Int, Int)) throws {
    let rig = CameraRig()
    for request in [Request.setParameters, .getParameters] {
      rig.kernel.on(request, v4l2_streamparm.self) { raw in
        raw.parm.capture.capability = UInt32(V4L2_CAP_TIMEPERFRAME)
        raw.parm.capture.timeperframe = v4l2_fract(numerator: said.0, denominator: said.1)
        return nil
      }
    }
    let interval = try rig.start().frameInterval
    #expect((interval.numerator, interval.denominator) == known)
  }

  /// Creates a camera whose driver changes its answer to the format request.
  private func rig(_ change: @escaping (inout v4l2_pix_format) -> Void) -> CameraRig {
    let rig = CameraRig()
    rig.kernel.on(.setFormat, v4l2_format.self) { raw in
      let answer = rig.kernel.with { $0.setMode(&raw) }
      change(&raw.fmt.pix)
      return answer
    }
    return rig
  }

  @Test func anotherSizeOrFormatIsTaken() throws {
    let smaller = rig { $0.width = 32 }
    #expect(try smaller.start().image.size == PixelSize(width: 32, height: 36))
    #expect(try smaller.image().image.planes.map(\.bytesPerRow) == [64, 64])
    let packed = rig { ($0.pixelformat, $0.height, $0.bytesperline) = (FourCC.yuyv.rawValue, 10, 128) }
    #expect(try packed.start().image.pixelFormat == .yuyv)
    #expect(try packed.image().image.planes.map(\.bytesPerRow) == [128])
  }

  @Test(arguments: [
    ("another format", "64×36 H264, rows of 64 bytes, field order none"),
    ("no size", "0×36 NV12, rows of 64 bytes, field order none"),
    ("short rows", "64×36 NV12, rows of 10 bytes, field order none"),
    ("endless rows", "64×36 NV12, rows of 4294967295 bytes, field order none"),
    ("half pictures", "64×36 NV12, rows of 64 bytes, field order alternate"),
  ])
  func anAnswerThatCannotBeReadIsNamed(oddity: String, details: String) {
    let rig = rig { pix in
      switch oddity {
      case "another format": pix.pixelformat = FourCC("H264")!.rawValue
      case "no size": pix.width = 0
      case "short rows": pix.bytesperline = 10
      case "endless rows": pix.bytesperline = .max
      default: pix.field = UInt32(V4L2_FIELD_ALTERNATE.rawValue)
      }
    }
    let error = #expect(throws: CameraError.self) { try rig.start() }
    #expect(
      error?.description
        == "/dev/video0 does not offer NV12 64×36 at 30 fps after all: its driver answered with \(details); it offers NV12 64×36 at 30 fps"
    )
    #expect(error?.interruption == nil)
    rig.camera.close()
    #expect(rig.kernel.leaks.isEmpty)
  }

  /// `sizeimage` is only the driver's claim; the size of the mapped buffer counts.
  @Test(arguments: [UInt32(0), 1, .max]) func theSizeOfAnImageIsNotBelieved(said: UInt32) throws {
    let rig = rig { $0.sizeimage = said }
    try rig.start()
    #expect(try rig.image().image.planes.count == 2)
  }

  @Test func buffersThatAreTooSmallAreToldBeforeAnyPicture() {
    let rig = rig { _ in }
    rig.kernel.on(.queryBuffer, v4l2_buffer.self) { raw in
      raw.length = 64 * 36
      return nil
    }
    let error = #expect(throws: CameraError.self) { try rig.start() }
    #expect(
      error?.description
        == "cannot use /dev/video0: its buffers are too small for 64×36 NV12; update the kernel or report the driver"
    )
    #expect(error?.interruption == nil, "waiting does not help")
    rig.camera.close()
    #expect(rig.kernel.leaks.isEmpty)
  }

  /// The camera works with fewer buffers than requested, even with one: it copies frames that outputs hold.
  @Test(arguments: [1, 2, 3]) func fewBuffersStarveNobody(count: UInt32) throws {
    let rig = CameraRig()
    rig.kernel.on(.requestBuffers, v4l2_requestbuffers.self) { raw in
      raw.count = min(raw.count, count)
      rig.kernel.with { device in
        device.allocated = Int(raw.count)
        device.queued = []
      }
      return nil
    }
    try rig.start()
    let held = try (0..<6).map { number in try rig.image { raw, _ in raw.sequence = UInt32(number) } }
    #expect(held.map(\.sequence) == Array(0..<6))
    #expect(Set(held.map { $0.image.planes[0].base }).count == 6)
  }

  /// The driver returns a buffer twice, or one that does not exist. The camera reports a reset, and memory stays intact.
  @Test(arguments: [0, 99, UInt32.max]) func aBufferThatIsNotTheDriversIsAReset(index: UInt32) throws {
    let rig = CameraRig()
    try rig.start()
    let first = try rig.image { raw, _ in raw.index = 0 }
    rig.kernel.on(.dequeueBuffer, v4l2_buffer.self) { raw in
      (raw.index, raw.bytesused) = (index, 3456)
      return nil
    }
    rig.kernel.complete()
    let error = #expect(throws: CameraError.self) { try rig.next() }
    #expect(error?.interruption == .deviceReset)
    #expect(error?.description.contains("buffer \(index) came back without being lent") == true)
    rig.camera.stop()
    rig.camera.close()
    _ = consume first
    #expect(rig.kernel.leaks.isEmpty)
  }
}

/// Sessions with cameras whose drivers misbehave.
@Suite struct OddStreamTests {
  private let clock = VirtualClock()

  private func session(_ kernel: ScriptedKernel) -> CaptureSession {
    CaptureSession(source: V4L2Source(path: "/dev/video0", kernel: kernel), clock: clock)
  }

  /// A stream with only damaged buffers counts as stalled and is restarted. A few damaged buffers are only skipped.
  @Test func onlyDamagedFramesAreAStall() async throws {
    let kernel = ScriptedKernel.camera([ScriptedMode(.nv12, 64, 36, [50])], clock: clock)
    let good = Locked(true)
    kernel.fill(every: 20_000_000) { raw, _ in
      if !good.withLock({ $0 }) { raw.flags |= UInt32(V4L2_BUF_FLAG_ERROR) }
    }
    let session = session(kernel)
    try await session.start()
    await clock.run(for: .milliseconds(305))
    good.withLock { $0 = false }
    await clock.run(for: .milliseconds(400))
    #expect(await session.state == .running)
    #expect(await session.damagedFrames == 20)
    good.withLock { $0 = true }
    await clock.run(for: .milliseconds(100))
    good.withLock { $0 = false }
    await clock.run(for: .milliseconds(600))
    #expect(await session.state == .interrupted(.streamStalled))
    good.withLock { $0 = true }
    await clock.run(for: .milliseconds(100))
    #expect(await session.state == .running)
    await session.stop()
    #expect(kernel.leaks.isEmpty)
  }

  /// If a device refuses every time, the session fails with the reason. If the device has worked before, the session waits for it.
  @Test(arguments: ["VIDIOC_STREAMON", "VIDIOC_REQBUFS", "mmap", "VIDIOC_S_FMT"])
  func whatAlwaysFailsEndsInItsReason(call: String) async throws {
    let kernel = ScriptedKernel.camera([ScriptedMode(.nv12, 64, 36, [50])], clock: clock)
    kernel.fill(every: 20_000_000)
    for _ in 0..<200 { kernel.fail(call, .inputOutput) }
    let session = session(kernel)
    try await session.start()
    await clock.run(for: .seconds(5))
    guard case .failed(let error) = await session.state else {
      Issue.record("\(await session.state)")
      return
    }
    #expect(error.description.hasPrefix("cannot use /dev/video0: it failed 10 times in a row; Could not "))
    #expect(error.description.contains("(\(call): EIO)"))
    await session.stop()
    #expect(kernel.leaks.isEmpty)
  }

  @Test func noBuffersAtAllIsAReason() async throws {
    let kernel = ScriptedKernel.camera([ScriptedMode(.nv12, 64, 36, [50])], clock: clock)
    kernel.on(.requestBuffers, v4l2_requestbuffers.self) { raw in
      raw.count = 0
      return nil
    }
    let session = session(kernel)
    try await session.start()
    await clock.run(for: .seconds(5))
    let state = await session.state
    #expect(
      "\(state)".contains("(none of 8 buffers was given): the system has no memory for it (VIDIOC_REQBUFS)"),
      "\(state)")
    await session.stop()
    #expect(kernel.leaks.isEmpty)
  }

  @Test func whatHasWorkedIsWaitedForHoweverOftenItFails() async throws {
    let kernel = ScriptedKernel.camera([ScriptedMode(.nv12, 64, 36, [50])], clock: clock)
    kernel.fill(every: 20_000_000)
    let session = session(kernel)
    try await session.start()
    await clock.run(for: .milliseconds(305))
    for _ in 0..<50 { kernel.fail("VIDIOC_STREAMON", .inputOutput) }
    kernel.with { $0.isBroken = true }
    await clock.run(for: .seconds(5))
    #expect(await session.state == .interrupted(.deviceReset))
    await clock.run(for: .seconds(10))
    #expect(await session.state == .running)
    await session.stop()
    #expect(kernel.leaks.isEmpty)
  }

  /// A driver that reports an interval of 136 years does not make a time overflow.
  @Test func anIntervalOfAgesIsNotCounted() async throws {
    let kernel = ScriptedKernel.camera([ScriptedMode(.nv12, 64, 36, [50])], clock: clock)
    for request in [Request.setParameters, .getParameters] {
      kernel.on(request, v4l2_streamparm.self) { raw in
        raw.parm.capture.capability = UInt32(V4L2_CAP_TIMEPERFRAME)
        raw.parm.capture.timeperframe = v4l2_fract(numerator: .max, denominator: 1)
        return nil
      }
    }
    let session = session(kernel)
    try await session.start()
    await clock.run(for: .milliseconds(4_900))
    #expect(await session.state == .loading)
    await clock.run(for: .milliseconds(200))
    #expect(await session.state == .interrupted(.streamStalled))
    await session.stop()
    #expect(kernel.leaks.isEmpty)
  }
}
