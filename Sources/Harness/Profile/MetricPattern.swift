/// The id of a metric, or of several: `*` stands for exactly one part between dots.
struct MetricPattern {
  private let parts: [Substring]

  init(_ text: String) { parts = text.split(separator: ".", omittingEmptySubsequences: false) }

  func fits(_ metric: String) -> Bool {
    let names = metric.split(separator: ".", omittingEmptySubsequences: false)
    return names.count == parts.count && zip(parts, names).allSatisfy { $0 == "*" || $0 == $1 }
  }
}
