import ScriptedKernel
import Testing

@testable import Video4Linux

/// The search for the camera that was used before, among several cameras.
@Suite struct DeviceTrackerTests {
  /// A camera that is plugged into a port.
  private struct Plugged {
    var node: String
    var port: String
    var serial: String? = "SN0001"
    var interface = "1.0"
    var product = "0825"
  }

  private func world(_ cameras: [Plugged]) -> ScriptedKernel {
    let kernel = ScriptedKernel()
    arrange(cameras, in: kernel)
    return kernel
  }

  private func arrange(_ cameras: [Plugged], in kernel: ScriptedKernel) {
    kernel.folders["/dev"] = cameras.map(\.node)
    kernel.folders["/dev/v4l/by-path"] = cameras.map { "usb-\($0.port)" }
    for camera in cameras {
      let usb = "/sys/devices/pci0000:00/usb1/\(camera.port)"
      kernel.links["/dev/\(camera.node)"] = "/dev/\(camera.node)"
      kernel.links["/dev/v4l/by-path/usb-\(camera.port)"] = "/dev/\(camera.node)"
      kernel.links["/sys/class/video4linux/\(camera.node)/device"] =
        "\(usb)/\(camera.port):\(camera.interface)"
      kernel.files["/sys/class/video4linux/\(camera.node)/name"] = "Camera\n"
      kernel.files["/sys/class/video4linux/\(camera.node)/index"] = "0\n"
      kernel.files["\(usb)/idVendor"] = "046d\n"
      kernel.files["\(usb)/idProduct"] = "\(camera.product)\n"
      kernel.files["\(usb)/serial"] = camera.serial.map { "\($0)\n" }
    }
  }

