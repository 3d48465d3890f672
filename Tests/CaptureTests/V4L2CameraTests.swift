import CVideo4Linux
import Imagery
import ScriptedKernel
import System
import Testing
import Video4Linux

@testable import Capture

/// The V4L2 camera on a scripted kernel: its frames, and its handling of a driver's oddities.
@Suite struct V4L2CameraTests {
  @Test func lendsTheDriversOwnMemoryAndGivesItBack() throws {
    let rig = CameraRig()
    #expect(try rig.start().image.size == PixelSize(width: 64, height: 36))
    let all = rig.kernel.held.count
    #expect(all >= 4 + PhotoOutput.ringDepth)
    var image: CapturedImage? = try rig.image { raw, _ in raw.sequence = 7 }
    #expect(image?.sequence == 7)
    #expect(rig.kernel.held.count == all - 1)
    let planes = try #require(image?.image.planes)
    #expect(planes.map(\.bytesPerRow) == [64, 64])
    #expect(planes.map(\.height) == [36, 18])
    #expect(planes[1].base == planes[0].base + 64 * 36, "chroma follows luma in the same buffer: no copy")
    image = nil
    #expect(rig.kernel.held.count == all)
    rig.camera.close()
    #expect(rig.kernel.leaks.isEmpty)
  }

  @Test func honoursPaddedRowsAndSeparatePlanes() throws {
    let padded = CameraRig([ScriptedMode(.nv12, 50, 36)])
    try padded.start()
    let image = try padded.image().image
    #expect(image.planes.map(\.bytesPerRow) == [64, 64])
    #expect(image.planes[1].base == image.planes[0].base + 64 * 36)
    let apart = CameraRig([ScriptedMode(.nv12m, 50, 36)]) {
      $0.capabilities = V4L2_CAP_VIDEO_CAPTURE_MPLANE | V4L2_CAP_STREAMING
    }
    #expect(try apart.start().image.pixelFormat == .nv12)
    let planes = try apart.image { _, planes in planes[1].data_offset = 0 }.image.planes
    #expect(planes.map(\.height) == [36, 18])
    #expect(planes[1].base != planes[0].base + 64 * 36)
  }

  @Test func aCompressedFrameIsAsLongAsTheDriverSays() throws {
    let rig = CameraRig([ScriptedMode(.mjpeg, 640, 480)])
    let format = try rig.start()
    #expect(format.image.color == .jpeg)
    let image = try rig.image { raw, _ in raw.bytesused = 1234 }
    #expect(image.image.planes.map(\.byteCount) == [1234])
  }

  @Test(arguments: [
    ("the error flag", UInt32(V4L2_BUF_FLAG_ERROR), UInt32(3456)), ("no bytes", 0, 0),
    ("half the bytes", 0, 1700),
    ("more than the buffer holds", 0, 9_999_999),
  ])
  func aDamagedBufferIsToldAndReturnsAtOnce(name: String, flags: UInt32, bytes: UInt32) throws {
    let rig = CameraRig()
    try rig.start()
    let all = rig.kernel.held.count
    let event = try rig.event { raw, _ in
      raw.flags |= flags
      raw.bytesused = bytes
    }
    guard case .damagedFrame(_, let reason) = event else {
      Issue.record("\(name) passed as \(event)")
      return
    }
    #expect(!reason.isEmpty)
    #expect(rig.kernel.held.count == all)
  }

  /// Arguments: the milliseconds from the arrival to the stamp, or nil for no stamp, and from the arrival to the reported time.
  @Test(arguments: [(-10, -10), (33, 0), (nil, -33), (-60_000, -33)] as [(Int64?, Int64)])
  func stampsAreHeldToWhatCanBe(stamp: Int64?, expected: Int64) throws {
    let rig = CameraRig()
    try rig.start()
    let arrival = rig.clock.now().nanoseconds
    let image = try rig.image { raw, _ in
      let time = stamp.map { arrival + $0 * 1_000_000 } ?? 0
      raw.timestamp.tv_sec = Int(time / 1_000_000_000)
      raw.timestamp.tv_usec = Int(time % 1_000_000_000 / 1000)
      raw.flags |= UInt32(V4L2_BUF_FLAG_TSTAMP_SRC_SOE)
    }
    #expect((image.exposureTime.nanoseconds - arrival) / 1_000_000 == expected)
    // A time that replaces the stamp is that of the frame's end, whatever the driver's flag says.
    let isOurs = stamp == nil || stamp == -60_000
    #expect(image.exposureEdge == (isOurs ? .endOfFrame : .startOfExposure))
  }

