import Foundation
import Testing

@testable import Harness

/// The page's words and order, for a reader who did not make the report.
@Suite struct PageTests {
  /// Returns the report of one scenario with these metrics, judged by these limits.
  private func report(
    _ metrics: [Measurement], _ limits: [Limit] = [], checks: [Check] = [], evidence: [Evidence] = []
  ) async throws -> Report {
    try await Report.make(
      Observation(metrics: metrics, checks: checks, evidence: evidence), profile: .make(limits))
  }

  @Test func whatNothingIsAskedOfDoesNotLookFailed() {
    #expect(Tally([.recorded]).words == "1 recorded, no limit applies to it")
    #expect(
      Tally([.recorded, .recorded, .unsupported]).words
        == "1 unsupported · 2 recorded, no limit applies to them")
    #expect(Tally([.unsupported]).words == "1 unsupported")
    #expect(Tally([.unchanged, .unchanged]).words == "2 unchanged")
    #expect(Tally([.regressed, .unchanged, .recorded]).words == "1 regressed · 1 unchanged · 1 recorded")
    #expect(Tally([.regressed, .pass]).words == "1 of 2 pass · 1 regressed")
    #expect(Tally([.pass, .recorded, .fail]).words == "1 of 2 pass · 1 fail · 1 recorded")
    #expect(Tally([.pass, .pass]).words == "2 of 2 pass")
    #expect(Tally([]).words == "")
  }

  @Test func aSuiteOfRecordedFiguresIsNotZeroOfOne() async throws {
    let html = HTMLReport(try await report([.make([1, 2, 3])])).html
    #expect(html.contains("1 recorded, no limit applies to it"))
    #expect(!html.contains("0 of 1 pass"))
    #expect(html.contains("nothing: for information"))
  }

  @Test(arguments: [
    (Statistic.p90, Relation.atMost, "Nine of ten samples are at most 0.500"),
    (.p99, .below, "99 of 100 samples are below 0.500"), (.max, .atMost, "Every sample is at most 0.500"),
    (.min, .atLeast, "Every sample is at least 0.500"), (.each, .equal, "Every sample is exactly 0.500"),
    (.p50, .atMost, "The median is at most 0.500"), (.min, .atMost, "The least sample is at most 0.500"),
    (.p90, .atLeast, "What nine of ten samples do not exceed is at least 0.500"),
    (.count, .atLeast, "The number of samples is at least 0.500"), (.mean, .above, "The mean is above 0.500"),
  ])
  func aLimitIsToldInPlainWords(_ statistic: Statistic, _ op: Relation, _ words: String) async throws {
    let report = try await report(
      [.make((0..<120).map { 0.1 + Double($0) / 1000 }, unit: .ratio)],
      [.make(statistic, op, 0.5, unit: .ratio)])
    #expect(LimitWords(report.scenarios[0].metrics[0])?.asked == words)
  }

  /// The figure beside its limit, and the distance between both, in a few words.
  @Test(arguments: [
    (Statistic.p99, Relation.below, 0.5, "99 of 100 within 0.218, below 0.500", "0.282 to spare"),
    (.p99, .below, 0.2, "99 of 100 within 0.218, not below 0.200", "0.018 too much"),
    (.max, .atMost, 0.5, "worst 0.219, at most 0.500", "0.281 to spare"),
    (.min, .atLeast, 0.2, "worst 0.100, not at least 0.200", "0.100 too little"),
    (.p50, .atMost, 0.5, "median 0.159, at most 0.500", "0.341 to spare"),
  ])
  func aFigureIsToldBesideItsLimit(
    _ statistic: Statistic, _ op: Relation, _ value: Double, _ brief: String, _ room: String
  ) async throws {
    let report = try await report(
      [.make((0..<120).map { 0.1 + Double($0) / 1000 }, unit: .ratio)],
      [.make(statistic, op, value, unit: .ratio)])
    let words = LimitWords(report.scenarios[0].metrics[0])
    #expect(words?.brief == brief)
    #expect(words?.room == room)
    #expect(!HTMLReport(report).html.contains("p99 0.218"))
  }

  @Test func countsThatAreNotAllowedAreToldInWords() async throws {
    let report = try await report([.make([12], unit: .count)], [.make(.max, .atMost, 0, unit: .count)])
    #expect(LimitWords(report.scenarios[0].metrics[0])?.brief == "12, none allowed")
    #expect(LimitWords(report.scenarios[0].metrics[0])?.room == nil)
  }

  /// By the nearest rank, a high percentile of few samples is the greatest sample. The page says so.
  @Test(arguments: [
    (Statistic.p99, Relation.below, 30, "Every sample is below 0.500"),
    (.p99, .below, 100, "99 of 100 samples are below 0.500"),
    (.p90, .atMost, 9, "Every sample is at most 0.500"),
    (.p90, .atMost, 10, "Nine of ten samples are at most 0.500"),
    (.p99, .atLeast, 30, "The greatest sample is at least 0.500"),
  ])
  func aPercentileOfFewSamplesIsTheGreatest(
    _ statistic: Statistic, _ op: Relation, _ count: Int, _ words: String
  ) async throws {
    let report = try await report(
      [.make([Double](repeating: 0.4, count: count), unit: .ratio)], [.make(statistic, op, 0.5, unit: .ratio)]
    )
    #expect(LimitWords(report.scenarios[0].metrics[0])?.asked == words)
  }

  @Test func nothingOfAComparisonIsZeroOf() {
    #expect(Tally([.inconclusive, .unchanged, .unchanged]).words == "1 inconclusive · 2 unchanged")
    #expect(Tally([.regressed, .incomparable]).words == "1 incomparable · 1 regressed")
    #expect(Tally([.fail, .inconclusive]).words == "0 of 2 pass · 1 fail · 1 inconclusive")
  }

  /// In text, Markdown backticks become quotation marks.
  @Test func backticksBecomeQuotationMarks() {
    let escape = SafeHTMLContentType().escapeText
    #expect(escape("see `latency.engine`, <b>") == "see “latency.engine”, &lt;b&gt;")
    #expect(escape("one ` alone") == "one ` alone")
  }

  @Test func atMostNothingIsNone() async throws {
    let limit = Limit.make(.max, .atMost, 0, unit: .count)
    let one = try await report([.make([0], unit: .count)], [limit])
    #expect(LimitWords(one.scenarios[0].metrics[0])?.asked == "None")
    #expect(LimitWords(one.scenarios[0].metrics[0])?.brief == "none")
    let many = try await report([.make([0, 0], unit: .count)], [limit])
    #expect(LimitWords(many.scenarios[0].metrics[0])?.asked == "None in any sample")
  }

  /// The meaning of a limit is text on the page, not only a tooltip.
  @Test func whatALimitMeansIsText() async throws {
    var limit = Limit.make(.p90, .atMost, 0.5, unit: .ratio)
    limit.source = "ours: nine of ten frames nearer to their own interval than to the next"
    let html = HTMLReport(
      try await report([.make([Double](repeating: 1.1, count: 20), unit: .ratio)], [limit])
    ).html
    #expect(html.contains("<p>9 of 10 within 1.10, not at most 0.500: 0.600 too much."))
    #expect(html.contains("<small>nine of ten frames nearer to their own interval than to the next</small>"))
    // A source that only names a document does not help a reader, so it is no meaning.
    limit.source = "docs/requirements.md, from the first specification"
    let words = LimitWords(
      try await report([.make([1, 2], unit: .ratio)], [limit]).scenarios[0].metrics[0])
    #expect(words?.meaning == nil && words?.origin == limit.source)
  }

  @Test func whatFailedStandsFirst() async throws {
    let fine = Measurement.make([1, 2], id: "fine")
    let report = try await report(
      [fine, .make([5, 6], id: "slow")],
      [.make(.max, .atMost, 3, metric: "fine"), .make(.max, .atMost, 3, metric: "slow")],
      checks: [
        Check(id: "held", title: "Held", passed: true, subjects: 1, detail: "all"),
        Check(id: "broken", title: "Broken", passed: false, subjects: 1, detail: "none"),
      ])
    let rows = report.scenarios[0].judgedRows(["a", "b"], ["c", "d"])
    #expect(rows.map(\.anchor) == ["b", "d", "a", "c"])
    let html = HTMLReport(report).html
    let findings = try #require(html.range(of: "What needs attention"))
    let suites = try #require(html.range(of: "class=\"suite\""))
    #expect(findings.lowerBound < suites.lowerBound)
  }

  @Test func thePictureOfWhatFailedHasACross() async throws {
    let pictures = [
      Evidence.png("wrong", SampleReport.pixel).of("turn.preview", failed: true),
      Evidence.png("right", SampleReport.pixel).of("turn.preview", failed: false),
      Evidence.png("by its subject", SampleReport.pixel).of("photo.nv12"),
      Evidence.png("of another", SampleReport.pixel).of("photo.nv12-large"),
      Evidence.png("of the whole", SampleReport.pixel),
    ]
    let report = try await report(
      [.make([5], id: "photo.nv12.time")], [.make(.max, .atMost, 3, metric: "photo.nv12.time")],
      evidence: pictures)
    let scenario = report.scenarios[0]
    #expect(
      scenario.evidence.indices.map { scenario.showsFailure(at: $0) } == [true, false, true, false, false])
    let html = HTMLReport(report).html
    // The picture of a failure appears twice: at the top, and at the scenario's pictures.
    for title in ["wrong", "by its subject"] {
      #expect(html.components(separatedBy: "<figcaption>✗ \(title)</figcaption>").count == 3)
    }
    for title in ["right", "of another", "of the whole"] {
      #expect(html.components(separatedBy: "<figcaption>\(title)</figcaption>").count == 2)
    }
    #expect(ReportFile.validate(try ReportFile.encode(report)) == [])
    #expect(try ReportFile.decode(ReportFile.encode(report)) == report)
  }

  @Test func eachRowHasAnAddressOfItsOwn() async throws {
    var report = try await report(
      [.make([1], id: "latency.example.gap"), .make([1], id: "pan.jitter"), .make([1], id: "a b\"<é")],
      checks: [Check(id: "pan.jitter", title: "T", passed: true, subjects: 1, detail: "all")])
    func anchors(_ report: Report) -> [String] {
      let anchors = RowAnchors(report)
      return report.scenarios.indices.flatMap { anchors.metrics(of: $0) + anchors.checks(of: $0) }
    }
    #expect(
      anchors(report) == [
        "latency.example.gap", "latency.example.pan.jitter", "latency.example.a b\"<é",
        "latency.example.pan.jitter-2",
      ])
    #expect(RowAnchors.address("a b\"<é@x") == "#a%20b%22%3C%C3%A9@x")
    report.scenarios[0].id = "latency.example@usb-camera"
    #expect(anchors(report)[0] == "latency.example@usb-camera.gap")
    let html = HTMLReport(try await SampleReport.make()).html
    let ids = html.matches(of: /\sid="([^"]+)"/).map { String($0.output.1) }
    #expect(Set(ids).count == ids.count, "an id stands twice")
    for metric in try await SampleReport.make().scenarios.flatMap(\.metrics) {
      #expect(ids.contains { $0.hasSuffix(metric.id) })
    }
  }

  @Test func camerasStandSideBySide() async throws {
    let first = try await SampleReport.make()
    #expect(CameraTable(report: first).model == nil)
    var second = first
    second.source = SourceDescription(kind: "v4l2", name: "vivid<", driver: "vivid")
    second.scenarios = [first.scenarios[0]]
    second.scenarios[0].id = "device.only"
    second.conclude()
    let html = HTMLReport(try Report.merging([first, second], acrossSources: true)).html
    #expect(html.contains("Side by side"))
    #expect(html.contains("<th scope=\"col\">vivid&lt; (vivid) <small>1 of 1 pass</small></th>"))
    #expect(
      html.contains("<tr><th scope=\"row\">device.only</th><td><span class=\"none\">not measured</span></td>")
    )
  }

  @Test func aRuleOfTwoCamerasIsOneRow() async throws {
    var report = try await SampleReport.make()
    report.scenarios = Array(report.scenarios.prefix(1)) + Array(report.scenarios.prefix(1))
    for (index, slug) in ["left", "right"].enumerated() {
      report.scenarios[index].id += "@\(slug)"
      report.scenarios[index].source = slug
    }
    let model = try #require(CameraTable(report: report).model)
    #expect((model["rules"] as? [ReportPage.Model])?.map { $0["rule"] as? String } == ["cold-start.process"])
    #expect(
      HTMLReport(report).html.contains("href=\"#cold-start.process@right\" class=\"verdict \">✓ PASS</a>"))
  }

  @Test func theBaselineIsDrawnWithTheRun() async throws {
    let report = try await SampleReport.make()
    let metric = try #require(report.scenarios.flatMap(\.metrics).first { $0.id == "latency.glass-to-glass" })
    #expect(metric.baselineQuantiles?.count == 101)
    let drawn = try #require(DrawnMetric(metric))
    let svg = ECDFDrawing(metric: drawn, baseline: try #require(metric.baselineQuantiles)).svg
    #expect(
      svg.contains("class=\"base\"") && svg.contains("class=\"new\"") && svg.contains("limit: below 50 ms"))
    #expect(HTMLReport(report).html.contains("dashed, the baseline: "))
    #expect(Summary([3, 1, 2])?.quantiles == [1, 2, 3])
    #expect(Summary((0...1000).map(Double.init))?.quantiles == (0...100).map { Double($0 * 10) })
  }

  @Test func aThousandScenariosMakeAPage() async throws {
    var report = try await report([.make([5, 6])], [.make(.max, .atMost, 3)])
    let one = report.scenarios[0]
    report.scenarios = (0..<1000).map { number in
      var scenario = one
      scenario.id = "many.\(number)"
      return scenario
    }
    let html = HTMLReport(report).html
    #expect(html.components(separatedBy: "class=\"finding\"").count == 1001)
    #expect(
      html.components(separatedBy: "<ul class=\"asked leading\">").count == 1 + FindingModel.detailedLimit)
  }
}

