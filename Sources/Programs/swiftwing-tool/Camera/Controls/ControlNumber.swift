import Capture
import Foundation

/// Formats values of controls as briefly as possible without changing their meaning for the device: `0.3`, not
/// `0.30000000000000004`.
enum ControlNumber {
  /// Returns a value as text.
  /// - Parameter capability: tells which values the device does not distinguish; nil if only the number is known.
  static func text(_ value: CameraControlValue, _ capability: CameraControlCapability? = nil) -> String {
    switch value {
    case .number(let number): text(number, capability)
    case .point(let x, let y): "\(text(x, nil)),\(text(y, nil))"
    case .choice, .flag: "\(value)"
    }
  }

  static func text(_ number: Double, _ capability: CameraControlCapability? = nil) -> String {
    guard number.isFinite, abs(number) < 1e15 else { return "\(number)" }
    for decimals in 0...12 {
      let short = String(format: "%.\(decimals)f", number)
      guard let read = Double(short), isSame(read, number, capability: capability) else { continue }
      return "\(CameraControlValue.number(read))"
    }
    return "\(CameraControlValue.number(number))"
  }

  private static func isSame(_ left: Double, _ right: Double, capability: CameraControlCapability?) -> Bool {
    guard let capability else { return abs(left - right) <= abs(right) * 1e-9 }
    // A value that is negligible compared with the range, such as 1e-17, counts as 0.
    let width = capability.range.map { $0.upperBound - $0.lowerBound } ?? 0
    return capability.isSame(left, right) || abs(left - right) <= width * 1e-9
  }
}
