import Harness

/// Comparisons with a stored baseline of one run or of five. The baseline was recorded on an idle machine, the new run under any
/// load.
struct StoredReplay: Sendable {
  let archive: GateArchive
  private static let sizes = [1, 5]
  /// The most comparisons of one kind.
  private static let most = 100

  func rows() throws -> [GateRow] {
    let base = archive.runs[0]?[GateArchive.same] ?? []
    return try Self.sizes.flatMap { size in
      try archive.runs.keys.sorted().flatMap { load in
        try ([nil] + archive.faults).compactMap { try row(base, size, load: load, fault: $0) }
      }
    }.filter { $0.count > 0 }
  }

  private func row(_ base: [Report], _ size: Int, load: Int, fault: String?) throws -> GateRow? {
    let new = archive.runs[load]?[fault ?? GateArchive.same] ?? []
    guard base.count > size, new.count > 1 else { return nil }
    var row = GateRow(method: size == 1 ? "one stored run" : "\(size) stored runs", load: load, fault: fault)
    let total = min(Self.most, base.count * new.count)
    for number in 0..<total {
      let (start, index) = (number % base.count, number / base.count % new.count)
      let taken = (0..<size).map { (start + $0) % base.count }
      // A run of the baseline must be neither the new run nor its repetition.
      let isOwn = fault == nil && load == 0
      let next = (index + 1) % new.count
      if isOwn, taken.contains(index) || taken.contains(next) { continue }
      let runs = taken.map { base[$0] }.filter { $0.flawAsBaseline == nil }
      guard runs.count == size else { continue }
      let comparison = Comparison(baseline: try Baseline(runs), new: new[index], again: new[next])
      let blamed = comparison.rows.filter { $0.decides && $0.baseline.verdict == comparison.verdict }
      let isQuiet = [.unchanged, .improved].contains(comparison.verdict)
      row.add(comparison.verdict, blaming: isQuiet ? [] : blamed.map(\.metric))
    }
    return row
  }
}
