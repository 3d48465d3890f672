/// The value of a control. In JSON it is a number, a string, an object of `x` and `y`, or a Boolean.
///
/// This enumeration is closed.
public enum CameraControlValue: Hashable, Sendable {
  /// A number in the unit of the control's capability.
  case number(Double)
  /// One of the capability's choices.
  case choice(String)
  /// A point in the stored picture, each coordinate from 0 to 1: 0, 0 is the first pixel.
  case point(x: Double, y: Double)
  /// On or off.
  case flag(Bool)

  /// The number; nil for another type of value.
  public var number: Double? { if case .number(let value) = self { value } else { nil } }
  /// The choice; nil for another type of value.
  public var choice: String? { if case .choice(let value) = self { value } else { nil } }
  /// The flag; nil for another type of value.
  public var flag: Bool? { if case .flag(let value) = self { value } else { nil } }
}

extension CameraControlValue: CustomStringConvertible {
  /// The text form of the command line: `0.5`, `auto`, `0.25,0.75`, `on`.
  public var description: String {
    switch self {
    case .number(let number):
      number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
    case .choice(let choice): choice
    case .point(let x, let y): "\(x),\(y)"
    case .flag(let isOn): isOn ? "on" : "off"
    }
  }
}

extension CameraControlValue: Codable {
  private enum CodingKeys: String, CodingKey { case x, y }

  /// - Throws: `DecodingError` unless the value is a finite number, a string, a Boolean, or an object of `x` and `y`.
  public init(from decoder: any Decoder) throws {
    if let point = try? decoder.container(keyedBy: CodingKeys.self) {
      self = .point(
        x: try point.decode(Double.self, forKey: .x), y: try point.decode(Double.self, forKey: .y))
      return
    }
    let single = try decoder.singleValueContainer()
    if let isOn = try? single.decode(Bool.self) {
      self = .flag(isOn)
    } else if let number = try? single.decode(Double.self) {
      self = .number(number)
    } else {
      self = .choice(try single.decode(String.self))
    }
  }

  /// Encodes the form that `init(from:)` reads.
  public func encode(to encoder: any Encoder) throws {
    if case .point(let x, let y) = self {
      var point = encoder.container(keyedBy: CodingKeys.self)
      try point.encode(x, forKey: .x)
      try point.encode(y, forKey: .y)
      return
    }
    var single = encoder.singleValueContainer()
    switch self {
    case .number(let number): try single.encode(number)
    case .choice(let choice): try single.encode(choice)
    case .flag(let isOn): try single.encode(isOn)
    case .point: break
    }
  }
}
