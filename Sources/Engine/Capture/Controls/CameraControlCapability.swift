/// The capability of one of a camera's controls, or the reason why the control is missing.
public struct CameraControlCapability: Hashable, Sendable, Codable {
  /// The unit of a control's numbers. Later versions may add units.
  public struct Unit: RawRepresentable, Hashable, Sendable, Codable {
    /// The unit as written after a number, such as `EV`; empty for none.
    public let rawValue: String

    /// Creates a unit from its symbol: a new one, or a decoded one.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Exposure values: each step doubles the light.
    public static let ev = Unit(rawValue: "EV")
    /// ISO 12232.
    public static let iso = Unit(rawValue: "ISO")
    /// Seconds.
    public static let seconds = Unit(rawValue: "s")
    /// Kelvin.
    public static let kelvin = Unit(rawValue: "K")
    /// A multiple.
    public static let factor = Unit(rawValue: "×")
    /// Degrees of an angle.
    public static let degrees = Unit(rawValue: "°")
    /// Degrees of an angle per second.
    public static let degreesPerSecond = Unit(rawValue: "°/s")
    /// Units of the device, or no unit.
    public static let none = Unit(rawValue: "")
  }

  /// The implementation of a control.
  ///
  /// This enumeration is closed.
  public enum Origin: Hashable, Sendable, Codable {
    /// The device has exactly this control.
    case device
    /// The engine processes the pictures.
    case software
    /// The device has a different control with the same effect; the value is that control's name.
    case mapped(String)
  }

  /// The control that the capability describes.
  public var control: CameraControl
  /// The range of values, in `unit`; nil if the values are not numbers.
  public var range: ClosedRange<Double>?
  /// The step between two values, from the lower end of the range; nil if all numbers in the range are allowed, or if `values` lists them.
  public var step: Double?
  /// The only allowed numbers, ascending; nil if range and step define them.
  public var values: [Double]?
  /// The only allowed words; nil if the control is not a choice.
  public var choices: [String]?
  /// The unit of the control's numbers.
  public var unit = Unit.none
  /// The default value that the device reports.
  public var defaultValue: CameraControlValue?
  /// The implementation of the control.
  public var origin = Origin.device
  /// Whether the control can be read but not set.
  public var isReadOnly = false
  /// Whether the device changes the value by itself.
  public var isVolatile = false
  /// Whether the control has no effect at present, for example exposure time during automatic exposure.
  public var isInactive = false
  /// The reason why the control is missing, in one sentence; nil if it is present.
  public var absence: String?

  /// Creates the capability of a control of which nothing else is known.
  public init(_ control: CameraControl) { self.control = control }

  /// Creates the capability of a numeric control.
  public init(_ control: CameraControl, _ range: ClosedRange<Double>, step: Double? = nil, unit: Unit = .none)
  {
    self.control = control
    self.range = range
    self.step = step
    self.unit = unit
  }

  /// Creates the capability of a control with a choice of words.
  public init(_ control: CameraControl, choices: [String]) {
    self.control = control
    self.choices = choices
  }

  /// Creates the capability of a missing control.
  public init(_ control: CameraControl, absence: String) { (self.control, self.absence) = (control, absence) }

  /// Whether the control is present.
  public var isPresent: Bool { absence == nil }
  /// Whether the control is present and can be set.
  public var isSettable: Bool { isPresent && !isReadOnly }
}
