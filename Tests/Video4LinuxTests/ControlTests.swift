import CVideo4Linux
import ScriptedKernel
import Testing

@testable import Video4Linux

@Suite struct ControlTests {
  private let kernel = ScriptedKernel()

  private func device() throws -> VideoDevice { try VideoDevice(path: "/dev/video0", kernel: kernel) }

  private func offer(_ controls: [v4l2_query_ext_ctrl]) {
    kernel.on(.queryControl, v4l2_query_ext_ctrl.self) { raw in
      let last = raw.id & ~0xC000_0000
      guard let next = controls.first(where: { $0.id > last }) else { return .invalidArgument }
      raw = next
      return nil
    }
  }

  private func raw(
    _ id: ControlID, _ type: v4l2_ctrl_type, _ range: ClosedRange<Int64> = 0...10, step: UInt64 = 1
  ) -> v4l2_query_ext_ctrl {
    var raw = v4l2_query_ext_ctrl()
    raw.id = id.rawValue
    raw.type = type.rawValue
    raw.minimum = range.lowerBound
    raw.maximum = range.upperBound
    raw.step = step
    raw.default_value = range.lowerBound
    return raw
  }

  @Test func idsAreTheHeaders() {
    #expect(ControlID.brightness.rawValue == 0x980900)
    #expect(ControlID.exposureTime.rawValue == 0x9A0902)
    #expect(ControlID.gain.rawValue == 0x980913)
    #expect(ControlID.whiteBalanceTemperature.rawValue == 0x98091A)
    #expect(ControlID.isoSensitivity.rawValue == 0x9A0917)
    #expect(ControlID.cameraSensorRotation.rawValue == 0x9A0923)
    #expect(ControlID.rotate.rawValue == 0x980922)
    #expect(ControlID.zoom.isCameraClass && !ControlID.gain.isCameraClass)
  }

