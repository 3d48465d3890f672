/// The number of scenarios that pass, in words. Scenarios without a limit and unsupported ones are not counted in the total.
struct Tally {
  private let counts: [Verdict: Int]

  init(_ verdicts: [Verdict]) {
    counts = Dictionary(verdicts.map { ($0, 1) }, uniquingKeysWith: +)
  }

  /// The tally, such as `7 of 9 pass · 1 fail · 1 regressed · 1 unsupported`; `2 unchanged`; `2 recorded, no limit applies to them`.
  var words: String {
    let rest = counts.filter { $0.key != .pass && !Self.isOpen($0.key) }
    let open = counts.filter { Self.isOpen($0.key) }
    let passed = counts[.pass, default: 0]
    let judged = passed + rest.values.reduce(0, +)
    // An interleaved comparison judges no limits, so nothing in it can pass; undecided scenarios cannot either.
    guard passed > 0 || rest.keys.contains(.fail) else {
      let words = [Self.list(rest), Self.list(open)].filter { !$0.isEmpty }.joined(separator: " · ")
      return open[.recorded] == nil || !rest.isEmpty
        ? words : "\(words), no limit applies to \(total == 1 ? "it" : "them")"
    }
    let parts = ["\(passed) of \(judged) pass", Self.list(rest), Self.list(open)]
    return parts.filter { !$0.isEmpty }.joined(separator: " · ")
  }

  private var total: Int { counts.values.reduce(0, +) }

  /// Returns whether the verdict means that nothing was judged.
  private static func isOpen(_ verdict: Verdict) -> Bool { verdict == .recorded || verdict == .unsupported }

  private static func list(_ counts: [Verdict: Int]) -> String {
    counts.map { "\($0.value) \($0.key.rawValue)" }.sorted().joined(separator: " · ")
  }
}
