/// A pattern for the ids of metrics: `*` matches exactly one part between dots.
package struct MetricPattern {
  private let parts: [Substring]

  package init(_ text: String) { parts = text.split(separator: ".", omittingEmptySubsequences: false) }

  package func fits(_ metric: String) -> Bool {
    let names = metric.split(separator: ".", omittingEmptySubsequences: false)
    return names.count == parts.count && zip(parts, names).allSatisfy { $0 == "*" || $0 == $1 }
  }
}
