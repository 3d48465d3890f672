import Capture
import Foundation
import Harness
import JSON

/// Parses and formats controls for users.
enum ControlText {
  /// Parses a setting: `iso=400`, `focus-point=0.5,0.25`, `white-balance-mode=auto`, `stabilization=on`.
  /// - Throws: `Failure` that names the unknown control or value.
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

  /// Returns the capability that a user names.
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
      guard choices.contains(text) else {
        throw wrong(text, capability, takes: choices.joined(separator: ", "))
      }
      return .choice(text)
    }
    if capability.range != nil || capability.values != nil {
      guard let number = Double(text), number.isFinite else {
        throw wrong(text, capability, takes: numbers(capability, instead: text))
      }
      return .number(number)
    }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    if parts.count == 2, let x = parts[0], let y = parts[1], (0...1).contains(x), (0...1).contains(y) {
      return .point(x: x, y: y)
    }
    if parts.count == 1, let number = parts[0], number.isFinite { return .number(number) }
    switch text {
    case "on", "true": return .flag(true)
    case "off", "false": return .flag(false)
    default:
      let isPoint = [CameraControl.focusPoint, .exposurePoint].contains(capability.control)
      throw wrong(text, capability, takes: isPoint ? "X,Y from 0 to 1" : "on or off")
    }
  }

  /// Returns the accepted values of a numeric control, as a clause. For a fraction such as `1/50`, as photographers write exposure times, it adds the
  /// value of the fraction.
  private static func numbers(_ capability: CameraControlCapability, instead text: String) -> String {
    let range = capability.range.map {
      " from \(ControlNumber.text($0.lowerBound, capability)) to \(ControlNumber.text($0.upperBound, capability))"
    }
    let unit = capability.unit.rawValue
    let takes = "a number\(range ?? "")\(unit.isEmpty ? "" : " \(unit)")"
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Double($0) }
    guard capability.unit == .seconds, parts.count == 2, let over = parts[0], let under = parts[1],
      (over / under).isFinite
    else { return takes }
    return "\(takes); \(text.prefix(40)) \(unit) is \(String(format: "%.3g", over / under))"
  }

  private static func wrong(
    _ text: String, _ capability: CameraControlCapability, takes: String
  ) -> Failure {
    Failure("cannot set \(capability.control) to \(text.prefix(60)): it takes \(takes)", .usage)
  }

  /// Returns a control's name, value and accepted values.
  static func line(_ capability: CameraControlCapability, _ value: CameraControlValue?) -> String {
    ControlLine(capability: capability, value: value).text
  }

  static func line(_ result: CameraControlResult) -> String {
    if let refusal = result.refusal { return "\(result.control) was not set to \(result.wanted): \(refusal)" }
    let took = result.took.map { ControlNumber.text($0) } ?? "unknown"
    return result.note == .exact
      ? "\(result.control) is \(took)"
      : "\(result.control) is \(took), not \(result.wanted) (\(result.note.rawValue))"
  }

  /// Returns a sentence about values outside the camera's ranges; nil if there are none.
  static func clamped(_ results: [CameraControlResult]) -> String? {
    let parts = results.compactMap { result in
      result.note == .clamped
        ? result.took.map { "\(result.control) \(result.wanted) to \(ControlNumber.text($0))" } : nil
    }
    guard !parts.isEmpty else { return nil }
    return "clamped, because the camera has no more: \(parts.joined(separator: ", "))"
  }

  /// Returns a preset's values, sorted by name.
  static func line<Name: Comparable & CustomStringConvertible>(_ values: [Name: CameraControlValue]) -> String
  {
    values.sorted { $0.key < $1.key }.map { "\($0.key)=\(ControlNumber.text($0.value))" }
      .joined(separator: " ")
  }
}

extension CameraControlValue {
  /// The value in the preset file's format.
  var json: JSONValue {
    switch self {
    case .number(let number): .number(number)
    case .choice(let choice): .string(choice)
    case .point(let x, let y): .object(["x": .number(x), "y": .number(y)])
    case .flag(let isOn): .bool(isOn)
    }
  }

  /// Parses a value of the preset file; nil if no control can have it.
  init?(_ json: JSONValue) {
    func number(_ value: JSONValue?) -> Double? {
      switch value {
      case .number(let number)?: number
      case .integer(let number)?: Double(number)
      case nil, .null, .bool, .string, .array, .object: nil
      }
    }
    switch json {
    case .string(let choice): self = .choice(choice)
    case .bool(let isOn): self = .flag(isOn)
    case .object(let members):
      guard members.count == 2, let x = number(members["x"]), let y = number(members["y"]) else { return nil }
      self = .point(x: x, y: y)
    case .null, .integer, .number, .array:
      guard let value = number(json) else { return nil }
      self = .number(value)
    }
  }
}
