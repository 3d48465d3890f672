import CVideo4Linux
import Imagery
import ScriptedKernel
import System
import Testing
import Video4Linux

@testable import Capture

/// Two cameras of the same model that differ only in their ports.
@Suite struct V4L2TwinTests {
  /// Sets the contents of /dev and sysfs for cameras, each with its node and its USB port.
  private func arrange(_ kernel: ScriptedKernel, _ cameras: [(node: String, port: String)]) {
    kernel.folders["/dev"] = cameras.map(\.node)
    kernel.folders["/dev/v4l/by-path"] = cameras.map(\.port)
    kernel.links = [:]
    for (node, port) in cameras {
      let usb = "/sys/devices/usb1/\(port)"
      kernel.links["/dev/\(node)"] = "/dev/\(node)"
      kernel.links["/dev/v4l/by-path/\(port)"] = "/dev/\(node)"
      kernel.links["/sys/class/video4linux/\(node)/device"] = "\(usb)/\(port):1.0"
      kernel.files["/sys/class/video4linux/\(node)/index"] = "0\n"
      kernel.files["\(usb)/idVendor"] = "1234\n"
      kernel.files["\(usb)/idProduct"] = "abcd\n"
      kernel.files["\(usb)/serial"] = "0042\n"
    }
  }

  /// Returns a camera in port 1-2 at `/dev/video1`, whose twin is in 1-1.
  private func rig(path: String = "/dev/video1") -> CameraRig {
    let rig = CameraRig(path: path)
    rig.kernel.with { $0.node = "/dev/video1" }
    arrange(rig.kernel, [("video0", "1-1"), ("video1", "1-2")])
    return rig
  }

  private func stream(_ rig: CameraRig, frames: Int = 2) throws {
    try rig.start()
    for _ in 0..<frames { _ = try rig.image() }
  }

  /// The same port means the same camera; the kernel offers nothing else that tells the two apart.
  @Test(arguments: ["/dev/video1", "/dev/v4l/by-path/1-2"], [0, 1, 2])
  func afterAPauseItIsTheSameCamera(path: String, frames: Int) throws {
    let rig = rig(path: path)
    try stream(rig, frames: frames)
    rig.camera.stop()
    rig.camera.close()
    try rig.start()
    // The two cameras have swapped their node numbers.
    rig.camera.close()
    rig.kernel.with { $0.node = "/dev/video0" }
    arrange(rig.kernel, [("video1", "1-1"), ("video0", "1-2")])
    try rig.start()
    rig.camera.close()
    #expect(rig.kernel.leaks.isEmpty)
  }

  @Test(arguments: ["/dev/video1", "/dev/v4l/by-path/1-2"])
  func theTwinOfOneThatIsGoneIsNotTaken(path: String) throws {
    let rig = rig(path: path)
    try stream(rig)
    rig.kernel.unplug()
    #expect(throws: CameraError.disconnected(path)) { try rig.next() }
    rig.camera.close()
    // Only the twin is left. Later it gets the other camera's node number.
    for node in ["video0", "video1"] {
      rig.kernel.replug(as: "/dev/\(node)")
      arrange(rig.kernel, [(node, "1-1")])
      #expect(throws: CameraError.disconnected(path)) { try rig.start() }
      rig.camera.close()
    }
    let began = rig.clock.now()
    rig.kernel.at((began + .milliseconds(1500)).nanoseconds) {
      $0.replug(as: "/dev/video7")
      self.arrange($0, [("video1", "1-1"), ("video7", "1-2")])
    }
    #expect(rig.camera.awaitReturn(after: .deviceDisconnected, wake: rig.wake))
    #expect((1500...1700).contains((rig.clock.now() - began).milliseconds))
    try stream(rig)
    rig.camera.close()
    #expect(rig.kernel.leaks.isEmpty)
  }

  @Test func theOnlyOneIsFoundInAnotherPort() throws {
    let rig = rig()
    arrange(rig.kernel, [("video1", "1-2")])
    rig.kernel.with { $0.bus = "usb-1.2" }
    try stream(rig)
    rig.kernel.unplug()
    rig.camera.close()
    rig.kernel.replug(as: "/dev/video5")
    rig.kernel.with { $0.bus = "usb-1.7" }
    arrange(rig.kernel, [("video5", "1-7")])
    try stream(rig)
  }

  /// Before its first frames, the camera is known only by what the driver answered at opening, such as its bus.
  @Test func beforeItsNameIsKnownAnotherUnderItsNumberIsNotTaken() throws {
    let rig = rig()
    rig.kernel.with { $0.bus = "usb-1.2" }
    rig.kernel.links = [:]
    try rig.start()
    rig.kernel.unplug()
    rig.camera.close()
    rig.kernel.replug(as: "/dev/video1")
    rig.kernel.with { $0.bus = "usb-1.1" }
    #expect(throws: CameraError.disconnected("/dev/video1")) { try rig.start() }
    rig.camera.close()
    let began = rig.clock.now()
    rig.kernel.at((began + .milliseconds(700)).nanoseconds) { $0.with { $0.bus = "usb-1.2" } }
    #expect(rig.camera.awaitReturn(after: .deviceDisconnected, wake: rig.wake))
    #expect((rig.clock.now() - began) >= .milliseconds(700))
    try rig.start()
    rig.camera.close()
    #expect(rig.kernel.leaks.isEmpty)
  }

  /// The link that was opened points elsewhere when the names are read. The names of the opened device count.
  @Test func whatWasOpenedIsLearntAndNotWhereItsLinkLeadsNow() throws {
    let rig = rig(path: "/dev/v4l/by-id/cam")
    rig.kernel.links["/dev/v4l/by-id/cam"] = "/dev/video1"
    try rig.start()
    rig.kernel.links["/dev/v4l/by-id/cam"] = "/dev/video0"
    for _ in 0..<2 { _ = try rig.image() }
    rig.camera.close()
    try rig.start()
  }
}