/// The first screen of the page.
@Suite struct OpeningTests {
  private func model(_ report: Report) -> ReportPage.Model? {
    Opening(report: report, anchors: RowAnchors(report)).model
  }

  @Test func aSoundRunOpensWithPicturesADistributionAndTheLeastRoom() async throws {
    let report = try await SampleReport.sound()
    let opening = try #require(model(report))
    let strip = try #require(opening["strip"] as? ReportPage.Model)
    #expect((strip["pictures"] as? [ReportPage.Model])?.isEmpty == false)
    let distribution = try #require(opening["distribution"] as? ReportPage.Model)
    #expect((distribution["address"] as? String)?.hasSuffix("latency.glass-to-glass") == true)
    let room = try #require(opening["room"] as? ReportPage.Model)
    #expect((room["spare"] as? String)?.hasSuffix(" ms to spare") == true)
    let html = HTMLReport(report).html
    let place = try #require(html.range(of: "class=\"opening\""))
    let list = try #require(html.range(of: "<nav "))
    #expect(place.lowerBound < list.lowerBound)
  }

  /// The greatest share of a limit is closest to it, however small the figure.
  @Test func theTimeClosestToItsLimitIsChosen() async throws {
    let report = try await Report.make(
      Observation(metrics: [.make([90], id: "far"), .make([4], id: "close"), .make([400], id: "free")]),
      profile: .make([.make(.max, .atMost, 200, metric: "far"), .make(.max, .atMost, 5, metric: "close")]))
    let room = try #require(model(report)?["room"] as? ReportPage.Model)
    #expect((room["address"] as? String)?.hasSuffix("close") == true)
    #expect(room["spare"] as? String == "1 ms to spare")
    #expect(room["part"] as? String == "20 %")
  }