  /// If a stamp repeats or goes back, as after a wrap, the times advance by the intervals of arrival. Otherwise a photo that waits
  /// for a frame after its press would wait forever.
  @Test func timesGoOnThoughStampsDoNot() throws {
    let rig = CameraRig()
    try rig.start()
    var seen: [CapturedImage] = []
    for stamp in [99_990_000, 99_990_000, 99_000_000, 99_995_000] {
      rig.clock.advance(by: .milliseconds(10))
      seen.append(
        try rig.image { raw, _ in
          raw.timestamp.tv_sec = stamp / 1_000_000
          raw.timestamp.tv_usec = stamp % 1_000_000
        })
    }
    let times = seen.map(\.exposureTime)
    #expect(times == times.sorted())
    #expect(times[1] - times[0] == .milliseconds(10) && times[2] - times[1] == .milliseconds(10))
    #expect(seen.map(\.clockSteps) == [0, 0, 1, 1])
  }

  /// A stamp that is minutes ahead (a clock that wrapped) is rejected. A stamp one frame ahead (vivid) is accepted.
  @Test func aStampFromFarAheadIsNoStamp() throws {
    let rig = CameraRig()
    try rig.start()
    let image = try rig.image { raw, _ in
      raw.timestamp.tv_sec = 2_147_483_000
      raw.flags |= UInt32(V4L2_BUF_FLAG_TSTAMP_SRC_SOE)
    }
    #expect(rig.clock.now() - image.exposureTime == .nanoseconds(33_333_333))
    #expect(image.exposureEdge == .endOfFrame)
  }

  /// Arguments: whether the stamp marks the start of the exposure, and the milliseconds from the arrival to the stamp and to the
  /// reported time. A frame takes 20 ms. Stamps lie in the past, or ahead as with vivid.
  @Test(arguments: [(false, -5, -25), (false, 20, 0), (true, -20, -20), (true, 0, 0)])
  func aStampOfTheEndIsLessOneFrameInterval(isStart: Bool, stamp: Int64, expected: Int64) throws {
    let rig = CameraRig([ScriptedMode(.nv12, 64, 36, [50])])
    try rig.start()
    let arrival = rig.clock.now().nanoseconds
    let image = try rig.image { raw, _ in
      let time = arrival + stamp * 1_000_000
      raw.timestamp.tv_sec = Int(time / 1_000_000_000)
      raw.timestamp.tv_usec = Int(time % 1_000_000_000 / 1000)
      if isStart { raw.flags |= UInt32(V4L2_BUF_FLAG_TSTAMP_SRC_SOE) }
    }
    #expect((image.exposureTime.nanoseconds - arrival) / 1_000_000 == expected)
    #expect(image.exposureEdge == (isStart ? .startOfExposure : .endOfFrame))
  }

  /// If the frame interval is unknown, the stamp of a frame's end is reported unchanged.
  @Test func withoutAnIntervalTheStampOfTheEndIsAllThereIs() throws {
    let rig = CameraRig()
    for request in [Request.setParameters, .getParameters] {
      rig.kernel.on(request, v4l2_streamparm.self) { _ in .notTTY }
    }
    try rig.start()
    #expect(try rig.image().exposureTime == MonotonicTime(nanoseconds: 99_990_000_000))
  }

  @Test func numbersGrowWhateverTheDriverCounts() throws {
    let rig = CameraRig()
    try rig.start()
    let numbers: [UInt32] = [0, 0, 1, 4, .max, 0, 2]
    let seen = try numbers.map { number in try rig.image { raw, _ in raw.sequence = number }.sequence }
    #expect(seen == [0, 1, 2, 5, 6, 7, 9])
  }

  /// If the stream is restarted without a new setup, the driver counts from 0 again and its clock may restart. The camera's frame
  /// numbers and times continue.
  @Test func numbersAndTimesGoOnWithTheNextStream() throws {
    let rig = CameraRig()
    try rig.start()
    let first = try rig.image { raw, _ in raw.sequence = 7 }
    rig.camera.stop()
    try rig.camera.start()
    let next = try rig.image { raw, _ in
      raw.sequence = 0
      raw.timestamp.tv_usec -= 20_000
    }
    #expect(next.sequence == 8)
    #expect(next.exposureTime == first.exposureTime, "an old stamp, and not the arrival")
  }

