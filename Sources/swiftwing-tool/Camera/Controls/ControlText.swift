import Capture
import Console
import Harness
import JSON

/// Controls as a user writes and reads them.
enum ControlText {
  /// `iso=400`, `focus-point=0.5,0.25`, `white-balance-mode=auto`, `stabilization=on`.
  /// - Throws: which control or value there is not.
  static func setting(
    _ text: String, of capabilities: [CameraControlCapability]
  ) throws(Failure) -> (control: CameraControl, value: CameraControlValue) {
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
      throw Failure("cannot set \(text.prefix(60)): write NAME=VALUE, such as iso=400", .usage)
    }
    let capability = try capability(String(text[..<equals]), of: capabilities)
    let written = String(text[text.index(after: equals)...])
    return (capability.control, try value(written, for: capability))
  }

  /// The capability that a user names.
  static func capability(
    _ name: String, of capabilities: [CameraControlCapability]
  ) throws(Failure) -> CameraControlCapability {
    guard let capability = capabilities.first(where: { $0.control.rawValue == name }) else {
      let names = capabilities.filter(\.isPresent).map(\.control.rawValue).sorted().joined(separator: ", ")
      throw Failure(
        "there is no control \(name.prefix(60)); this camera has \(names.isEmpty ? "none" : names)", .usage)
    }
    return capability
  }

  private static func value(
    _ text: String, for capability: CameraControlCapability
  ) throws(Failure) -> CameraControlValue {
    if let choices = capability.choices {
      guard choices.contains(text) else { throw wrong(text, capability, choices.joined(separator: ", ")) }
      return .choice(text)
    }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    if parts.count == 2, let x = parts[0], let y = parts[1], (0...1).contains(x), (0...1).contains(y) {
      return .point(x: x, y: y)
    }
    if parts.count == 1, let number = parts[0], number.isFinite { return .number(number) }
    switch text {
    case "on", "true": return .flag(true)
    case "off", "false": return .flag(false)
    default: throw wrong(text, capability, "a number, on or off, or X,Y from 0 to 1")
    }
  }

  private static func wrong(
    _ text: String, _ capability: CameraControlCapability, _ takes: String
  ) -> Failure {
    Failure("cannot set \(capability.control) to \(text.prefix(60)): it takes \(takes)", .usage)
  }

  /// One line: name, value, what it takes.
  static func line(_ capability: CameraControlCapability, _ value: CameraControlValue?) -> String {
    let name = capability.control.rawValue.padded(to: 28)
    if let absence = capability.absence { return "\(name)absent: \(absence)" }
    let unit = capability.unit.rawValue
    let shown = value.map { unit.isEmpty ? "\($0)" : "\($0) \(unit)" } ?? "–"
    return "\(name)\(shown.padded(to: 16))\(takes(capability))"
  }

  private static func takes(_ capability: CameraControlCapability) -> String {
    var words: [String] = []
    if let choices = capability.choices { words.append(choices.joined(separator: "|")) }
    if let values = capability.values {
      words.append(values.map { "\(CameraControlValue.number($0))" }.joined(separator: "|"))
    } else if let range = capability.range {
      let (low, high) = (
        CameraControlValue.number(range.lowerBound), CameraControlValue.number(range.upperBound)
      )
      words.append("\(low)…\(high)" + (capability.step.map { " by \(CameraControlValue.number($0))" } ?? ""))
    }
    if capability.isReadOnly { words.append("read only") }
    if capability.isInactive { words.append("inactive now") }
    switch capability.origin {
    case .device: break
    case .software: words.append("software")
    case .mapped(let other): words.append("by \(other)")
    }
    return words.joined(separator: ", ")
  }

  /// What a result is, in one line.
  static func line(_ result: CameraControlResult) -> String {
    if let refusal = result.refusal { return "\(result.control) was not set to \(result.wanted): \(refusal)" }
    let took = result.took.map(\.description) ?? "unknown"
    return result.note == .exact
      ? "\(result.control) is \(took)"
      : "\(result.control) is \(took), not \(result.wanted) (\(result.note.rawValue))"
  }
}

extension CameraControlValue {
  /// For the file of presets.
  var json: JSONValue {
    switch self {
    case .number(let number): .number(number)
    case .choice(let choice): .string(choice)
    case .point(let x, let y): .object(["x": .number(x), "y": .number(y)])
    case .flag(let isOn): .bool(isOn)
    }
  }

  /// From the file of presets; nil for what no control can have.
  init?(_ json: JSONValue) {
    func number(_ value: JSONValue?) -> Double? {
      switch value {
      case .number(let number)?: number
      case .integer(let number)?: Double(number)
      default: nil
      }
    }
    switch json {
    case .string(let choice): self = .choice(choice)
    case .bool(let isOn): self = .flag(isOn)
    case .object(let members):
      guard members.count == 2, let x = number(members["x"]), let y = number(members["y"]) else { return nil }
      self = .point(x: x, y: y)
    default:
      guard let value = number(json) else { return nil }
      self = .number(value)
    }
  }
}
