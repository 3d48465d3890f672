/// How many of some scenarios pass, in words. What nothing was asked of, and what the source lacks, is not among those that could pass.
struct Tally {
  private let counts: [Verdict: Int]

  init(_ verdicts: [Verdict]) {
    counts = Dictionary(verdicts.map { ($0, 1) }, uniquingKeysWith: +)
  }

  /// `7 of 9 pass · 1 fail · 1 regressed · 1 unsupported`; `2 unchanged`; `2 recorded, no limit asks anything of them`.
  var words: String {
    let rest = counts.filter { $0.key != .pass && !Self.isOpen($0.key) }
    let open = counts.filter { Self.isOpen($0.key) }
    let passed = counts[.pass, default: 0]
    let judged = passed + rest.values.reduce(0, +)
    // A comparison by turns judges no limit, so that nothing in it could pass; nor did what was never decided.
    guard passed > 0 || rest.keys.contains(.fail) else {
      let words = [Self.list(rest), Self.list(open)].filter { !$0.isEmpty }.joined(separator: " · ")
      return open[.recorded] == nil || !rest.isEmpty
        ? words : "\(words), no limit asks anything of \(total == 1 ? "it" : "them")"
    }
    let parts = ["\(passed) of \(judged) pass", Self.list(rest), Self.list(open)]
    return parts.filter { !$0.isEmpty }.joined(separator: " · ")
  }

  private var total: Int { counts.values.reduce(0, +) }

  /// Verdicts of what was not judged.
  private static func isOpen(_ verdict: Verdict) -> Bool { verdict == .recorded || verdict == .unsupported }

  private static func list(_ counts: [Verdict: Int]) -> String {
    counts.map { "\($0.value) \($0.key.rawValue)" }.sorted().joined(separator: " · ")
  }
}