  /// In YU12 in one buffer with padded rows, the rows of chroma are half as long as those of luma.
  @Test func chromaOfThreePlanesHasHalfTheRow() throws {
    let rig = CameraRig([ScriptedMode(.yuv420, 50, 36)])
    rig.kernel.on(.setFormat, v4l2_format.self) { raw in
      defer { raw.fmt.pix.bytesperline = 64 }
      return rig.kernel.with { $0.setMode(&raw) }
    }
    try rig.start()
    let planes = try rig.image().image.planes
    #expect(planes.map(\.bytesPerRow) == [64, 32, 32])
    #expect(planes[1].base == planes[0].base + 64 * 36)
    #expect(planes[2].base == planes[1].base + 32 * 18)
  }

  @Test func slowOutputsNeverStarveTheDriver() throws {
    let rig = CameraRig()
    try rig.start()
    let all = rig.kernel.held.count
    let held = try (0..<20).map { number in try rig.image { raw, _ in raw.sequence = UInt32(number) } }
    #expect(held.map(\.sequence) == Array(0..<20))
    #expect(rig.kernel.held.count >= 2)
    #expect(Set(held.map { $0.image.planes[0].base }).count == 20, "no memory is shared")
    _ = consume held
    #expect(rig.kernel.held.count == all)
    rig.camera.close()
    #expect(rig.kernel.leaks.isEmpty)
  }

  @Test func whatIsHeldOutlivesTheCamera() throws {
    let rig = CameraRig()
    try rig.start()
    var image: PixelBuffer? = try rig.image().image
    rig.camera.stop()
    rig.camera.close()
    #expect(image?.planes[0].bytes.allSatisfy { $0 == 0 } == true)
    #expect(rig.kernel.leaks.count == 1, "the mappings, and nothing else")
    #expect(rig.kernel.allocated == 0, "the buffers are no longer ours: another program may have the device")
    image = nil
    #expect(rig.kernel.leaks.isEmpty)
  }

  @Test func sharesTheDriversBuffersOnceEach() throws {
    let rig = CameraRig()
    try rig.start()
    var descriptors: Set<Int32> = []
    for number in 0..<40 {
      let image = try rig.image { raw, _ in raw.sequence = UInt32(number) }.image
      let shared = try #require(image.shared())
      #expect(shared.map(\.offset) == [0, 64 * 36], "both planes are in one buffer")
      #expect(Set(shared.map(\.descriptor)).count == 1)
      #expect(image.shared() == shared)
      descriptors.formUnion(shared.map(\.descriptor))
    }
    #expect(descriptors.count == rig.kernel.log.count { $0 == "VIDIOC_EXPBUF" })
    #expect(descriptors.count <= rig.kernel.allocated)
    rig.camera.close()
    #expect(rig.kernel.leaks.isEmpty, "they are closed with the buffers")
  }

  @Test func aDriverThatCannotShareLeavesTheBytes() throws {
    let rig = CameraRig()
    rig.kernel.fail("VIDIOC_EXPBUF", .notTTY)
    try rig.start()
    #expect(try rig.image().image.shared() == nil)
  }

  @Test func planesApartAreSharedApart() throws {
    let rig = CameraRig([ScriptedMode(.nv12m, 50, 36)]) {
      $0.capabilities = V4L2_CAP_VIDEO_CAPTURE_MPLANE | V4L2_CAP_STREAMING
    }
    try rig.start()
    let shared = try #require(try rig.image().image.shared())
    #expect(shared.map(\.offset) == [0, 0])
    #expect(Set(shared.map(\.descriptor)).count == 2)
  }

  @Test func restartsOnTheSameDevice() throws {
    let rig = CameraRig()
    for _ in 0..<3 {
      try rig.start()
      #expect(try rig.image().image.planes.count == 2)
      rig.camera.stop()
      rig.camera.close()
      #expect(rig.kernel.leaks.isEmpty)
    }
  }

  @Test func aSilentDeviceTimesOutAndAWakeUpIsHeard() throws {
    let rig = CameraRig()
    try rig.start()
    guard case .timedOut = try rig.next(within: .milliseconds(500)) else {
      Issue.record("a silent device did not time out")
      return
    }
    rig.wake.signal()
    guard case .woken = try rig.next() else {
      Issue.record("the wake-up was not heard")
      return
    }
  }
}
