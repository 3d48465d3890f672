import CVideo4Linux
import Imagery
import ScriptedKernel
import System
import Testing
import Video4Linux

@testable import Capture

/// The V4L2 camera's error for each kind of failure.
@Suite struct V4L2FailureTests {
  @Test(arguments: ["VIDIOC_S_FMT", "VIDIOC_REQBUFS", "VIDIOC_STREAMON"])
  func aHeldDeviceIsBusy(call: String) {
    let rig = CameraRig()
    rig.kernel.fail(call, .busy)
    #expect(throws: CameraError.busy("/dev/video0")) { try rig.start() }
    rig.camera.close()
    #expect(rig.kernel.leaks.isEmpty)
  }

  /// The kernel does not report that another program releases the device. The camera notices it within 10 ms nevertheless, even
  /// after a long wait.
  @Test func aDeviceThatIsLetGoIsNoticedAtOnce() throws {
    let rig = CameraRig()
    rig.kernel.fail("VIDIOC_S_FMT", .busy)
    #expect(throws: CameraError.busy("/dev/video0")) { try rig.start() }
    rig.camera.close()
    for _ in 0..<500 { rig.kernel.fail("VIDIOC_REQBUFS", .busy) }
    let began = rig.clock.now()
    #expect(rig.camera.awaitReturn(after: .deviceInUse, wake: rig.wake))
    #expect((rig.clock.now() - began) == .seconds(5))
    try rig.start()
    _ = try rig.image()
    rig.camera.close()
    #expect(rig.kernel.leaks.isEmpty)
  }

  @Test func whoMayNotIsToldHow() {
    let rig = CameraRig()
    rig.kernel.fail("open", .accessDenied)
    let error = #expect(throws: CameraError.self) { try rig.start() }
    #expect(error == .permissionDenied("/dev/video0"))
    #expect(error?.description.contains("group") == true)
  }

  @Test func absenceIsADisconnectionOnlyOfWhatWasThere() throws {
    let rig = CameraRig()
    rig.kernel.fail("open", .noEntry)
    let error = #expect(throws: CameraError.self) { try rig.start() }
    #expect(error?.interruption == nil, "waiting does not help")
    try rig.start()
    rig.camera.close()
    rig.kernel.unplug()
    #expect(throws: CameraError.disconnected("/dev/video0")) { try rig.start() }
  }

  @Test(arguments: ["VIDIOC_REQBUFS", "VIDIOC_QBUF", "VIDIOC_STREAMON", "mmap"])
  func aPassingRefusalIsAReset(call: String) throws {
    let rig = CameraRig()
    rig.kernel.fail(call, .invalidArgument)
    let error = #expect(throws: CameraError.self) { try rig.start() }
    #expect(error?.interruption == .deviceReset)
    rig.camera.stop()
    rig.camera.close()
    #expect(rig.kernel.leaks.isEmpty)
    #expect(rig.camera.awaitReturn(after: .deviceReset, wake: rig.wake))
    try rig.start()
    _ = try rig.image()
  }

