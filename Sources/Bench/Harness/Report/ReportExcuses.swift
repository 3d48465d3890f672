extension Report {
  /// The excused scenarios with their numbers of excuses, most first, as one clause: `peers.first-frame 3 times, latency.loop once`. Nil if there
  /// are none. A scenario that is excused often is measured in a way that a busy machine disturbs.
  public var excuses: String? {
    let excused = scenarios.compactMap { scenario in scenario.excused.map { (id: scenario.id, count: $0) } }
    guard !excused.isEmpty else { return nil }
    let sums = Dictionary(excused.map { ($0.id, $0.count) }, uniquingKeysWith: +)
    return sums.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { id, count in
      "\(id) \(count == 1 ? "once" : "\(count) times")"
    }.joined(separator: ", ")
  }
}
