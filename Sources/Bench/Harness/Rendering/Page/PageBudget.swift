/// The pictures and charts that fit into a page of less than 2 MB: first those that show a failure, then those of all scenarios in turn.
struct PageBudget: Sendable {
  /// Maximum size of all pictures together, as encoded in the page, in bytes.
  static let pictureLimit = 1_200_000
  /// Maximum number of charts; each takes some kilobytes.
  private static let chartLimit = 80
  /// The size of all pictures that fit, as encoded in the page, in bytes.
  private(set) var pictureSize = 0
  private var pictures: Set<Place> = []
  private var charts: Set<Place> = []

  private struct Place: Hashable, Sendable {
    let scenario: Int
    let item: Int
  }

  /// - Parameter limit: maximum size of all pictures together, in bytes.
  init(_ report: Report, pictures limit: Int = pictureLimit) {
    var left = limit
    for place in Self.order(report, \.evidence.indices, first: { $0.showsFailure(at: $1) }) {
      let item = report.scenarios[place.scenario].evidence[place.item]
      guard item.kind == .image, item.data.utf8.count <= left else { continue }
      left -= item.data.utf8.count
      pictureSize += item.data.utf8.count
      pictures.insert(place)
    }
    let drawn = Self.order(report, \.metrics.indices) { $0.metrics[$1].isRemarkable }
      .filter { report.scenarios[$0.scenario].metrics[$0.item].isDrawn }
    charts = Set(drawn.prefix(Self.chartLimit))
  }

  /// Returns the items of all scenarios: those for which `first` is true, then the first of each scenario, the second of each, and so on.
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
  /// Whether the samples of the metric are worth a drawing.
  fileprivate var isDrawn: Bool { DrawnMetric(self) != nil }

  /// Whether a reader must look at the metric.
  var isRemarkable: Bool { verdict.needsAttention || baseline?.verdict.needsAttention == true }
}

extension ScenarioReport {
  /// Returns whether the picture shows a failure: the evidence says so, or it belongs to a metric or check that failed.
  func showsFailure(at index: Int) -> Bool {
    let item = evidence[index]
    guard item.kind == .image else { return false }
    if let failure = item.failure { return failure }
    guard let subject = item.subject else { return false }
    let failed = metrics.filter { $0.verdict == .fail }.map(\.id) + checks.filter { !$0.passed }.map(\.id)
    return failed.contains { $0 == subject || $0.hasPrefix(subject + ".") }
  }
}
