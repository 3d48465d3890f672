import Foundation

/// A limit in plain words, for a reader who may not know the term p90.
struct LimitWords {
  let limit: MetricReport.AppliedLimit
  let unit: MeasurementUnit
  /// The number of samples: a single sample has no median.
  let count: Int

  init?(_ metric: MetricReport) {
    guard let limit = metric.limit else { return nil }
    self.limit = limit
    unit = metric.unit
    count = metric.count
  }

  /// The limit in words: `Nine of ten samples are at most 0.500`.
  var asked: String {
    guard let value = limit.value else { return "A limit that follows a figure which was not measured" }
    if isNone {
      return count == 1 ? "None" : "None in any sample"
    }
    let bound = "\(limit.op.words) \(Figure.text(value, unit))"
    return "\(subject) \(bound)"
  }

  private var subject: String {
    if limit.statistic == .count { return "The number of samples is" }
    if count == 1 { return "It is" }
    return switch limit.statistic {
    // By nearest rank, p90 of fewer than ten samples and p99 of fewer than a hundred are the greatest sample.
    case .p90 where count < 10, .p99 where count < 100:
      isCeiling ? "Every sample is" : "The greatest sample is"
    case .p90 where isCeiling: "Nine of ten samples are"
    case .p99 where isCeiling: "99 of 100 samples are"
    case .max where isCeiling, .min where !isCeiling && limit.op != .equal, .each: "Every sample is"
    case .p50: "The median is"
    case .p90: "What nine of ten samples do not exceed is"
    case .p99: "What 99 of 100 samples do not exceed is"
    case .max: "The greatest sample is"
    case .min: "The least sample is"
    case .mean: "The mean is"
    case .count: "The number of samples is"
    }
  }

  /// The figure that the limit was applied to: `nine of ten within 1.10`, `worst 15.2 levels`.
  var measured: String {
    let figure = Figure.text(limit.measured, unit)
    if limit.statistic == .count { return "\(figure) samples" }
    guard count > 1 else { return figure }
    return switch limit.statistic {
    case .p50: "median \(figure)"
    case .mean: "mean \(figure)"
    case .each: "worst \(figure)"
    case .max: isCeiling ? "worst \(figure)" : "greatest \(figure)"
    case .min: isCeiling ? "least \(figure)" : "worst \(figure)"
    case .p90 where count < 10, .p99 where count < 100:
      isCeiling ? "worst \(figure)" : "greatest \(figure)"
    case .p90: "9 of 10 within \(figure)"
    case .p99: "99 of 100 within \(figure)"
    case .count: figure
    }
  }

  /// Whether the figure obeys the limit.
  var holds: Bool {
    guard let value = limit.value, let measured = limit.measured else { return false }
    return limit.op.holds(measured, value)
  }

  /// The limit in a few words: `at most 16 ms`, `none`.
  var bound: String {
    guard let value = limit.value else { return "unknown" }
    return isNone ? "none" : "\(limit.op.words) \(Figure.text(value, unit))"
  }

  /// The figure and its limit in a few words: `worst 91.3 ms, at most 100 ms`; `none`; `12, none allowed`.
  var brief: String {
    guard limit.value != nil else { return measured }
    if isNone { return holds ? "none" : "\(Figure.text(limit.measured, unit)), none allowed" }
    return holds ? "\(measured), \(bound)" : "\(measured), not \(bound)"
  }

  /// The distance to the limit in words: `8.70 ms to spare`, `26.4 ms too much`. Nil if one of both is unknown, for an exact
  /// figure, and where nothing is allowed.
  var room: String? {
    guard let value = limit.value, let measured = limit.measured, limit.op != .equal, !isNone
    else { return nil }
    let distance = Figure.text(abs(value - measured), unit)
    return holds ? "\(distance) to spare" : "\(distance) too \(isCeiling ? "much" : "little")"
  }

  /// The share of a ceiling that the figure takes, such as 0.91 of 1. Nil for other limits.
  var share: Double? {
    guard let value = limit.value, let measured = limit.measured, isCeiling, value > 0, measured >= 0
    else { return nil }
    return measured / value
  }

  private var isCeiling: Bool { limit.op == .atMost || limit.op == .below }

  /// Whether the limit allows nothing of what is counted.
  private var isNone: Bool {
    unit == .count && limit.value == 0 && limit.op == .atMost
      && (limit.statistic == .max || limit.statistic == .each)
  }

  /// The purpose of the limit, in the words of the profile. Nil if the profile only names a document, or nothing.
  var meaning: String? {
    guard let colon = limit.source.range(of: ": ") else {
      return limit.source.isEmpty || limit.source.hasPrefix("docs/") ? nil : limit.source
    }
    return String(limit.source[colon.upperBound...])
  }

  /// The origin of the limit: `ours`, or a document. Nil if the profile names no origin.
  var origin: String? {
    limit.source.range(of: ": ").map { String(limit.source[..<$0.lowerBound]) }
      ?? (limit.source.hasPrefix("docs/") ? limit.source : nil)
  }
}