  private func tracker(_ kernel: ScriptedKernel, _ node: String, name: String? = nil) throws -> DeviceTracker
  {
    try #require(
      DeviceTracker(node: node, name: name ?? node, directory: DeviceDirectory(kernel: kernel)))
  }

  @Test func ofTwinsTheOneInThePlaceIsIt() throws {
    let kernel = world([Plugged(node: "video0", port: "1-1"), Plugged(node: "video2", port: "1-2")])
    var second = try tracker(kernel, "/dev/video2")
    #expect(second.hasTwins)
    #expect(second.current() == "/dev/video2")
    // The cameras have swapped their node numbers.
    arrange([Plugged(node: "video0", port: "1-2"), Plugged(node: "video2", port: "1-1")], in: kernel)
    #expect(second.current() == "/dev/video0")
  }

  @Test func aTwinIsNotTakenForTheOneThatIsGone() throws {
    let kernel = world([Plugged(node: "video0", port: "1-1"), Plugged(node: "video2", port: "1-2")])
    var second = try tracker(kernel, "/dev/video2")
    arrange([Plugged(node: "video0", port: "1-1")], in: kernel)
    #expect(second.current() == nil)
    // The camera is also not found if both cameras have moved with their hub, and the other camera appears first.
    arrange([Plugged(node: "video0", port: "2-1")], in: kernel)
    #expect(second.current() == nil)
    arrange([Plugged(node: "video0", port: "2-1"), Plugged(node: "video1", port: "1-2")], in: kernel)
    #expect(second.current() == "/dev/video1")
  }

  @Test func aTwinThatCameLaterIsNotTakenEither() throws {
    let kernel = world([Plugged(node: "video0", port: "1-1")])
    var first = try tracker(kernel, "/dev/video0")
    arrange([Plugged(node: "video0", port: "1-1"), Plugged(node: "video2", port: "1-2")], in: kernel)
    first.noteTwins()
    arrange([Plugged(node: "video2", port: "1-2")], in: kernel)
    #expect(first.current() == nil)
  }

  @Test func theOnlyOneOfItsSerialIsFoundInAnotherPort() throws {
    let kernel = world([Plugged(node: "video0", port: "1-1")])
    var camera = try tracker(kernel, "/dev/video0")
    arrange([Plugged(node: "video3", port: "1-4", serial: "SN0002")], in: kernel)
    #expect(camera.current() == nil)
    arrange(
      [Plugged(node: "video3", port: "1-4", serial: "SN0002"), Plugged(node: "video4", port: "1-7")],
      in: kernel)
    #expect(camera.current() == "/dev/video4")
    // The camera is now in port 1-7.
    arrange([Plugged(node: "video5", port: "1-7")], in: kernel)
    #expect(camera.current() == "/dev/video5")
  }

  @Test func twoNewOnesOfItsSerialAreOneTooMany() throws {
    let kernel = world([Plugged(node: "video0", port: "1-1")])
    var camera = try tracker(kernel, "/dev/video0")
    arrange([Plugged(node: "video1", port: "1-5"), Plugged(node: "video2", port: "1-6")], in: kernel)
    #expect(camera.current() == nil)
  }

  @Test func anotherCameraInItsPortIsAnotherCamera() throws {
    let kernel = world([Plugged(node: "video0", port: "1-1")])
    var camera = try tracker(kernel, "/dev/video0")
    arrange([Plugged(node: "video0", port: "1-1", serial: "SN0002")], in: kernel)
    #expect(camera.current() == nil)
    arrange([Plugged(node: "video0", port: "1-1", product: "0826")], in: kernel)
    #expect(camera.current() == nil)
  }

  @Test func aNamedPortIsNotLeft() throws {
    let kernel = world([Plugged(node: "video0", port: "1-1")])
    var camera = try tracker(kernel, "/dev/video0", name: "/dev/v4l/by-path/usb-1-1")
    arrange([Plugged(node: "video0", port: "1-2")], in: kernel)
    #expect(camera.current() == nil)
    arrange([Plugged(node: "video0", port: "1-2"), Plugged(node: "video1", port: "1-1")], in: kernel)
    #expect(camera.current() == "/dev/video1")
  }

  @Test func withoutASerialNumberOnlyItsPortOrTheUsersNameTells() throws {
    let kernel = world([Plugged(node: "video0", port: "1-1", serial: nil)])
    var camera = try tracker(kernel, "/dev/video0")
    var named = try tracker(kernel, "/dev/video0", name: "/dev/v4l/by-id/usb-cam")
    arrange([Plugged(node: "video3", port: "1-2", serial: nil)], in: kernel)
    #expect(camera.current() == nil)
    #expect(named.current() == nil)
    kernel.links["/dev/v4l/by-id/usb-cam"] = "/dev/video3"
    #expect(named.current() == "/dev/video3")
    arrange([Plugged(node: "video4", port: "1-1", serial: nil)], in: kernel)
    #expect(camera.current() == "/dev/video4")
  }

  /// The camera has a colour sensor and an infrared sensor, whose nodes share a serial number.
  @Test func twoSensorsOfOneCameraAreNoTwins() throws {
    func camera(_ port: String, _ nodes: (String, String)) -> [Plugged] {
      [
        Plugged(node: nodes.0, port: port), Plugged(node: nodes.1, port: port, interface: "1.2"),
      ]
    }
    let kernel = world(camera("1-1", ("video0", "video2")))
    var infrared = try tracker(kernel, "/dev/video2")
    #expect(!infrared.hasTwins)
    arrange(camera("1-3", ("video5", "video4")), in: kernel)
    #expect(infrared.current() == "/dev/video4")
  }

  /// The devices of vivid share a port, and therefore a name in by-path.
  @Test func nodesOfOnePortAreToldApartByTheirNames() throws {
    let kernel = ScriptedKernel()
    func arrange(_ names: [String: String]) {
      kernel.folders["/dev"] = Array(names.keys)
      for (node, name) in names {
        kernel.links["/dev/\(node)"] = "/dev/\(node)"
        kernel.links["/sys/class/video4linux/\(node)/device"] = "/sys/devices/platform/vivid.0"
        kernel.files["/sys/class/video4linux/\(node)/name"] = "\(name)\n"
        kernel.files["/sys/class/video4linux/\(node)/index"] = "0\n"
        kernel.links["/dev/v4l/by-path/platform-vivid.0-video-index0"] = "/dev/\(node)"
      }
    }
    arrange(["video0": "vivid-000-vid-cap", "video1": "vivid-001-vid-cap"])
    var second = try tracker(
      kernel, "/dev/video1", name: "/dev/v4l/by-path/platform-vivid.0-video-index0")
    arrange(["video0": "vivid-000-vid-cap"])
    #expect(second.current() == nil)
    arrange(["video0": "vivid-001-vid-cap", "video1": "vivid-000-vid-cap"])
    #expect(second.current() == "/dev/video0")
  }

  @Test func aNameThatTwoHaveFindsNeither() throws {
    let kernel = world([Plugged(node: "video0", port: "1-1"), Plugged(node: "video2", port: "1-2")])
    let directory = DeviceDirectory(kernel: kernel)
    let serial = try #require(directory.entry(at: "/dev/video2")?.stableNames.first)
    #expect(try directory.find(serial) == nil)
  }
}
