import Harness

/// The result of a replay, as text for a terminal and as a page.
struct GatePage {
  let rows: [GateRow]
  let archive: GateArchive
  let limit: Duration

  private static let head = [
    "compared", "busy cores", "build", "comparisons", "regressed", "improved", "unchanged", "inconclusive",
    "other", "minutes",
  ]

  /// The result in aligned columns.
  var table: String {
    let cells = [Self.head] + rows.map(cells)
    let widths = Self.head.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
    let lines = cells.map { row in
      row.enumerated().map { $1 + String(repeating: " ", count: widths[$0] - $1.count) }.joined(
        separator: "  ")
    }
    return (lines + blame).joined(separator: "\n")
  }

  var markdown: String {
    let rule = "|" + Self.head.map { _ in "---|" }.joined()
    let lines =
      ["| " + Self.head.joined(separator: " | ") + " |", rule]
      + rows.map { "| " + cells($0).joined(separator: " | ") + " |" }
    let turns = archive.rounds.values.reduce(0) { $0 + $1.count }
    let stored = archive.runs.values.flatMap(\.values).reduce(0) { $0 + $1.count }
    let counted = archive.counts.values.reduce(0) { $0 + $1.count }
    return """
      # How often the gate is right

      Measured, not estimated: \(turns) recorded rounds of turns, \(stored) whole runs and \(counted) counting runs of the build \
      \(archive.commits.joined(separator: ", ")), \
      replayed through the comparisons of the build that wrote this page (`swiftwing-trials gate`). `scripts/calibrate` recorded them. \
      [The comparison](comparison.md) explains methods and verdicts.

      Each row counts the verdicts of comparisons of one kind: the method; the number of cores that other programs kept busy; the build that was \
      compared with the unchanged one, "the same" or the same build with a fault such as `slow-photo=5` (5 % slower); and the mean duration. "other" \
      means `incomparable` or `interrupted`: the recording was too short to decide.

      A comparison by turns may take \(limit.components.seconds / 60) minutes of recorded time and never uses a round twice. Comparisons of one kind begin at \
      different rounds of the same recording, so they overlap and are not independent: a count of 0 only means that this recording had none. \
      "by counts" compares each run of `bench --count` with every run of it that was recorded before, at any load; the row is that of the later run.

      \(lines.joined(separator: "\n"))

      \(blame.isEmpty ? "" : "The metrics that decided when a comparison of one build with itself was not `unchanged`:\n\n" + blame.map { "- \($0)" }.joined(separator: "\n") + "\n")
      """
  }

  private func cells(_ row: GateRow) -> [String] {
    let named: [Verdict] = [.regressed, .improved, .unchanged, .inconclusive]
    let other = row.count - named.reduce(0) { $0 + row.verdicts[$1, default: 0] }
    let minutes = Double(row.time.components.seconds) / 60 / Double(max(1, row.count))
    return [row.method, "\(row.load)", row.fault ?? "the same", "\(row.count)"]
      + named.map { "\(row.verdicts[$0, default: 0])" } + ["\(other)"]
      + [row.time == .zero ? "–" : "\((minutes * 10).rounded() / 10)"]
  }

  /// For comparisons of a build with itself, the metrics that were blamed, most frequent first.
  private var blame: [String] {
    rows.filter { $0.fault == nil && !$0.blamed.isEmpty }.map { row in
      let named = row.blamed.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(5)
      return "\(row.method), \(row.load) busy: "
        + named.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
  }
}
