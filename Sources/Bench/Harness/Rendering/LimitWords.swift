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
    if unit == .count, value == 0, limit.op == .atMost, limit.statistic == .max || limit.statistic == .each {
      return count == 1 ? "None" : "None in any sample"
    }
    let bound = "\(limit.op.words) \(Figure.text(value, unit))"
    return "\(subject) \(bound)"
  }

  private var subject: String {
    if limit.statistic == .count { return "The number of samples is" }
    if count == 1 { return "It is" }
    let isCeiling = limit.op == .atMost || limit.op == .below
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

  /// The figure that the limit was applied to: `p90 1.10`, `worst 15.2 levels`.
  var measured: String {
    let figure = Figure.text(limit.measured, unit)
    guard count > 1 else { return figure }
    return switch limit.statistic {
    case .p50: "median \(figure)"
    case .each: "worst \(figure)"
    case .p90, .p99, .max, .min, .mean, .count: "\(limit.statistic.rawValue) \(figure)"
    }
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