  @Test func listsEveryKindAndSaysWhatItSkips() throws {
    offer([
      raw(.brightness, V4L2_CTRL_TYPE_INTEGER, -64...64, step: 0),
      raw(.autoWhiteBalance, V4L2_CTRL_TYPE_BOOLEAN, 0...1),
      raw(.doWhiteBalance, V4L2_CTRL_TYPE_BUTTON, 0...0),
      raw(ControlID(rawValue: 0x9A0001), V4L2_CTRL_TYPE_CTRL_CLASS),
      raw(.autoExposure, V4L2_CTRL_TYPE_MENU, 0...3),
      raw(.exposureBias, V4L2_CTRL_TYPE_INTEGER_MENU, 0...1),
      raw(.lock3A, V4L2_CTRL_TYPE_BITMASK, 0...7),
      raw(ControlID(rawValue: 0xF00000), V4L2_CTRL_TYPE_INTEGER64, .min ... .max),
      raw(ControlID(rawValue: 0xF00001), V4L2_CTRL_TYPE_STRING, 0...32),
      raw(ControlID(rawValue: 0xF00002), V4L2_CTRL_TYPE_U32),
    ])
    kernel.on(.queryMenu, v4l2_querymenu.self) { item in
      if item.id == ControlID.exposureBias.rawValue {
        item.value = item.index == 0 ? -1000 : 1000
        return nil
      }
      withUnsafeMutableBytes(of: &item.name) { $0.copyBytes(from: Array("Manual".utf8)) }
      return item.index == 1 || item.index == 3 ? nil : .invalidArgument
    }
    let list = try device().controls()
    #expect(list.controls.count == 8)
    #expect(list.skipped.map(\.id.rawValue) == [0xF00002])
    let brightness = ControlRange(minimum: -64, maximum: 64, step: 1, defaultValue: -64)
    #expect(list[.brightness]?.kind == .integer(brightness))
    let manual = ControlMenuItem.Label.name("Manual")
    #expect(
      list[.autoExposure]?.kind
        == .menu([.init(index: 1, label: manual), .init(index: 3, label: manual)], defaultIndex: 0))
    #expect(
      list[.exposureBias]?.kind
        == .menu(
          [.init(index: 0, label: .value(-1000)), .init(index: 1, label: .value(1000))], defaultIndex: 0))
    #expect(list[.lock3A]?.kind == .bitmask(mask: 7, defaultValue: 0))
    #expect(list[.zoom] == nil)
  }

  @Test func oneControlIsAskedForByItsNumber() throws {
    kernel.with { $0.controls = [.gain: 7] }
    let device = try device()
    let gain = try #require(try device.control(.gain))
    #expect(try device.value(of: gain) == .integer(7))
    #expect(try device.control(.zoom) == nil)
    #expect(kernel.log.count { $0 == "VIDIOC_QUERY_EXT_CTRL" } == 2, "no other control is queried")
    // If the driver answers with another control or a disabled one, the device lacks this control.
    for answer in [raw(.brightness, V4L2_CTRL_TYPE_INTEGER), disabled(.zoom)] {
      kernel.on(.queryControl, v4l2_query_ext_ctrl.self) {
        $0 = answer
        return nil
      }
      #expect(try device.control(.zoom) == nil)
    }
  }

  private func disabled(_ id: ControlID) -> v4l2_query_ext_ctrl {
    var answer = raw(id, V4L2_CTRL_TYPE_INTEGER)
    answer.flags = ControlFlags.disabled.rawValue
    return answer
  }

  @Test func snapsToSteps() {
    let range = ControlRange(minimum: -10, maximum: 11, step: 5, defaultValue: 0)
    #expect([-99, -7, -8, 3, 10, 11, 99].map { range.nearest(to: $0) } == [-10, -5, -10, 5, 10, 10, 10])
    let widest = ControlRange(minimum: .min, maximum: .max, step: 1, defaultValue: 0)
    #expect(widest.nearest(to: .max) == .max && widest.nearest(to: .min) == .min)
  }

  @Test func noDriverKeepsUsForEver() throws {
    var id: UInt32 = 1
    kernel.on(.queryControl, v4l2_query_ext_ctrl.self) {
      id += 1
      $0.id = id
      $0.type = V4L2_CTRL_TYPE_MENU.rawValue
      $0.maximum = id == 2 ? .max : -1
      return nil
    }
    kernel.on(.queryMenu, v4l2_querymenu.self) { _ in nil }
    let list = try device().controls()
    #expect(list.controls.count + list.skipped.count == 1024)
    #expect(kernel.log.count < 2100)
    kernel.on(.queryControl, v4l2_query_ext_ctrl.self) {
      $0.id = 5
      return nil
    }
    #expect(try device().controls().skipped.count == 1)
  }

  /// Every control claims to be a menu of a million items. Reading an item takes a call on the camera's thread.
  @Test func menusAreAskedAboutWithinReason() throws {
    var id: UInt32 = 1
    kernel.on(.queryControl, v4l2_query_ext_ctrl.self) {
      id += 1
      ($0.id, $0.type, $0.maximum) = (id, V4L2_CTRL_TYPE_MENU.rawValue, 1_000_000)
      return nil
    }
    kernel.on(.queryMenu, v4l2_querymenu.self) { _ in .invalidArgument }
    #expect(try device().controls().controls.count == 1024)
    #expect(kernel.log.count { $0 == "VIDIOC_QUERYMENU" } == 16_384)
  }

  // MARK: Rectangles

  @Test func aRectangleIsReadAndSetWithItsBounds() throws {
    #expect(ControlID.regionOfInterest.rawValue == 0x98_1AE1)
    kernel.with { $0.operated = [.region(.regionOfInterest, width: 1920, height: 1080)] }
    let device = try device()
    let list = try device.controls()
    #expect(list.controls.isEmpty && list.hasRectangle(.regionOfInterest) && !list.hasRectangle(.gain))
    let whole = PixelRectangle(left: 0, top: 0, size: FrameSize(width: 1920, height: 1080))
    #expect(try device.rectangle(of: .regionOfInterest) == whole)
    #expect(try device.rectangle(of: .regionOfInterest, .greatest) == whole)
    #expect(try device.rectangle(of: .regionOfInterest, .least).size == FrameSize(width: 16, height: 16))
    let part = PixelRectangle(left: 100, top: 20, size: FrameSize(width: 64, height: 48))
    try device.setRectangle(.regionOfInterest, to: part)
    #expect(try device.rectangle(of: .regionOfInterest) == part)
    let error = #expect(throws: VideoDeviceError.self) { try device.rectangle(of: .gain) }
    #expect(error?.subject == "control 0x980913")
  }

  @Test func setsSeveralAtOnceAndNamesTheOneRefused() throws {
    offer([
      raw(.brightness, V4L2_CTRL_TYPE_INTEGER), raw(.autoWhiteBalance, V4L2_CTRL_TYPE_BOOLEAN),
      raw(ControlID(rawValue: 0xF00000), V4L2_CTRL_TYPE_INTEGER64),
      raw(ControlID(rawValue: 0xF00001), V4L2_CTRL_TYPE_STRING, 0...8),
    ])
    let device = try device()
    let controls = try device.controls().controls
    try #require(controls.count == 4)
    var sent: [Int64] = []
    var text = ""
    kernel.on(.setControls, v4l2_ext_controls.self) { list in
      let items = list.controls!
      sent = [
        Int64(cv4l2_control_integer(items)), Int64(cv4l2_control_integer(items + 1)),
        cv4l2_control_integer64(items + 2),
      ]
      text = String(cString: items[3].string)
      list.error_idx = 1
      return items[1].id == ControlID.autoWhiteBalance.rawValue && sent[0] == 9 ? .outOfRange : nil
    }
    let rest: [(Control, ControlValue)] = [
      (controls[1], .boolean(true)), (controls[2], .integer(1 << 40)), (controls[3], .string("shelf")),
    ]
    try device.set([(controls[0], .integer(7))] + rest)
    #expect(sent == [7, 1, 1 << 40])
    #expect(text == "shelf")
    let error = #expect(throws: VideoDeviceError.self) { try device.set([(controls[0], .integer(9))] + rest) }
    #expect(error?.reason == .refused)
    #expect(error?.subject == controls[1].name)
  }

  @Test func readsValues() throws {
    offer([
      raw(.brightness, V4L2_CTRL_TYPE_INTEGER), raw(.autoWhiteBalance, V4L2_CTRL_TYPE_BOOLEAN),
      raw(ControlID(rawValue: 0xF00001), V4L2_CTRL_TYPE_STRING, 0...8),
    ])
    kernel.on(.getControls, v4l2_ext_controls.self) { list in
      let item = list.controls!
      if item.pointee.id == 0xF00001 {
        guard item.pointee.size == 9 else { return .noSpace }
        for (index, byte) in "sh\u{7}lf".utf8.enumerated() { item.pointee.string[index] = CChar(byte) }
      } else {
        cv4l2_control_set_integer(item, item.pointee.id, -3)
      }
      return nil
    }
    let device = try device()
    let values = try device.controls().controls.map { try device.value(of: $0) }
    #expect(values == [.integer(-3), .boolean(true), .string("sh?lf")])
  }

  @Test func hearsEvents() throws {
    let device = try device()
    #expect(try !device.subscribe(to: .sourceChange))
    #expect(try device.nextEvent() == nil)
    var waiting = [
      UInt32(V4L2_EVENT_SOURCE_CHANGE), UInt32(V4L2_EVENT_EOS), UInt32(V4L2_EVENT_CTRL), 0x0800_0001,
    ]
    kernel.on(.subscribeEvent, v4l2_event_subscription.self) { _ in nil }
    kernel.on(.dequeueEvent, v4l2_event.self) { raw in
      guard !waiting.isEmpty else { return .noEntry }
      raw.type = waiting.removeFirst()
      raw.pending = UInt32(waiting.count)
      raw.timestamp.tv_sec = 2
      if raw.type == UInt32(V4L2_EVENT_SOURCE_CHANGE) { raw.u.src_change.changes = 1 }
      if raw.type == UInt32(V4L2_EVENT_CTRL) {
        raw.id = ControlID.gain.rawValue
        raw.u.ctrl.changes = UInt32(V4L2_EVENT_CTRL_CH_VALUE)
        raw.u.ctrl.value = -5
      }
      return nil
    }
    #expect(try device.subscribe(to: .control(.gain)))
    var events: [VideoEvent] = []
    while let event = try device.nextEvent() { events.append(event) }
    #expect(
      events.map(\.kind) == [
        .sourceChange(resolution: true), .endOfStream, .control(.gain, value: -5), .other(0x0800_0001),
      ])
    #expect(events.map(\.pending) == [3, 2, 1, 0])
    #expect(events.allSatisfy { $0.timestamp == 2_000_000_000 })
  }
}
