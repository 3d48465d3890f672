package import CVideo4Linux
package import Video4Linux

/// A settable control of a `ScriptedDevice`, and the ways in which it misbehaves.
package struct ScriptedControl {
  package let id: ControlID
  package var type = V4L2_CTRL_TYPE_INTEGER
  package var range: ClosedRange<Int64> = 0...1
  package var step: Int64 = 1
  package var standard: Int64 = 0
  package var value: Int64 = 0
  package var flags: UInt32 = 0
  /// For an integer menu, the value of each index; for a plain menu, the existing indices as keys.
  package var menu: [Int64: Int64] = [:]
  /// Whether setting the control succeeds but changes nothing.
  package var isIgnored = false
  /// The error of setting the control; nil if setting succeeds.
  package var fault: Errno?
  /// The value that each start of the stream sets; nil if a start changes nothing.
  package var afterStart: Int64?
  /// For a rectangle control, the present rectangle.
  package var rectangle = v4l2_rect()
  /// For a rectangle control, the smallest and the largest rectangle.
  package var rectangles = (least: v4l2_rect(), greatest: v4l2_rect())

  package init(_ id: ControlID, _ configure: (inout ScriptedControl) -> Void = { _ in }) {
    self.id = id
    configure(&self)
  }

  package static func integer(
    _ id: ControlID, _ range: ClosedRange<Int64>, _ value: Int64, step: Int64 = 1
  ) -> ScriptedControl {
    ScriptedControl(id) { ($0.range, $0.value, $0.standard, $0.step) = (range, value, value, step) }
  }

  package static func flag(_ id: ControlID, _ isOn: Bool) -> ScriptedControl {
    ScriptedControl(id) {
      $0.type = V4L2_CTRL_TYPE_BOOLEAN
      ($0.value, $0.standard) = (isOn ? 1 : 0, isOn ? 1 : 0)
    }
  }

  package static func menu(_ id: ControlID, _ items: [Int64], _ value: Int64) -> ScriptedControl {
    ScriptedControl(id) {
      $0.type = V4L2_CTRL_TYPE_MENU
      $0.menu = Dictionary(uniqueKeysWithValues: items.map { ($0, $0) })
      $0.range = (items.min() ?? 0)...(items.max() ?? 0)
      ($0.value, $0.standard) = (value, value)
    }
  }

  /// Returns a rectangle control for a sensor of this size, which begins with the whole sensor.
  package static func region(_ id: ControlID, width: UInt32, height: UInt32) -> ScriptedControl {
    ScriptedControl(id) {
      $0.type = v4l2_ctrl_type(0x0107)
      $0.rectangle = v4l2_rect(left: 0, top: 0, width: width, height: height)
      $0.rectangles = (v4l2_rect(left: 0, top: 0, width: 16, height: 16), $0.rectangle)
    }
  }

  package static func numbers(_ id: ControlID, _ numbers: [Int64], _ index: Int64) -> ScriptedControl {
    ScriptedControl(id) {
      $0.type = V4L2_CTRL_TYPE_INTEGER_MENU
      $0.menu = Dictionary(uniqueKeysWithValues: numbers.enumerated().map { (Int64($0), $1) })
      $0.range = 0...Int64(numbers.count - 1)
      ($0.value, $0.standard) = (index, index)
    }
  }
}

extension ScriptedDevice {
  /// Returns the present rectangle of a control; nil if the device has no such control.
  package func rectangle(_ id: ControlID) -> v4l2_rect? { operated.first { $0.id == id }?.rectangle }

  /// The value of a control; nil if the device has no such control.
  package subscript(id: ControlID) -> Int64? {
    get { operated.first { $0.id == id }?.value }
    set {
      guard let newValue, let index = operated.firstIndex(where: { $0.id == id }) else { return }
      operated[index].value = newValue
    }
  }

  mutating func resetControls() {
    for index in operated.indices {
      operated[index].value = operated[index].afterStart ?? operated[index].value
    }
  }

