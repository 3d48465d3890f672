/// The range of a numeric control.
public struct ControlRange: Hashable, Sendable {
  /// The least value.
  public let minimum: Int64
  /// The greatest value.
  public let maximum: Int64
  /// The step between values, at least 1.
  public let step: Int64
  /// The value that the driver sets when it is loaded.
  public let defaultValue: Int64

  /// The possible value nearest to `value`.
  public func nearest(to value: Int64) -> Int64 {
    let clamped = min(max(value, minimum), maximum)
    // In 128 bits: a driver's 64-bit range may be too wide for 64-bit arithmetic.
    let offset = Int128(clamped) - Int128(minimum)
    let snapped = Int128(minimum) + (offset + Int128(step) / 2) / Int128(step) * Int128(step)
    return Int64(clamping: snapped > Int128(maximum) ? snapped - Int128(step) : snapped)
  }
}

/// One choice of a menu control.
public struct ControlMenuItem: Hashable, Sendable {
  /// The value that selects the item.
  public let index: Int64
  /// The name of the item (menu), or its number (integer menu).
  public let label: Label

  /// The label of an item, for a person.
  public enum Label: Hashable, Sendable {
    /// The driver's name for an item of a menu. Printable and bounded.
    case name(String)
    /// The number of an item of an integer menu.
    case value(Int64)
  }
}

/// The present restrictions and properties of a control (`V4L2_CTRL_FLAG_…`).
public struct ControlFlags: OptionSet, Hashable, Sendable {
  /// The kernel's flags.
  public let rawValue: UInt32

  /// Creates a set from the kernel's flags, including those without a name here.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The control must not be used.
  public static let disabled = ControlFlags(rawValue: 0x001)
  /// The control must not be changed at present, for example while streaming.
  public static let grabbed = ControlFlags(rawValue: 0x002)
  /// The control can be read but not set.
  public static let readOnly = ControlFlags(rawValue: 0x004)
  /// Changing the control changes other controls.
  public static let update = ControlFlags(rawValue: 0x008)
  /// The control has no effect at present, for example exposure time in automatic mode.
  public static let inactive = ControlFlags(rawValue: 0x010)
  /// A hint: show it as a slider.
  public static let slider = ControlFlags(rawValue: 0x020)
  /// The control can be set but not read.
  public static let writeOnly = ControlFlags(rawValue: 0x040)
  /// The device changes the value by itself.
  public static let volatile = ControlFlags(rawValue: 0x080)
}

/// A control of a device (`VIDIOC_QUERY_EXT_CTRL`).
public struct Control: Hashable, Sendable {
  /// The control's number.
  public let id: ControlID
  /// The driver's name for the control.
  public let name: String
  /// The present flags of the control.
  public let flags: ControlFlags
  /// The type of the control's values.
  public let kind: Kind

  /// The type of a control's values.
  public enum Kind: Hashable, Sendable {
    /// A 32-bit number.
    case integer(ControlRange)
    /// A 64-bit number.
    case integer64(ControlRange)
    /// On or off.
    case boolean(defaultValue: Bool)
    /// One of several items; the value is the item's index.
    case menu([ControlMenuItem], defaultIndex: Int64)
    /// Setting the control triggers an action; it has no value.
    case button
    /// A set of flags within `mask`.
    case bitmask(mask: UInt32, defaultValue: UInt32)
    /// Text, with a range of lengths in bytes.
    case string(length: ClosedRange<Int>)
  }
}

/// The controls of a device, including those that this program cannot use.
public struct ControlList: Hashable, Sendable {
  /// The controls that this program can use, in the order of their numbers.
  public var controls: [Control] = []
  /// Compound controls (arrays, structures, rectangles: `hasRectangle(_:)`) and controls of types unknown to this program.
  public var skipped: [SkippedControl] = []

  package init() {}

  /// A control that this program cannot use.
  public struct SkippedControl: Hashable, Sendable {
    /// The control's number.
    public let id: ControlID
    /// The driver's name for the control.
    public let name: String
    /// The type, from `enum v4l2_ctrl_type`.
    public let type: UInt32
  }

  /// The control with this number; nil if there is none.
  public subscript(id: ControlID) -> Control? { controls.first { $0.id == id } }
}
