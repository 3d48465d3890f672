import CVideo4Linux

/// The range of a numeric control.
public struct ControlRange: Hashable, Sendable {
  /// The least value.
  public let minimum: Int64
  /// The greatest value.
  public let maximum: Int64
  /// At least 1.
  public let step: Int64
  /// What the driver sets at its start.
  public let defaultValue: Int64

  /// The member nearest to `value`.
  public func nearest(to value: Int64) -> Int64 {
    let clamped = min(max(value, minimum), maximum)
    // In 128 bits: a driver's 64-bit range may be wider than 64 bits can tell.
    let offset = Int128(clamped) - Int128(minimum)
    let snapped = Int128(minimum) + (offset + Int128(step) / 2) / Int128(step) * Int128(step)
    return Int64(clamping: snapped > Int128(maximum) ? snapped - Int128(step) : snapped)
  }
}

/// One choice of a menu control.
public struct ControlMenuItem: Hashable, Sendable {
  /// What to set.
  public let index: Int64
  /// What it is called (menu), or the number it stands for (integer menu).
  public let label: Label

  /// What a person is shown for it.
  public enum Label: Hashable, Sendable {
    /// Of a menu of names: what the driver calls it. Printable and bounded.
    case name(String)
    /// Of an integer menu: the number that it stands for.
    case value(Int64)
  }
}

/// What a control is allowed to be just now (`V4L2_CTRL_FLAG_…`).
public struct ControlFlags: OptionSet, Hashable, Sendable {
  /// The flags as the kernel has them.
  public let rawValue: UInt32

  /// Flags that were read, also such as have no name here.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// It is not to be used at all.
  public static let disabled = ControlFlags(rawValue: 0x001)
  /// Not to be changed just now, for example while streaming.
  public static let grabbed = ControlFlags(rawValue: 0x002)
  /// It can be read and not set.
  public static let readOnly = ControlFlags(rawValue: 0x004)
  /// Changing it changes other controls.
  public static let update = ControlFlags(rawValue: 0x008)
  /// Has no effect just now, for example exposure time in automatic mode.
  public static let inactive = ControlFlags(rawValue: 0x010)
  /// A hint: show it as a slider.
  public static let slider = ControlFlags(rawValue: 0x020)
  /// It can be set and not read.
  public static let writeOnly = ControlFlags(rawValue: 0x040)
  /// The device changes it by itself.
  public static let volatile = ControlFlags(rawValue: 0x080)
}

/// A control a device has (`VIDIOC_QUERY_EXT_CTRL`).
public struct Control: Hashable, Sendable {
  /// Its number.
  public let id: ControlID
  /// The driver's name for it.
  public let name: String
  /// What it is allowed to be just now.
  public let flags: ControlFlags
  /// What values it has.
  public let kind: Kind

  /// The values that a control can have.
  public enum Kind: Hashable, Sendable {
    /// A number of 32 bits.
    case integer(ControlRange)
    /// A number of 64 bits.
    case integer64(ControlRange)
    /// On or off.
    case boolean(defaultValue: Bool)
    /// One of several items; its value is the index of one.
    case menu([ControlMenuItem], defaultIndex: Int64)
    /// Setting it does something; it has no value.
    case button
    /// A set of flags within `mask`.
    case bitmask(mask: UInt32, defaultValue: UInt32)
    /// Length in bytes.
    case string(length: ClosedRange<Int>)
  }
}

/// All the controls of a device, and those that have no value of their own here.
public struct ControlList: Hashable, Sendable {
  /// Those that this program can use, in the order of their numbers.
  public var controls: [Control] = []
  /// Compound controls (arrays, structures) and types newer than this program. Rectangles are among them (`hasRectangle(_:)`).
  public var skipped: [SkippedControl] = []

  /// None.
  package init() {}

  /// A control that this program cannot use.
  public struct SkippedControl: Hashable, Sendable {
    /// Its number.
    public let id: ControlID
    /// The driver's name for it.
    public let name: String
    /// `enum v4l2_ctrl_type`.
    public let type: UInt32
  }

  /// The control of this number; nil when there is none.
  public subscript(id: ControlID) -> Control? { controls.first { $0.id == id } }
}
