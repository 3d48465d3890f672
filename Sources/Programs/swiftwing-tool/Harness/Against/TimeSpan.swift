import ArgumentParser

/// A time as it is typed: a number and its unit, `90s`, `5m` or `1h`.
struct TimeSpan: ExpressibleByArgument, CustomStringConvertible {
  let duration: Duration
  let description: String

  /// Parses a time span.
  /// - Parameter argument: a time from 1 s to 24 h.
  init?(argument: String) {
    guard let unit = argument.last, let number = Int(argument.dropLast()), number > 0,
      let factor = ["s": 1, "m": 60, "h": 3600][String(unit)], number <= 86_400 / factor
    else { return nil }
    duration = .seconds(number * factor)
    description = argument
  }

  static let usual = TimeSpan(argument: "5m")
}
