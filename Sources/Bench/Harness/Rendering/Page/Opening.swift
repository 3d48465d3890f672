/// The first screen of a run in which nothing needs attention: pictures, one distribution, and the time that is closest to its limit. The first
/// screen of any other run is its first finding.
struct Opening {
  typealias Model = ReportPage.Model

  let report: Report
  let anchors: RowAnchors

  /// Maximum number of pictures, and of the characters of all of them.
  private static let (pictureLimit, characterLimit) = (8, 260_000)

  /// The values for the page's template. Nil if there is nothing to see, or something needs attention.
  var model: Model? {
    guard !report.scenarios.contains(where: \.verdict.needsAttention) else { return nil }
    var model: Model = [:]
    model["strip"] = strip
    model["distribution"] = change ?? distribution
    model["room"] = room
    return model.isEmpty ? nil : model
  }

  /// A place of a metric in the report.
  private struct Place {
    let scenario: ScenarioReport
    let metric: MetricReport
    let anchor: String

    /// The metric's title, its scenario, and a link to its row.
    var model: Model {
      ["figureTitle": metric.title, "scenario": scenario.title, "address": RowAnchors.address(anchor)]
    }
  }

  private var places: some Sequence<Place> {
    report.scenarios.indices.lazy.flatMap { index in
      let scenario = report.scenarios[index]
      return zip(scenario.metrics, anchors.metrics(of: index)).map {
        Place(scenario: scenario, metric: $0, anchor: $1)
      }
    }
  }

  /// Pictures of one scenario in one row: those of the rotation if there are any.
  private var strip: Model? {
    let rotation = report.scenarios.filter { $0.suite.id == "rotation" }
    for scenario in rotation + report.scenarios {
      var titles: Set<String> = []
      var left = Self.characterLimit
      let pictures = scenario.evidence.filter { item in
        guard item.kind == .image, titles.count < Self.pictureLimit, item.data.utf8.count <= left,
          titles.insert(item.title).inserted
        else { return false }
        left -= item.data.utf8.count
        return true
      }
      guard !pictures.isEmpty else { continue }
      return [
        "scenario": scenario.title, "address": RowAnchors.address(scenario.id),
        "verdict": ReportPage.word(scenario.verdict), "mark": ReportPage.mark(scenario.verdict),
        "pictures": pictures.map { EvidenceModel.picture($0, failed: false) },
      ]
    }
    return nil
  }

  /// The distribution of a latency with a limit, from glass to glass if it was measured.
  private var distribution: Model? {
    let drawn = places.filter { DrawnMetric($0.metric) != nil }
    let timed = drawn.filter { $0.metric.unit == .milliseconds && $0.metric.limit?.value != nil }
    let place =
      timed.first { $0.metric.id == "latency.glass-to-glass" } ?? timed.first {
        $0.scenario.suite.id == "latency"
      } ?? timed.first ?? drawn.first
    guard let place, let chart = ChartModel(metric: place.metric).model else { return nil }
    return place.model.merging(["drawing": chart["distribution"] ?? ""]) { $1 }
  }

  /// The pairs of the metric that changed most, where builds took turns.
  private var change: Model? {
    let pairs = places.filter { $0.metric.baseline?.method == .pairs && $0.metric.baseline?.ratio != nil }
    let most = pairs.max {
      abs(($0.metric.baseline?.ratio ?? 1) - 1) < abs(($1.metric.baseline?.ratio ?? 1) - 1)
    }
    guard let most, let baseline = most.metric.baseline,
      let drawing = ComparisonDrawing(baseline, most.metric.unit, title: most.metric.title)
    else { return nil }
    return most.model.merging(["drawing": drawing.svg, "reason": baseline.reason]) { $1 }
  }

  private var room: Model? {
    guard let closest = MetricReport.closest(report.scenarios.flatMap(\.metrics)),
      let place = places.first(where: { $0.metric == closest }), let words = LimitWords(closest),
      let drawing = RoomDrawing(closest), let share = words.share
    else { return nil }
    return place.model.merging([
      "drawing": drawing.svg, "measured": words.measured, "bound": words.bound, "spare": words.room ?? "",
      "part": Figure.percent(1 - share),
    ]) { $1 }
  }
}

extension MetricReport {
  /// Returns the time that takes the greatest share of its limit.
  static func closest(_ metrics: [MetricReport]) -> MetricReport? {
    metrics.filter { $0.unit == .milliseconds }
      .compactMap { metric in LimitWords(metric)?.share.map { (metric, $0) } }
      .max { $0.1 < $1.1 }?.0
  }
}
