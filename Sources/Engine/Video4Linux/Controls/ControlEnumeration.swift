import CVideo4Linux

extension VideoDevice {
  /// The controls of the device, in the order of their numbers: at most 1024, with at most 1024 items for each menu and 16,384 in total.
  ///
  /// Walks `VIDIOC_QUERY_EXT_CTRL` with `V4L2_CTRL_FLAG_NEXT_CTRL` (kernel ≥ 3.17); for an older driver the list is empty.
  /// Stops when a number does not increase, so that no driver causes an endless loop.
  public func controls() throws(VideoDeviceError) -> ControlList {
    var (list, itemsLeft) = (ControlList(), 16_384)
    var last: UInt32 = 0
    for _ in 0..<1024 {
      var raw = v4l2_query_ext_ctrl()
      raw.id = last | 0xC000_0000  // V4L2_CTRL_FLAG_NEXT_CTRL | V4L2_CTRL_FLAG_NEXT_COMPOUND
      guard try control(.queryControl, &raw, unless: [.invalidArgument, .notTTY]), raw.id > last else {
        break
      }
      last = raw.id
      if raw.type == V4L2_CTRL_TYPE_CTRL_CLASS.rawValue || raw.flags & ControlFlags.disabled.rawValue != 0 {
        continue
      }
      try add(raw, to: &list, &itemsLeft)
    }
    return list
  }

  /// One control of the device (`VIDIOC_QUERY_EXT_CTRL`); nil if the device has no control with this number, or this program cannot use it. Much
  /// cheaper than `controls()`: one call, plus one for each item of a menu.
  public func control(_ id: ControlID) throws(VideoDeviceError) -> Control? {
    var raw = v4l2_query_ext_ctrl()
    raw.id = id.rawValue
    guard try control(.queryControl, &raw, unless: [.invalidArgument, .notTTY]), raw.id == id.rawValue,
      raw.flags & ControlFlags.disabled.rawValue == 0
    else { return nil }
    var (list, itemsLeft) = (ControlList(), 1024)
    try add(raw, to: &list, &itemsLeft)
    return list.controls.first
  }

  /// - Parameter itemsLeft: the number of menu items that may still be queried; each costs a call.
  private func add(
    _ raw: v4l2_query_ext_ctrl, to list: inout ControlList, _ itemsLeft: inout Int
  ) throws(VideoDeviceError) {
    let id = ControlID(rawValue: raw.id)
    let name = String(deviceText: raw.name)
    if let kind = try kind(of: raw, &itemsLeft) {
      list.controls.append(Control(id: id, name: name, flags: ControlFlags(rawValue: raw.flags), kind: kind))
    } else {
      list.skipped.append(ControlList.SkippedControl(id: id, name: name, type: raw.type))
    }
  }

  /// Nil for a control that this program cannot use: compound types, unknown types, and ranges that end before they begin.
  private func kind(
    of raw: v4l2_query_ext_ctrl, _ itemsLeft: inout Int
  ) throws(VideoDeviceError) -> Control.Kind? {
    guard
      raw.minimum <= raw.maximum || raw.type == V4L2_CTRL_TYPE_BUTTON.rawValue
        || raw.type == V4L2_CTRL_TYPE_BITMASK.rawValue
    else { return nil }
    let range = ControlRange(
      minimum: raw.minimum, maximum: raw.maximum, step: Int64(clamping: max(1, raw.step)),
      defaultValue: raw.default_value)
    switch v4l2_ctrl_type(raw.type) {
    case _ where raw.nr_of_dims > 0: return nil
    case V4L2_CTRL_TYPE_INTEGER: return .integer(range)
    case V4L2_CTRL_TYPE_INTEGER64: return .integer64(range)
    case V4L2_CTRL_TYPE_BOOLEAN: return .boolean(defaultValue: raw.default_value != 0)
    case V4L2_CTRL_TYPE_BUTTON: return .button
    case V4L2_CTRL_TYPE_MENU, V4L2_CTRL_TYPE_INTEGER_MENU:
      return .menu(try menu(of: raw, &itemsLeft), defaultIndex: raw.default_value)
    case V4L2_CTRL_TYPE_BITMASK:
      return .bitmask(
        mask: UInt32(truncatingIfNeeded: raw.maximum),
        defaultValue: UInt32(truncatingIfNeeded: raw.default_value))
    case V4L2_CTRL_TYPE_STRING:
      let shortest = min(max(0, Int(raw.minimum)), ControlValue.longestString)
      return .string(length: shortest...min(max(shortest, Int(raw.maximum)), ControlValue.longestString))
    default: return nil
    }
  }

  /// The items of a menu (`VIDIOC_QUERYMENU`); indices that the driver refuses are gaps in the menu.
  private func menu(
    of raw: v4l2_query_ext_ctrl, _ itemsLeft: inout Int
  ) throws(VideoDeviceError) -> [ControlMenuItem] {
    let isInteger = raw.type == V4L2_CTRL_TYPE_INTEGER_MENU.rawValue
    let first = UInt32(clamping: raw.minimum)
    let last = min(UInt32(clamping: raw.maximum), first.addingReportingOverflow(1023).partialValue)
    guard first <= last else { return [] }
    var items: [ControlMenuItem] = []
    for index in first...last where itemsLeft > 0 {
      itemsLeft -= 1
      var item = v4l2_querymenu()
      item.id = raw.id
      item.index = index
      guard try control(.queryMenu, &item, unless: [.invalidArgument]) else { continue }
      let label: ControlMenuItem.Label =
        isInteger ? .value(cv4l2_menu_value(&item)) : .name(String(deviceText: item.name))
      items.append(ControlMenuItem(index: Int64(index), label: label))
    }
    return items
  }
}