  mutating func answerOperated(_ request: Request, _ argument: UnsafeMutableRawPointer) -> Errno? {
    switch request {
    case .queryControl: describe(&argument.assumingMemoryBound(to: v4l2_query_ext_ctrl.self).pointee)
    case .queryMenu: describeItem(argument)
    case .getControls: read(argument.assumingMemoryBound(to: v4l2_ext_controls.self).pointee)
    default: write(&argument.assumingMemoryBound(to: v4l2_ext_controls.self).pointee)
    }
  }

  private func describe(_ raw: inout v4l2_query_ext_ctrl) -> Errno? {
    let (next, id) = (raw.id & 0xC000_0000 != 0, raw.id & 0x0FFF_FFFF)
    let sorted = operated.sorted { $0.id.rawValue < $1.id.rawValue }
    guard let control = sorted.first(where: { next ? $0.id.rawValue > id : $0.id.rawValue == id }) else {
      return .invalidArgument
    }
    raw = v4l2_query_ext_ctrl()
    raw.id = control.id.rawValue
    raw.type = control.type.rawValue
    (raw.minimum, raw.maximum) = (control.range.lowerBound, control.range.upperBound)
    raw.step = UInt64(control.step)
    raw.default_value = control.standard
    raw.flags = control.flags
    return nil
  }

  private func describeItem(_ argument: UnsafeMutableRawPointer) -> Errno? {
    let raw = argument.assumingMemoryBound(to: v4l2_querymenu.self).pointee
    let control = operated.first { $0.id.rawValue == raw.id }
    guard let number = control?.menu[Int64(raw.index)] else { return .invalidArgument }
    // The union behind id and index holds the item's value or name.
    if control?.type == V4L2_CTRL_TYPE_INTEGER_MENU {
      argument.storeBytes(of: number, toByteOffset: 8, as: Int64.self)
    }
    return nil
  }

  private func read(_ raw: v4l2_ext_controls) -> Errno? {
    for index in 0..<Int(raw.count) {
      guard let list = raw.controls, let value = self[ControlID(rawValue: list[index].id)] else {
        return .invalidArgument
      }
      if list[index].size == UInt32(MemoryLayout<v4l2_rect>.size), let target = list[index].ptr {
        let control = operated.first { $0.id.rawValue == list[index].id }
        let given =
          switch raw.which {
          case 0x0F02_0000: control?.rectangles.least
          case 0x0F03_0000: control?.rectangles.greatest
          default: control?.rectangle
          }
        target.copyMemory(from: [given ?? v4l2_rect()], byteCount: MemoryLayout<v4l2_rect>.size)
        continue
      }
      list[index].value = Int32(truncatingIfNeeded: value)
    }
    return nil
  }

  /// Sets values as `VIDIOC_S_EXT_CTRLS` does: if one control fails validation, none is set.
  private mutating func write(_ raw: inout v4l2_ext_controls) -> Errno? {
    guard let list = raw.controls else { return .invalidArgument }
    let ids = (0..<Int(raw.count)).map { ControlID(rawValue: list[$0].id) }
    written.append(ids)
    for (place, id) in ids.enumerated() {
      guard let control = operated.first(where: { $0.id == id }) else {
        raw.error_idx = raw.count
        return .invalidArgument
      }
      if let fault = control.fault {
        raw.error_idx = UInt32(place)
        return fault
      }
    }
    for (place, id) in ids.enumerated() {
      guard let index = operated.firstIndex(where: { $0.id == id }), !operated[index].isIgnored else {
        continue
      }
      if operated[index].type == v4l2_ctrl_type(0x0107), let source = list[place].ptr {
        operated[index].rectangle = source.load(as: v4l2_rect.self)
        continue
      }
      operated[index].value = Int64(list[place].value)
    }
    return nil
  }
}

extension ScriptedDevice {
  /// Queues an event, which the device then reports.
  package mutating func tell(_ event: v4l2_event) { events.append(event) }
}