  /// Each failed attempt makes the next wait longer. After a success, the first retry comes at once again.
  @Test func afterASuccessTheFirstRetryIsAtOnce() throws {
    let rig = CameraRig()
    for _ in 0..<8 { #expect(rig.camera.awaitReturn(after: .deviceReset, wake: rig.wake)) }
    try rig.start()
    _ = try rig.image()
    rig.camera.close()
    let before = rig.clock.now()
    #expect(rig.camera.awaitReturn(after: .deviceReset, wake: rig.wake))
    #expect(rig.clock.now() == before)
  }

  @Test func aBrokenStreamIsAReset() throws {
    let rig = CameraRig()
    try rig.start()
    rig.kernel.with { $0.isBroken = true }
    let error = #expect(throws: CameraError.self) { try rig.next() }
    #expect(error?.interruption == .deviceReset)
  }

  @Test func whatDoesNotCaptureIsNoCamera() {
    let rig = CameraRig { $0.capabilities = V4L2_CAP_VIDEO_OUTPUT | V4L2_CAP_STREAMING }
    let error = #expect(throws: CameraError.self) { try rig.start() }
    guard error?.code == .invalidSource else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  /// The error names a node that captures video: another node of the same device, or a node of another
  /// device, whose name is then added.
  @Test(arguments: [
    ("own", "it is not a device that captures video; use /dev/video0, the node of the same device that does"),
    ("other", "it is not a device that captures video; use a device that does: /dev/video0 (Camera)"),
  ])
  func aWrongNodeNamesTheRightOne(_ bus: String, _ reason: String) {
    let (kernel, asked) = (ScriptedKernel(), Locked(0))
    kernel.locked { kernel.folders["/dev"] = ["video1", "video0", "null"] }
    kernel.on(.queryCapabilities, v4l2_capability.self) { raw in
      func write(_ text: String, _ bytes: UnsafeMutableRawBufferPointer) { bytes.copyBytes(from: text.utf8) }
      let isFirst = asked.withLock { asked in
        asked += 1
        return asked == 1
      }
      withUnsafeMutableBytes(of: &raw.card) { write("Camera", $0) }
      withUnsafeMutableBytes(of: &raw.bus_info) { write(isFirst ? "own" : bus, $0) }
      let all = isFirst ? V4L2_CAP_META_CAPTURE : V4L2_CAP_VIDEO_CAPTURE
      raw.device_caps = UInt32(bitPattern: all | V4L2_CAP_STREAMING)
      raw.capabilities = 0x8000_0000 | raw.device_caps
      return nil
    }
    let camera = V4L2Camera(source: V4L2Source(path: "/dev/video1", kernel: kernel), clock: VirtualClock())
    defer { camera.close() }
    let error = #expect(throws: CameraError.self) { try camera.open() }
    #expect(error?.code == .invalidSource && error?.reason == reason)
  }

  @Test func aFormatThatIsNotOfferedIsNamedWithWhatIs() {
    var request = V4L2Request()
    request.size = PixelSize(width: 999, height: 999)
    let rig = CameraRig(request: request)
    let error = #expect(throws: CameraError.self) { try rig.start() }
    #expect(error?.description == "/dev/video0 does not offer 999×999; it offers NV12 64×36 at 30 fps")
  }

  @Test func unpluggedAndPluggedInAgainUnderAnotherNumber() throws {
    let rig = CameraRig()
    try rig.start()
    let held = try rig.image()
    // The camera reads the device's stable names with the second frame.
    _ = try rig.image()
    rig.kernel.unplug()
    rig.kernel.show(as: nil)
    #expect(throws: CameraError.disconnected("/dev/video0")) { try rig.next() }
    rig.camera.stop()
    rig.camera.close()
    let began = rig.clock.now()
    rig.kernel.at((began + .milliseconds(1500)).nanoseconds) {
      $0.replug(as: "/dev/video3")
      $0.show(as: "video3")
    }
    #expect(rig.camera.awaitReturn(after: .deviceDisconnected, wake: rig.wake))
    let waited = (rig.clock.now() - began).milliseconds
    #expect((1500...1700).contains(waited), "found \(waited - 1500) ms after it came back")
    try rig.start()
    #expect(try rig.image().image.planes.count == held.image.planes.count)
    rig.camera.close()
    _ = consume held
    #expect(rig.kernel.leaks.isEmpty)
  }

  @Test func anotherCameraUnderTheOldNumberIsNotTaken() throws {
    let rig = CameraRig()
    try rig.start()
    _ = try rig.image()
    _ = try rig.image()
    rig.camera.close()
    rig.kernel.files["/sys/devices/usb1/1-1/serial"] = "0043\n"
    rig.kernel.links["/sys/class/video4linux/video0/device"] = "/sys/devices/usb1/1-1/other"
    #expect(throws: CameraError.disconnected("/dev/video0")) { try rig.camera.open() }
  }

  @Test func permissionsOfANewNodeAreWaitedFor() throws {
    let rig = CameraRig()
    try rig.start()
    rig.kernel.links = [:]
    rig.camera.close()
    rig.kernel.fail("open", .noEntry, .accessDenied, .accessDenied)
    #expect(rig.camera.awaitReturn(after: .deviceDisconnected, wake: rig.wake))
    try rig.start()
  }

  /// A known serial number identifies the camera without a trial opening. The wait for permissions is limited to two seconds.
  @Test func permissionsOfAKnownCameraAreWaitedForTwoSeconds() throws {
    let rig = CameraRig()
    try rig.start()
    for _ in 0..<2 { _ = try rig.image() }
    rig.camera.close()
    rig.kernel.fail("open", .accessDenied, .accessDenied)
    for _ in 0..<2 {
      #expect(rig.camera.awaitReturn(after: .deviceDisconnected, wake: rig.wake))
      #expect(throws: CameraError.disconnected("/dev/video0")) { try rig.start() }
    }
    rig.clock.advance(by: .seconds(3))
    rig.kernel.fail("open", .accessDenied)
    #expect(throws: CameraError.permissionDenied("/dev/video0")) { try rig.start() }
  }

  @Test func waitingForADeviceEndsWhenWoken() throws {
    let rig = CameraRig()
    try rig.start()
    rig.camera.close()
    rig.kernel.unplug()
    rig.kernel.show(as: nil)
    rig.wake.signal()
    #expect(!rig.camera.awaitReturn(after: .deviceDisconnected, wake: rig.wake))
    rig.camera.close()
    #expect(rig.kernel.leaks.isEmpty)
  }
}

/// A digital video input whose signal appears and disappears.
@Suite struct V4L2SignalTests {
  private func rig() -> CameraRig {
    CameraRig([ScriptedMode(.yuyv, 64, 36)]) { $0.timings = V4L2SignalTests.timings(width: 64) }
  }

  private static func timings(width: UInt32, rate: UInt64 = 60) -> v4l2_dv_timings {
    var timings = v4l2_dv_timings()
    timings.bt.width = width
    timings.bt.height = 36
    timings.bt.pixelclock = UInt64(width) * 36 * rate
    return timings
  }

  @Test func theRateIsThatOfTheSignal() throws {
    #expect(
      try rig().camera.open().formats.map(\.frameInterval) == [FrameInterval(framesPerSecond: 60)])
  }

  @Test func lossIsToldOnceAndItsEnd() throws {
    let rig = rig()
    try rig.start()
    _ = try rig.image()
    rig.kernel.with { $0.signalFault = .noLink }
    rig.kernel.changeSource()
    guard case .interrupted(.signalLost) = try rig.next() else {
      Issue.record("the loss was not reported")
      return
    }
    // The driver delivers noise, which is discarded.
    rig.kernel.complete()
    guard case .timedOut = try rig.next() else {
      Issue.record("noise was recognised as a picture")
      return
    }
    rig.kernel.with { $0.signalFault = nil }
    guard case .interruptionEnded = try rig.next() else {
      Issue.record("the return was not reported")
      return
    }
    _ = try rig.image()
  }

  @Test func aStartWithoutASignalIsAnInterruption() throws {
    let rig = rig()
    rig.kernel.with { $0.signalFault = .noLink }
    rig.kernel.fail("VIDIOC_STREAMON", .noLink)
    try rig.start()
    guard case .interrupted(.signalLost) = try rig.next() else {
      Issue.record("the missing signal was not reported")
      return
    }
    rig.kernel.with { $0.signalFault = nil }
    guard case .interruptionEnded = try rig.next() else {
      Issue.record("the signal was not reported")
      return
    }
    _ = try rig.image()
  }

  @Test(arguments: [(UInt32(128), UInt64(60)), (64, 50)])
  func anotherSignalNeedsAnotherSetUp(width: UInt32, rate: UInt64) throws {
    let rig = rig()
    try rig.start()
    _ = try rig.image()
    rig.kernel.with { $0.timings = Self.timings(width: width, rate: rate) }
    rig.kernel.changeSource()
    let error = #expect(throws: CameraError.self) { try rig.next() }
    #expect(error?.interruption == .deviceReset)
  }
}
