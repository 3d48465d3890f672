import Glibc
import ScriptedKernel
import Testing

@testable import Video4Linux

@Suite struct HotPlugTests {
  private static let devicePath = "/devices/pci0000:00/usb1/1-1/1-1:1.0/video4linux/video2"

  private func message(_ fields: String...) -> [UInt8] { fields.flatMap { Array($0.utf8) + [0] } }

  private func added(
    action: String = "add", path: String = devicePath, subsystem: String = "video4linux",
    name: String = "video2"
  ) -> [UInt8] {
    message(
      "\(action)@\(path)", "ACTION=\(action)", "DEVPATH=\(path)", "SUBSYSTEM=\(subsystem)", "MAJOR=81",
      "DEVNAME=\(name)", "SEQNUM=17")
  }

  @Test func readsWhatTheKernelSays() throws {
    let event = try #require(HotPlugEvent(message: added()))
    #expect(event.action == .add)
    #expect(event.path == "/dev/video2")
    #expect(event.sysfsPath == "/sys\(Self.devicePath)")
    #expect(HotPlugEvent(message: added(action: "remove"))?.action == .remove)
  }

  @Test func ignoresWhatIsNoVideoNodeAndWhatIsMalformed() {
    let path = Self.devicePath
    let wrong: [[UInt8]] = [
      [], [0], added(action: "change"), added(subsystem: "usb"), added(name: "vbi2"), added(name: "video"),
      added(name: "../etc/video2"), added(name: "video2x"), added(name: "video123456"), added(name: "video3"),
      added(path: "/devices/../../etc/video2"), added(path: "/tmp/video2"), Array(added().dropLast()),
      message("libudev", "ACTION=add"), message("add@\(path)", "nonsense"), added() + [0xFF, 0xFE, 0],
      message("remove@\(path)", "ACTION=add", "DEVPATH=\(path)", "SUBSYSTEM=video4linux", "DEVNAME=video2"),
      added() + [UInt8](repeating: 0, count: 9000),
    ]
    for bytes in wrong {
      #expect(HotPlugEvent(message: bytes) == nil, "\(String(decoding: bytes, as: UTF8.self))")
    }
  }

  /// A message that is truncated, or changed in one byte, is refused or still names a node below /dev.
  @Test func survivesDamagedMessages() {
    let whole = added()
    for index in whole.indices {
      #expect(HotPlugEvent(message: whole[..<index]) == nil || index > whole.count - 11)
      for value: UInt8 in [0, 0x2F, 0x2E, 0x3D, 0xFF] {
        var bytes = whole
        bytes[index] = value
        if let event = HotPlugEvent(message: bytes) {
          #expect(event.path.hasPrefix("/dev/video") && !event.sysfsPath.contains(".."))
        }
      }
    }
  }

  @Test func hearsOnlyTheKernel() throws {
    let kernel = ScriptedKernel()
    do {
      let monitor = try HotPlugMonitor(kernel: kernel)
      kernel.send(added(), isFromKernel: false)
      kernel.send([UInt8](repeating: 65, count: 100_000))
      kernel.send(added(action: "remove"))
      kernel.fail("recv", .interrupted)
      let news = try monitor.pending()
      #expect(news.events.map(\.action) == [.remove])
      #expect(!news.isIncomplete)
      kernel.fail("recv", .noBufferSpace)
      #expect(try monitor.pending() == HotPlugNews(events: [], isIncomplete: true))
      kernel.answerPoll(.success(PollResult(events: Int16(POLLIN), wake: 0)), .failure(.interrupted))
      #expect(try monitor.wait() == [.event])
      #expect(try monitor.wait(timeout: .zero).isTimedOut)
    }
    #expect(kernel.leaks.isEmpty)
  }

  @Test func aStormEnds() throws {
    let kernel = ScriptedKernel()
    let monitor = try HotPlugMonitor(kernel: kernel)
    for _ in 0..<5000 { kernel.send([0]) }
    #expect(try monitor.pending().events.isEmpty)
    #expect(kernel.log.count == 4097)
  }

  private func plug(_ kernel: ScriptedKernel, node: String, serial: String?, port: String) {
    let parent = "/sys/devices/pci0000:00/usb1/\(port)/\(port):1.0"
    kernel.folders["/dev", default: []].append(node)
    kernel.links["/sys/class/video4linux/\(node)/device"] = parent
    kernel.files["/sys/class/video4linux/\(node)/name"] = "Cam\u{1B}era\n"
    kernel.files["/sys/class/video4linux/\(node)/index"] = "0\n"
    kernel.files["/sys/devices/pci0000:00/usb1/\(port)/idVendor"] = "046d\n"
    kernel.files["/sys/devices/pci0000:00/usb1/\(port)/idProduct"] = "0825\n"
    kernel.files["/sys/devices/pci0000:00/usb1/\(port)/serial"] = serial.map { "\($0)\n" }
  }

  @Test func findsACameraAgainUnderAnotherNumber() throws {
    let kernel = ScriptedKernel()
    plug(kernel, node: "video10", serial: "ABC", port: "1-1")
    plug(kernel, node: "video2", serial: nil, port: "1-2")
    kernel.folders["/dev", default: []] += ["null", "video", "videox", "v4l"]
    kernel.folders["/dev/v4l/by-id"] = ["usb-cam-index0", "dangling"]
    kernel.links["/dev/v4l/by-id/usb-cam-index0"] = "/dev/video10"
    let before = try DeviceDirectory(kernel: kernel).list()
    #expect(before.map(\.path) == ["/dev/video2", "/dev/video10"])
    #expect(before.map(\.name) == ["Cam?era", "Cam?era"])
    let names = before[1].stableNames
    #expect(names.map(\.description).prefix(2) == ["usb:046d:0825:ABC:0", "/dev/v4l/by-id/usb-cam-index0"])
    #expect(before[0].stableNames == [.port("/sys/devices/pci0000:00/usb1/1-2/1-2:1.0", node: 0)])

    let after = ScriptedKernel()
    plug(after, node: "video1", serial: "ABC", port: "1-7")
    let directory = DeviceDirectory(kernel: after)
    #expect(try directory.find(names[0])?.path == "/dev/video1")
    #expect(try directory.find(before[0].stableNames[0]) == nil)
  }

  @Test func saysWhenDevCannotBeRead() {
    let error = #expect(throws: VideoDeviceError.self) {
      try DeviceDirectory(kernel: ScriptedKernel()).list()
    }
    #expect(error?.operation == .readDirectory)
  }

  @Test func doesNotGoAboveTheDeviceTree() throws {
    let kernel = ScriptedKernel()
    kernel.folders["/dev"] = ["video0"]
    kernel.links["/sys/class/video4linux/video0/device"] = "/"
    #expect(try DeviceDirectory(kernel: kernel).list().first?.stableNames == [.port("/", node: 0)])
  }
}
