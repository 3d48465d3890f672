import Foundation

/// Numbers formatted for people: about three significant digits, never an exponent, the unit after a space.
package enum Figure {
  package static func text(_ value: Double?, _ unit: MeasurementUnit) -> String {
    guard let value else { return "–" }
    switch unit {
    case .count, .ratio: return number(value)
    case .percent: return number(value) + " %"
    case .degrees: return number(value) + "°"
    case .bytes where abs(value) >= 10_000: return number(value / 1000) + " kB"
    case .milliseconds, .framesPerSecond, .tokens, .pixels, .levels, .decibels, .bytes:
      return "\(number(value)) \(unit.rawValue)"
    }
  }

  package static func number(_ value: Double?) -> String {
    guard let value, value.isFinite else { return "–" }
    let size = abs(value)
    if value == value.rounded(), size < 1e15 { return grouped(value) }
    // 99.96 is written as 100, not as 100.0.
    let decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3
    return decimals == 0 ? grouped(value.rounded()) : minus(String(format: "%.\(decimals)f", value))
  }

  /// Returns the duration of a scenario, such as `2.4`.
  package static func seconds(_ value: Double) -> String { String(format: "%.1f", value) }

  /// Returns the ratio new ÷ base as a change in percent, such as `+31 %` for 1.31.
  package static func change(_ ratio: Double?) -> String {
    guard let ratio, ratio.isFinite else { return "–" }
    let percent = (ratio - 1) * 100
    let digits = String(format: abs(percent) < 10 ? "%.1f" : "%.0f", abs(percent))
    return (percent < 0 ? "−" : "+") + digits + " %"
  }

  /// Returns a difference, such as `+3 ms` or `−3 ms`; 0 has no sign.
  static func signed(_ difference: Double, _ unit: MeasurementUnit) -> String {
    (difference < 0 ? "−" : difference > 0 ? "+" : "") + text(abs(difference), unit)
  }

  /// Returns a share, 0...1, in percent, such as `5.1 %` for 0.051.
  package static func percent(_ share: Double) -> String {
    let percent = share * 100
    return String(format: percent > 0 && percent < 9.95 ? "%.1f %%" : "%.0f %%", percent)
  }

  /// Returns a confidence, such as `90 %` or `99.97 %`. It is never rounded up to 100 %.
  static func confidence(_ value: Double) -> String {
    let percent = (value * 1e4).rounded(.down) / 100
    return (percent == percent.rounded() ? String(format: "%.0f", percent) : String(format: "%.2f", percent))
      + " %"
  }

  private static func grouped(_ value: Double) -> String {
    guard abs(value) < 1e15 else { return minus(String(format: "%.3g", value)) }
    var digits = Array(String(Int64(abs(value))))
    var place = digits.count - 3
    while place > 0 {
      digits.insert(",", at: place)
      place -= 3
    }
    return (value < 0 ? "−" : "") + String(digits)
  }

  private static func minus(_ text: String) -> String { text.replacingOccurrences(of: "-", with: "−") }
}
