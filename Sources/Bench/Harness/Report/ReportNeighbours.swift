extension Report {
  /// The share of the processors that other programs used while the scenarios were measured, as one sentence. Nil if the system does not
  /// report the share. In the device lab, the other programs are those of the host.
  public var neighbours: String? {
    let known = scenarios.compactMap { scenario in scenario.others.map { (scenario: scenario, share: $0) } }
    let seconds = known.map { max($0.scenario.seconds, 0.001) }
    guard let most = known.max(by: { $0.scenario.mostOthers < $1.scenario.mostOthers }) else { return nil }
    let mean = zip(known, seconds).map { $0.share * $1 }.reduce(0, +) / seconds.reduce(0, +)
    return "other programs took \(Figure.percent(mean)) of the processors meanwhile, at most "
      + "\(Figure.percent(most.scenario.mostOthers)) for half a second, during \(most.scenario.id)"
  }
}

extension ScenarioReport {
  /// The share of other programs in the half second in which they used the most.
  fileprivate var mostOthers: Double { max(others ?? 0, othersPeak ?? 0) }
}
