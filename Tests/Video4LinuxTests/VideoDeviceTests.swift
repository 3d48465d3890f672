import CVideo4Linux
import Glibc
import ScriptedKernel
import System
import Testing

@testable import Video4Linux

@Suite struct VideoDeviceTests {
  @Test func saysWhatItIs() throws {
    let kernel = ScriptedKernel {
      $0.driver = "a driver with a name too long"
      $0.card = " Cam\u{1B}[31m\n\u{202E}ára "
    }
    let device = try VideoDevice(path: "/dev/video0", kernel: kernel)
    #expect(device.capabilities.driver == "a driver with a")
    #expect(device.capabilities.card == "Cam?[31m??ára")
    #expect(device.capabilities.version == "6.1.90")
    #expect(device.capabilities.isCapture)
  }

  @Test(arguments: [
    (V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING, BufferType.capture),
    (V4L2_CAP_VIDEO_CAPTURE_MPLANE | V4L2_CAP_STREAMING, .captureMultiplanar),
    (V4L2_CAP_VIDEO_OUTPUT | V4L2_CAP_STREAMING, .output),
    (V4L2_CAP_VIDEO_OUTPUT_MPLANE | V4L2_CAP_STREAMING, .outputMultiplanar),
    (V4L2_CAP_VIDEO_M2M | V4L2_CAP_STREAMING, nil),
    (V4L2_CAP_META_CAPTURE | V4L2_CAP_STREAMING, nil),
    (V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_READWRITE, nil),
  ])
  func knowsWhichBuffersItExchanges(capabilities: Int32, expected: BufferType?) throws {
    let kernel = ScriptedKernel { $0.capabilities = capabilities }
    let device = try VideoDevice(path: "/dev/video0", kernel: kernel)
    #expect((try? device.bufferType()) == expected)
    #expect(device.capabilities.isCapture == (expected.map { !$0.isOutput } ?? false))
  }

  @Test func closesOnceAndThenRefuses() throws {
    let kernel = ScriptedKernel()
    let device = try VideoDevice(path: "/dev/video0", kernel: kernel)
    device.close()
    device.close()
    #expect(!device.isOpen)
    #expect(kernel.leaks.isEmpty)
    let error = #expect(throws: VideoDeviceError.self) { try device.format() }
    #expect(error?.reason == .disconnected)
    #expect(kernel.leaks.isEmpty)
  }

  @Test func survivesSignals() throws {
    let kernel = ScriptedKernel()
    kernel.fail("open", .interrupted, .interrupted)
    kernel.fail("VIDIOC_QUERYCAP", .interrupted)
    _ = try VideoDevice(path: "/dev/video0", kernel: kernel)
    #expect(kernel.log == ["open", "open", "open", "VIDIOC_QUERYCAP", "VIDIOC_QUERYCAP"])
  }

