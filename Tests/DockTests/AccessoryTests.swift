import Foundation
import Testing

@testable import Dock

@Suite struct AccessoryTests {
  private func bytes(_ time: Int64, _ microseconds: Int64, _ type: UInt16, _ code: UInt16, _ value: Int32)
    -> [UInt8]
  {
    var bytes: [UInt8] = []
    for part in [time, microseconds] { withUnsafeBytes(of: part) { bytes += $0 } }
    for part in [type, code] { withUnsafeBytes(of: part) { bytes += $0 } }
    withUnsafeBytes(of: value) { bytes += $0 }
    return bytes
  }

  @Test func wholeEventsAreReadAndTheRestIsNone() {
    let two = bytes(1, 500_000, 1, 0xD4, 1) + bytes(2, 0, 2, 8, -1)
    #expect(InputEvent.events(in: two).map(\.time) == [1.5, 2])
    #expect(InputEvent.events(in: two).map(\.value) == [1, -1])
    #expect(InputEvent.events(in: two.dropLast()).count == 1)
    #expect(InputEvent.events(in: []).isEmpty)
    #expect(InputEvent.events(in: [UInt8](repeating: 255, count: 23)).isEmpty)
  }

  @Test func twoPressesWithinAFifthOfASecondAreOne() {
    var rules = ButtonRules()
    func press(_ time: Double) -> DockEvent? {
      rules.meaning(of: InputEvent(time: time, type: 1, code: 0xD4, value: 1))
    }
    #expect(press(10) == .photo)
    #expect(press(10.1) == nil)
    #expect(press(10.25) == .photo)
    // The clock has been set back.
    #expect(press(3) == .photo)
  }

  /// REC-1: the volume keys of a selfie stick start and stop a recording, at most once a second.
  @Test func keysForTheVolumeRecordOnceASecond() {
    var rules = ButtonRules()
    func press(_ time: Double, _ code: UInt16 = 0x73) -> DockEvent? {
      rules.meaning(of: InputEvent(time: time, type: 1, code: code, value: 1))
    }
    #expect(press(10) == .shutter)
    #expect(press(10.9) == nil)
    #expect(press(11.9, 0x72) == .shutter)
    #expect(press(12.2, 0xA7) == .shutter)
  }

  @Test func wheelsZoomAndKeysFlipAndWhatIsLetGoSaysNothing() {
    var rules = ButtonRules()
    #expect(rules.meaning(of: InputEvent(time: 0, type: 2, code: 8, value: -2)) == .zoom(-0.2))
    #expect(rules.meaning(of: InputEvent(time: 0, type: 2, code: 8, value: .max)) == .zoom(10))
    #expect(rules.meaning(of: InputEvent(time: 0, type: 1, code: 0x1A2, value: 1)) == .zoom(0.5))
    #expect(rules.meaning(of: InputEvent(time: 0, type: 1, code: 0x1A3, value: 1)) == .zoom(-0.5))
    #expect(
      rules.meaning(of: InputEvent(time: 0, type: 1, code: 0x1A4, value: 1))
        == .zoom(-.greatestFiniteMagnitude))
    #expect(rules.meaning(of: InputEvent(time: 0, type: 1, code: 0xA3, value: 1)) == .flip)
    #expect(rules.meaning(of: InputEvent(time: 0, type: 1, code: 0xA3, value: 0)) == nil)
    // KEY_NUMERIC_8 and KEY_PC are keys of a number pad and of a TV remote.
    #expect(rules.meaning(of: InputEvent(time: 0, type: 1, code: 0x208, value: 1)) == nil)
    #expect(rules.meaning(of: InputEvent(time: 0, type: 1, code: 0x178, value: 1)) == nil)
    #expect(rules.meaning(of: InputEvent(time: 0, type: 3, code: 0, value: 1)) == nil)
  }

  @Test func aDeviceThatIsNotThereIsToldWithItsName() {
    #expect(throws: DockButtons.Failure.self) { try DockButtons(path: "/dev/input/none-at-all") { _ in } }
  }

  @Test func aDeviceWithNoneOfTheKeysIsRefused() {
    // A power button is refused. A shutter remote, and a mouse with a wheel, are accepted.
    #expect(InputDevice.refusal(keys: [0x74], wheels: [0, 1])?.hasPrefix("it has none of the keys") == true)
    #expect(InputDevice.refusal(keys: [0x73], wheels: []) == nil)
    #expect(InputDevice.refusal(keys: [0x110], wheels: [0, 1, 8]) == nil)
  }

  @Test(arguments: ["/dev/null", "/proc/self/status", "/tmp"])
  func whatIsNoInputDeviceIsRefused(_ path: String) {
    #expect {
      try DockButtons(path: path) { _ in }
    } throws: {
      "\($0)" == "cannot listen to \(path): it is not an input device; `ls /dev/input/by-id` lists them"
    }
  }

  /// Writes the sysfs of a USB camera with a battery, and of another device with a battery.
  @Test func theBatteryIsThatOfTheSameDevice() throws {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("dock-\(UUID())")
    defer { try? FileManager.default.removeItem(at: root) }
    let files = FileManager.default
    func folder(_ path: String) throws -> URL {
      let url = root.appendingPathComponent(path)
      try files.createDirectory(at: url, withIntermediateDirectories: true)
      return url
    }
    let interface = try folder("devices/usb1/1-2/1-2:1.0")
    let node = try folder("class/video4linux/video7")
    try files.createSymbolicLink(at: node.appendingPathComponent("device"), withDestinationURL: interface)
    try Data().write(to: root.appendingPathComponent("video7"))
    let supplies = try folder("class/power_supply")
    for (name, device, capacity) in [("a", "usb1/1-1", "11"), ("b", "usb1/1-2", "64")] {
      let supply = try folder("devices/\(device)/1-x:1.3/power_supply/\(name)")
      try Data("\(capacity)\n".utf8).write(to: supply.appendingPathComponent("capacity"))
      try Data("Charging\n".utf8).write(to: supply.appendingPathComponent("status"))
      try files.createSymbolicLink(at: supplies.appendingPathComponent(name), withDestinationURL: supply)
    }
    let path = root.appendingPathComponent("video7").path
    #expect(DockPowerSupply(node: path, system: root.path).battery() == .level(0.64, isCharging: true))
    try files.removeItem(at: supplies.appendingPathComponent("b"))
    guard case .unsupported = DockPowerSupply(node: path, system: root.path).battery() else {
      Issue.record("the battery of another device was reported")
      return
    }
  }
}