  @Test func aFailingRunOpensWithWhatFailed() async throws {
    let report = try await Report.make(
      Observation(metrics: [.make([9], id: "slow")]),
      profile: .make([.make(.max, .atMost, 5, metric: "slow")]))
    #expect(model(report) == nil)
    let html = HTMLReport(report).html
    // A single figure has no distribution, so it is drawn as a bar beside its limit.
    #expect(html.contains("aria-label=\"9 ms, not at most 5 ms: 4 ms too much\""))
  }

  /// What failed comes before what could not be decided, whatever came first in the run.
  @Test func whatFailedComesBeforeWhatCouldNotBeDecided() async throws {
    var report = try await Report.make(
      Observation(metrics: [.make([9], id: "slow")]),
      profile: .make([.make(.max, .atMost, 5, metric: "slow")]))
    var open = report.scenarios[0]
    open.id = "open"
    open.verdict = .inconclusive
    report.scenarios.insert(open, at: 0)
    let html = HTMLReport(report).html
    let failed = try #require(html.range(of: "✗ FAIL</span>"))
    let undecided = try #require(html.range(of: "? INCONCLUSIVE</span>"))
    #expect(failed.lowerBound < undecided.lowerBound)
  }

  @Test func anEmptyRunOpensWithNothing() { #expect(model(.empty) == nil) }
}

@Suite struct HandoverTests {
  @Test func whoMadeTheRunForWhomIsInTheReport() async throws {
    var report = try await SampleReport.sound()
    report.handover = try Handover(
      operator: "A. <Operator>", customer: "Müller & Söhne", note: "Third delivery.")
    let json = try ReportFile.encode(report)
    #expect(ReportFile.validate(json) == [])
    #expect(try ReportFile.decode(json) == report)
    let html = HTMLReport(report).html
    for text in ["A. &lt;Operator&gt;", "Müller &amp; Söhne", "Third delivery.", "<span>Signature</span>"] {
      #expect(html.contains(text))
    }
    report.handover = nil
    #expect(!HTMLReport(report).html.contains("<span>Signature</span>"))
  }