  @Test(arguments: [
    (Errno.noEntry, VideoDeviceError.Reason.notFound), (.noDeviceOrAddress, .notFound),
    (.accessDenied, .permissionDenied), (.notPermitted, .permissionDenied), (.busy, .busy),
    (.noDevice, .disconnected), (.inputOutput, .inputOutput), (.outOfMemory, .outOfMemory),
    (.tooManyFiles, .noDescriptors), (.fileTableFull, .noDescriptors),
    (Errno(rawValue: ENOTUNIQ), .system(Errno(rawValue: ENOTUNIQ))),
  ])
  func namesTheTroubleWithOpening(errno: Errno, reason: VideoDeviceError.Reason) {
    let kernel = ScriptedKernel()
    kernel.fail("open", errno)
    let error = #expect(throws: VideoDeviceError.self) {
      try VideoDevice(path: "/dev/video3", kernel: kernel)
    }
    #expect(error?.reason == reason)
    #expect(error?.errno == errno)
  }

  @Test(arguments: [
    (Request.dequeueBuffer, Errno.notTTY, VideoDeviceError.Reason.disconnected),
    (.streamOn, .notTTY, .disconnected), (.getFormat, .notTTY, .unsupported),
    (.setFormat, .invalidArgument, .unsupported), (.queueBuffer, .invalidArgument, .refused),
    (.streamOn, .noSpace, .noBandwidth), (.streamOn, .noLink, .notLinked),
    (.queryTimings, .noLink, .noSignal),
    (.setControls, .accessDenied, .refused), (.queryMenu, .noEntry, .system(.noEntry)),
    (.dequeueBuffer, .brokenPipe, .endOfStream),
    (.dequeueBuffer, .inputOutput, .inputOutput), (.setControls, .outOfRange, .refused),
  ])
  func readsErrorsByWhereTheyComeFrom(request: Request, errno: Errno, reason: VideoDeviceError.Reason) {
    #expect(VideoDeviceError(errno, .control(request), path: "/dev/video0").reason == reason)
  }

  @Test func explainsItselfInOneSentence() {
    let denied = VideoDeviceError(.accessDenied, .open, path: "/dev/video0")
    #expect(
      denied.description == "Could not open /dev/video0: this user may not use it "
        + "(open: EACCES); add yourself to the group `video` and log in again.")
    let busy = VideoDeviceError(.busy, .control(.setFormat), path: "/dev/video0", subject: "640×480 YUYV")
    #expect(
      busy.description == "Could not set the format on /dev/video0 (640×480 YUYV): the device is busy "
        + "(VIDIOC_S_FMT: EBUSY); close the other program that uses the camera.")
  }

  @Test func aFailedIdentificationClosesTheNode() {
    let kernel = ScriptedKernel()
    kernel.fail("VIDIOC_QUERYCAP", .notTTY)
    let error = #expect(throws: VideoDeviceError.self) { try VideoDevice(path: "/dev/null", kernel: kernel) }
    #expect(error?.reason == .unsupported)
    #expect(kernel.leaks.isEmpty)
  }

  @Test(
    arguments: [
      (POLLIN | POLLRDNORM, 0, [Readiness.buffer]), (POLLPRI, 0, [.event]), (0, POLLIN, [.woken]), (0, 0, []),
      (POLLERR | POLLHUP | POLLPRI, 0, [.error, .hangup, .event]), (POLLNVAL, 0, [.hangup]),
      (POLLERR, 0, [.error]),
    ] as [(Int32, Int32, [Readiness])])
  func saysWhyAWaitReturned(events: Int32, wake: Int32, expected: [Readiness]) throws {
    let kernel = ScriptedKernel()
    let device = try VideoDevice(path: "/dev/video0", kernel: kernel)
    kernel.answerPoll(.success(PollResult(events: Int16(events), wake: Int16(wake))))
    let readiness = try device.wait(wake: WakeSignal(), timeout: .seconds(1))
    #expect(readiness == Readiness(expected))
    #expect(readiness.isTimedOut == expected.isEmpty)
  }

  @Test func waitsOnlyTheTimeThatIsLeftAfterASignal() throws {
    let kernel = ScriptedKernel()
    let device = try VideoDevice(path: "/dev/video0", kernel: kernel)
    kernel.answerPoll(.failure(.interrupted), .failure(.interrupted))
    _ = try device.wait(timeout: .milliseconds(5))
    #expect(kernel.timeouts == [5_000_000, 2_000_000, 0])
    _ = try device.wait()
    #expect(kernel.timeouts.last == .some(nil))
  }
}

/// The real kernel, as far as it can be tested without a camera.
@Suite struct LinuxKernelTests {
  @Test func refusesWhatIsNoVideoDevice() {
    let null = #expect(throws: VideoDeviceError.self) { try VideoDevice(path: "/dev/null") }
    #expect(null?.reason == .unsupported)
    #expect(null?.errno == .notTTY)
    let missing = #expect(throws: VideoDeviceError.self) { try VideoDevice(path: "/dev/video-none") }
    #expect(missing?.reason == .notFound)
  }

  @Test func wakesAWaitUntilCleared() throws {
    let kernel = LinuxKernel()
    let wake = try WakeSignal()
    let other = try WakeSignal()
    func wait() throws -> PollResult {
      try kernel.poll(other.descriptor, events: Int16(POLLIN), wake: wake, timeout: 0)
    }
    #expect(try wait() == PollResult(events: 0, wake: 0))
    wake.signal()
    wake.signal()
    #expect(try wait() == PollResult(events: 0, wake: Int16(POLLIN)))
    wake.drain()
    other.signal()
    #expect(try wait() == PollResult(events: Int16(POLLIN), wake: 0))
  }

  @Test func readsFiles() throws {
    let kernel = LinuxKernel()
    #expect(try kernel.names(in: "/proc/self", limit: 10_000).contains("status"))
    #expect(try kernel.names(in: "/proc/self", limit: 3).count == 3)
    #expect(try kernel.contents(of: "/proc/self/comm", limit: 4).count <= 4)
    #expect(try kernel.resolve("/proc/self/../self/..") == "/proc")
    #expect(throws: Errno.noEntry) { try kernel.contents(of: "/nowhere", limit: 1) }
  }

  @Test func listsThisMachinesDevices() throws {
    let devices = try DeviceDirectory().list()
    #expect(Set(devices.map(\.path)).count == devices.count)
  }

  @Test func layoutsAreThoseOfTheHeader() {
    #expect(MemoryLayout<v4l2_buffer>.size == 88)
    #expect(MemoryLayout<v4l2_format>.size == 208)
    #expect(MemoryLayout<v4l2_ext_control>.stride == 20)
    #expect(MemoryLayout<v4l2_plane_pix_format>.stride == 20)
    #expect(MemoryLayout<v4l2_pix_format_mplane>.size == 192)
    #expect(MemoryLayout<v4l2_dv_timings>.size == 132)
    #expect(MemoryLayout<v4l2_event>.size == 136)
    #expect(MemoryLayout<v4l2_querymenu>.size == 44)
    // The size encoded in an ioctl number is that of the structure in Swift.
    #expect(Request.queryCapabilities.number == 0x8068_5600)
    #expect(Set(Request.allCases.map(\.number)).count == Request.allCases.count)
  }
}
