import Foundation
import System
import Testing

@testable import Harness

@Suite struct HTMLReportTests {
  @Test func thePageSaysTheVerdictFirstAndNeedsNoNetwork() async throws {
    let pictures = Self.realPictures ?? [SampleReport.pixel]
    let report = try await SampleReport.make(pictures: pictures)
    let html = HTMLReport(report).html
    #expect(ReportFile.validate(try ReportFile.encode(report)) == [])
    #expect(html.utf8.count < 2_000_000)
    #expect(html.contains("<h1 class=\"alert\">FAIL</h1>"))
    #expect(html.contains("7 of 9 pass · 1 fail · 1 regressed · 1 unsupported"))
    for text in ["http://", "https://", "<script ", "src=\"/", "@import", "url(http"] {
      #expect(!html.contains(text))
    }
    // The page's own script is the only one.
    #expect(html.components(separatedBy: "<script").count == 2)
    for scenario in report.scenarios {
      #expect(html.contains("<article id=\"\(scenario.id)\""))
      #expect(html.contains(HTMLText.escape(scenario.reproduce)))
    }
    try Self.keep(report, html)
  }

  @Test func whatADeviceCallsItselfCannotReachTheBrowser() async throws {
    let attack =
      "\"'><script>alert(1)</script><img src=x onerror=alert(2)>{{title}}{{{style}}}\u{0}\u{202E}\"\u{301}x"
    let html = HTMLReport(try await SampleReport.make(hostile: attack)).html
    #expect(html.components(separatedBy: "<script").count == 2)
    #expect(html.contains("<script>\(PageScript.source)</script>"))
    #expect(!html.contains("<img src=x"))
    #expect(!html.unicodeScalars.contains("\u{202E}"))
    #expect(!html.unicodeScalars.contains("\u{0}"))
    // A combining mark after a quotation mark must not prevent the escaping.
    #expect(html.contains("&quot;\u{301}x"))
    #expect(html.contains("{{title}}"))
    #expect(html.components(separatedBy: "<title>FAIL").count == 2)
  }

  @Test func picturesThatDoNotFitAreLeftOutAndNamed() async throws {
    let large = Data(count: 1_400_000)
    let html = HTMLReport(try await SampleReport.make(pictures: [large, large, large, large])).html
    #expect(html.utf8.count < 2_000_000)
    #expect(html.components(separatedBy: "Left out to keep this page under 2 MB").count == 5)
  }

  /// A browser runs the script only if the page's policy allows its digest.
  @Test func theScriptIsTheOneThatThePageAllows() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + ".js"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(PageScript.source.utf8).write(to: URL(fileURLWithPath: path))
    let said = try ChildProcess.run("sha256sum", [path], keeping: 64)
    let hex = String(decoding: said.output, as: UTF8.self)
    let bytes = stride(from: 0, to: 64, by: 2).compactMap { UInt8(hex.dropFirst($0).prefix(2), radix: 16) }
    #expect(Data(bytes).base64EncodedString() == PageScript.digest, "put this digest into PageScript")
    #expect(!PageScript.source.contains("</script"))
    #expect(HTMLReport(Report.empty).html.contains("script-src 'sha256-\(PageScript.digest)'"))
  }

  @Test func checksThatSawTheSameAreOneFinding() {
    let details = ["", "180° off", "no photo", "180° off", "", "180° off"]
    let rows = details.enumerated().map { index, detail in
      JudgedRow(
        Check(id: "r.\(index)", title: "output \(index)", passed: false, subjects: 5, detail: detail),
        anchor: "\(index)")
    }
    let grouped = JudgedRow.grouped(rows)
    #expect(grouped.map(\.anchor) == ["0", "1", "2", "4"])
    #expect(grouped[1].model["alike"] as? String == "output 3; output 5")
    #expect(grouped[0].model["alike"] == nil && grouped[2].model["alike"] == nil)
  }

  @Test func anEmptyRunStillMakesAPage() async throws {
    let report = try await Runner.make().run([], context: ScenarioContext(source: .make()))
    #expect(HTMLReport(report).html.contains("INCONCLUSIVE"))
  }

  /// The folder for looking at the page: `SAMPLE_REPORT=DIR swift test --filter HTMLReport` writes it to DIR, with that folder's
  /// JPEG files in it.
  private static var directory: String? { ProcessInfo.processInfo.environment["SAMPLE_REPORT"] }

  private static var realPictures: [Data]? {
    guard let directory, let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else {
      return nil
    }
    let found = names.filter { $0.hasSuffix(".jpg") }.sorted().compactMap {
      FileManager.default.contents(atPath: "\(directory)/\($0)")
    }
    return found.isEmpty ? nil : found
  }

  private static func keep(_ report: Report, _ html: String) throws {
    guard let directory else { return }
    try ReportFile(directory: directory).write(report)
    try OutputFile(path: "\(directory)/report.html").write(html)
  }
}