  @Test(arguments: [
    (String(repeating: "x", count: 121), "the customer has 121 characters; at most 120 fit"),
    ("a\u{1b}[31m", "the customer has control characters in it"),
    ("a\nb", "the customer has control characters in it"),
    ("a\u{202E}b", "the customer has control characters in it"), ("", "the customer is empty"),
    ("  ", "the customer is empty"),
  ])
  func whatDoesNotFitIsRefused(_ text: String, _ reason: String) {
    let flaw = #expect(throws: Handover.Flaw.self) { try Handover(customer: text) }
    #expect(flaw?.description == reason)
  }

  @Test func theSchemaBoundsIt() async throws {
    var report = try await SampleReport.sound()
    var handover = try Handover(note: "x")
    handover.note = String(repeating: "x", count: 1001)
    report.handover = handover
    let flaws = ReportFile.validate(try ReportFile.encode(report))
    #expect(flaws == ["`handover.note` is longer than 1000 characters"])
  }

  @Test func ofSeveralRunsEachIsSaidOnce() throws {
    let merged = Handover(merging: [
      try Handover(operator: "A", customer: "C"), try Handover(operator: "B", customer: "C"),
    ])
    #expect(merged == (try Handover(operator: "A; B", customer: "C")))
    #expect(Handover(merging: []) == nil)
    // The limit is one of scalars: a letter with a combining accent has two.
    let long = Handover(
      merging: try ["a", "b"].map { try Handover(operator: String(repeating: "\($0)\u{301}", count: 60)) })
    #expect(long?.operator?.unicodeScalars.count == Handover.nameLimit)
  }
}
