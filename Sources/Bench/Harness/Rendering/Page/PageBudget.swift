/// What fits into a page of less than 2 MB: first what shows a failure, then of every scenario in turn.
struct PageBudget: Sendable {
  /// Bytes of pictures, as they stand in the page.
  static let pictureLimit = 1_200_000
  /// Charts, each of some kilobytes.
  private static let chartLimit = 80
  private var pictures: Set<Place> = []
  private var charts: Set<Place> = []

  private struct Place: Hashable, Sendable {
    let scenario: Int
    let item: Int
  }

  /// - Parameter limit: bytes of pictures.
  init(_ report: Report, pictures limit: Int = pictureLimit) {
    var left = limit
    for place in Self.order(report, \.evidence.indices, first: { $0.showsFailure(at: $1) }) {
      let item = report.scenarios[place.scenario].evidence[place.item]
      guard item.kind == .image, item.data.utf8.count <= left else { continue }
      left -= item.data.utf8.count
      pictures.insert(place)
    }
    let drawn = Self.order(report, \.metrics.indices) { $0.metrics[$1].isRemarkable }
      .filter { report.scenarios[$0.scenario].metrics[$0.item].isDrawn }
    charts = Set(drawn.prefix(Self.chartLimit))
  }

  /// Items of all scenarios: those that come first, then the first of each scenario, the second of each, and so on.
  private static func order(
    _ report: Report, _ items: (ScenarioReport) -> Range<Int>, first: (ScenarioReport, Int) -> Bool
  ) -> [Place] {
    let all = report.scenarios.indices.flatMap { scenario in
      items(report.scenarios[scenario]).map { Place(scenario: scenario, item: $0) }
    }
    func isFirst(_ place: Place) -> Bool { first(report.scenarios[place.scenario], place.item) }
    let others = all.filter { !isFirst($0) }
      .sorted { ($0.item, $0.scenario) < ($1.item, $1.scenario) }
    return all.filter(isFirst) + others
  }

  func keeps(picture index: Int, of scenario: Int) -> Bool {
    pictures.contains(Place(scenario: scenario, item: index))
  }

  func draws(metric index: Int, of scenario: Int) -> Bool {
    charts.contains(Place(scenario: scenario, item: index))
  }
}

extension MetricReport {
  /// There is something to see in its samples.
  fileprivate var isDrawn: Bool { DrawnMetric(self) != nil }

  /// A reader must look at it.
  var isRemarkable: Bool { verdict.needsAttention || baseline?.verdict.needsAttention == true }
}

extension ScenarioReport {
  /// The picture shows what failed: the scenario says so, or a metric or check failed that it is a picture of.
  func showsFailure(at index: Int) -> Bool {
    let item = evidence[index]
    guard item.kind == .image else { return false }
    if let failure = item.failure { return failure }
    guard let subject = item.subject else { return false }
    let failed = metrics.filter { $0.verdict == .fail }.map(\.id) + checks.filter { !$0.passed }.map(\.id)
    return failed.contains { $0 == subject || $0.hasPrefix(subject + ".") }
  }
}