@Suite struct DrawingTests {
  @Test(arguments: [(0.5, 0.1), (9, 2), (100, 20), (33_000, 5000)])
  func ticksAreRound(_ end: Double, _ step: Double) { #expect(TimelineDrawing.niceStep(end) == step) }

  @Test func labelsOfMarksKeepOffThoseOfSpans() {
    func svg(shownAt time: Double) -> String {
      let spans: [Timeline.Span] = [.init("device", from: 0, to: 36), .init("draw", from: 36, to: 40)]
      return TimelineDrawing(
        timeline: Timeline(lanes: [.init("start", spans: spans, marks: [.init("shown", at: time)])])
      ).svg
    }
    #expect(svg(shownAt: 20).contains(">shown</text>"))
    #expect(!svg(shownAt: 39.5).contains(">shown</text>"))
  }

  @Test func aTimelineOfRubbishDraws() {
    let timeline = Timeline(lanes: [
      .init(
        "<b>", spans: [.init("x", from: -.infinity, to: .nan), .init("y", from: 5, to: 2)],
        marks: [.init("m", at: 10)])
    ])
    let svg = TimelineDrawing(timeline: timeline).svg
    #expect(svg.contains("&lt;b&gt;"))
    #expect(!svg.contains("nan") && !svg.contains("inf"))
    #expect(TimelineDrawing(timeline: Timeline(lanes: [])).svg.isEmpty)
  }

  @Test(arguments: [(0.0...52, [0.0, 20, 40]), (33.1...45, [35, 40, 45]), (-3...3, [-2, 0, 2])])
  func ticksOfAChartAreRoundAndWithinItsRange(_ range: ClosedRange<Double>, _ ticks: [Double]) {
    #expect(ChartFrame.ticks(range, atMost: 5) == ticks)
  }

  /// The side of a limit on which a sample breaks it is hatched.
  @Test func theSideBeyondALimitIsHatched() throws {
    let frame = try #require(ChartFrame(0...100, .milliseconds))
    #expect(frame.limit((.below, 75, "limit")).contains("class=\"beyond\" x=\"75%\" width=\"25%\""))
    #expect(frame.limit((.atLeast, 75, "limit")).contains("class=\"beyond\" x=\"0%\" width=\"75%\""))
    #expect(frame.limit((.below, 175, "limit")).contains("limit →"))
    #expect(ChartFrame(5...5, .milliseconds) == nil)
  }

  @Test func whatBreaksTheLimitIsACross() throws {
    let metric = Measurement.make((1...20).map(Double.init))
    let row = MetricJudge(profile: .make([.make(.max, .atMost, 17)]), metrics: [metric]).report(metric)
    let svg = StripDrawing(metric: try #require(DrawnMetric(row))).svg
    #expect(svg.contains("× 3 beyond the limit"))
    #expect(HistogramDrawing(metric: try #require(DrawnMetric(row))).svg.contains("limit: at most 17 ms"))
  }
}
