/// What a camera says that one of its controls can do, or why it is not there.
public struct CameraControlCapability: Hashable, Sendable, Codable {
  /// What the numbers of a control count. More units may be added.
  public struct Unit: RawRepresentable, Hashable, Sendable, Codable {
    /// As it is written after a number, such as `EV`; empty for none.
    public let rawValue: String

    /// A unit of your own, or one that was read.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Steps of exposure, each twice the light.
    public static let ev = Unit(rawValue: "EV")
    /// ISO 12232.
    public static let iso = Unit(rawValue: "ISO")
    /// Seconds.
    public static let seconds = Unit(rawValue: "s")
    /// Kelvin.
    public static let kelvin = Unit(rawValue: "K")
    /// How many times as large.
    public static let factor = Unit(rawValue: "×")
    /// Degrees of an angle.
    public static let degrees = Unit(rawValue: "°")
    /// Degrees of an angle, each second.
    public static let degreesPerSecond = Unit(rawValue: "°/s")
    /// Units of the device, or none at all.
    public static let none = Unit(rawValue: "")
  }

  /// Who does it.
  ///
  /// This enumeration is closed.
  public enum Origin: Hashable, Sendable, Codable {
    /// The device has a control for just this.
    case device
    /// The engine does it with the pictures.
    case software
    /// The device has another control that comes to the same; this is its name.
    case mapped(String)
  }

  /// Which control it is.
  public var control: CameraControl
  /// From the least to the greatest value, in `unit`; nil for what is no number.
  public var range: ClosedRange<Double>?
  /// Between two values, from the lower end of the range; nil where every number will do, or where `values` has them.
  public var step: Double?
  /// The only numbers that it takes, rising; nil where range and step say all.
  public var values: [Double]?
  /// The only words that it takes; nil for what is no choice.
  public var choices: [String]?
  /// What its numbers count.
  public var unit = Unit.none
  /// What the device starts with, as it says.
  public var defaultValue: CameraControlValue?
  /// Who does it.
  public var origin = Origin.device
  /// It can be read and not set.
  public var isReadOnly = false
  /// The device changes it by itself.
  public var isVolatile = false
  /// It has no effect just now, for example exposure time while the exposure is automatic.
  public var isInactive = false
  /// One sentence: why the control is not there; nil for one that is.
  public var absence: String?

  /// A control of which nothing more is known yet.
  public init(_ control: CameraControl) { self.control = control }

  /// A control that is a number.
  public init(_ control: CameraControl, _ range: ClosedRange<Double>, step: Double? = nil, unit: Unit = .none)
  {
    self.control = control
    self.range = range
    self.step = step
    self.unit = unit
  }

  /// A control that is one of some words.
  public init(_ control: CameraControl, choices: [String]) {
    self.control = control
    self.choices = choices
  }

  /// A control that is not there.
  public init(_ control: CameraControl, absence: String) { (self.control, self.absence) = (control, absence) }

  /// The control is there.
  public var isPresent: Bool { absence == nil }
  /// The control is there and can be set.
  public var isSettable: Bool { isPresent && !isReadOnly }
}
