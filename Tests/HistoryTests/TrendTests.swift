import Foundation
import Harness
import System
import Testing

@testable import History

@Suite struct TrendTests {
  private let folder: TemporaryFolder
  private let history: History

  init() throws {
    folder = try TemporaryFolder()
    history = try History(path: folder.history, making: true)
  }

  private func noisy(_ count: Int, _ level: Double, seed: UInt64 = 5) -> [Double] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in level * exp(0.02 * random.normal()) }
  }

  /// The command that searches for the commit is given only for counted figures that changed between two
  /// different, clean commits.
  @Test func theRangeIsTheCommandThatSearchesIt() throws {
    try history.add(noisy(30, 10) + noisy(8, 12.5, seed: 6))
    var series = try #require(try history.trend().series("latency.time"))
    var change = try #require(series.changes.first)
    change.before = "a1b2c3d4e5f6"
    change.commit = "0123456789ab"
    #expect(change.bisection(series) == nil)
    series.kind = .counted
    #expect(change.bisection(series) == "swiftwing bisect a1b2c3d4e5f6 0123456789ab --metric latency.time")
    for name in ["0123456789ab-dirty", "--help", "a1b2c3d4e5f6", "unknown"] {
      change.commit = name
      #expect(change.bisection(series) == nil)
    }
  }

  @Test func changeIsNamedByItsCommit() throws {
    try history.add(noisy(30, 10) + noisy(8, 12.5, seed: 6))
    let trend = try history.trend()
    let series = try #require(trend.series("latency.time"))
    let change = try #require(series.changes.first)
    #expect(series.changes.count == 1 && series.verdict == .regressed && trend.verdict == .regressed)
    #expect(trend.exitStatus == .failed)
    #expect(change.commit == "c30" && change.before == "c29" && change.candidates.first == "c30")
    #expect(abs((change.ratio ?? 0) - 1.25) < 0.03 && change.confidence > 0.99 && change.isRecent)
    let interval = try #require(change.interval)
    #expect(interval[0] > 1.05 && interval[0] < 1.25 && interval[1] > 1.25)
    #expect(trend.reason.hasPrefix("1 figure regressed. latency.time p50: +2"))
    #expect(trend.reason.contains(" at c30, 99 % interval +"))
  }

  @Test func changeForTheBetterFailsNothing() throws {
    try history.add(noisy(30, 10) + noisy(8, 8, seed: 6))
    let trend = try history.trend()
    #expect(trend.series("latency.time")?.verdict == .improved)
    #expect(trend.verdict == .unchanged && trend.exitStatus == .success)
  }

  /// The change is certain, but within the tolerance.
  @Test func changeWithinTheToleranceDecidesNothing() throws {
    let noise = (0..<30).map { 1 + 0.0005 * Double($0 % 5) }
    try history.add(noise.map { 10 * $0 } + noise.prefix(12).map { 10.2 * $0 })
    let series = try #require(try history.trend().series("latency.time"))
    #expect(series.changes.map(\.verdict) == [.unchanged] && series.verdict == .unchanged)
    #expect(series.reason.hasPrefix("within the tolerance: +2.0 % at c30"))
  }

  @Test func regressionThatHasBeenLivedWithFailsNothing() throws {
    try history.add(noisy(30, 10) + noisy(TrendReading.recent, 12.5, seed: 6))
    #expect(try history.trend().verdict == .regressed)
    try history.add(noisy(1, 12.5, seed: 8), from: 60, commit: "d")
    let trend = try history.trend()
    #expect(trend.verdict == .unchanged)
    #expect(trend.series("latency.time")?.changes.first?.commit == "c30")
  }

  @Test func runsOfDifferentMachinesAreNeverMixed() throws {
    try history.add(noisy(20, 10), cpu: "One")
    try history.add(noisy(20, 20, seed: 9), from: 20, cpu: "Other")
    let trend = try history.trend()
    #expect(trend.settings.map(\.fingerprint) == ["x86_64 · Other · release", "x86_64 · One · release"])
    #expect(trend.settings.allSatisfy { $0.runs.count == 20 && $0.series.allSatisfy(\.changes.isEmpty) })
    #expect(trend.verdict == .unchanged)
  }

  /// Each machine that still adds runs is judged. A machine that no longer adds any does not affect the verdict.
  @Test func machineThatIsGoneDecidesNothing() throws {
    try history.add(noisy(20, 10) + noisy(8, 15, seed: 6), cpu: "Gone")
    try history.add(noisy(12, 10), from: 20, cpu: "Here")
    #expect(try history.trend().verdict == .regressed)
    try history.add(
      noisy(1, 10), from: 27.0 + Double(TrendReading.retirement) + 1, cpu: "Here", commit: "late")
    let trend = try history.trend()
    #expect(trend.verdict == .unchanged && trend.settings[1].isRetired)
    #expect(trend.settings[1].series.contains { $0.verdict == .regressed })
  }

  @Test func exactMetricChangesWithOneSample() throws {
    for (run, bytes) in [[100, 101.0], [100, 101], [100, 102], [100, 102], [100, 90]].enumerated() {
      let report = RunFixture(commit: "c\(run)", day: Double(run), bytes: bytes).report
      _ = try history.add(report, named: "\(run)", now: RunFixture.now)
    }
    let series = try #require(try history.trend().series("photo.bytes"))
    #expect(series.changes.map(\.commit) == ["c2", "c4"])
    #expect(series.changes.map(\.verdict) == [.regressed, .improved] && series.verdict == .improved)
  }

  @Test func changeBetweenRunsOfOneCommitIsTheMachines() throws {
    for (run, figure) in (noisy(20, 10) + noisy(10, 15, seed: 4)).enumerated() {
      let report = RunFixture(commit: "same", day: Double(run), latency: [figure]).report
      _ = try history.add(report, named: "\(run)", now: RunFixture.now)
    }
    let trend = try history.trend()
    let series = try #require(trend.series("latency.time"))
    #expect(series.verdict == .inconclusive && series.changes.first?.candidates == [])
    #expect(series.reason == "it changed between two runs of same: the machine did, not the build")
    #expect(trend.exitStatus == .inconclusive)
  }

  // MARK: Histories that do not pass

  @Test func emptyHistoryDoesNotPass() throws {
    let trend = try history.trend()
    #expect(trend.exitStatus == .inconclusive && trend.reason == "The history has no run.")
  }

  @Test func fewRunsDoNotPass() throws {
    try history.add(noisy(9, 10))
    let trend = try history.trend()
    #expect(trend.exitStatus == .inconclusive)
    #expect(trend.series("latency.time")?.reason == "1 more run is needed to see a change")
    try history.add(noisy(1, 10), from: 20, commit: "d")
    #expect(try history.trend().exitStatus == .success)
  }

  @Test func metricThatVanishedDoesNotPass() throws {
    try history.add(noisy(12, 10))
    let report = RunFixture(commit: "new", day: 20, bytes: nil).report
    _ = try history.add(report, named: "new", now: RunFixture.now)
    let trend = try history.trend()
    #expect(trend.exitStatus == .inconclusive)
    #expect(trend.series("photo.bytes")?.reason == "the newest run does not have it")
  }

  @Test func metricWithoutSamplesDoesNotPass() throws {
    try history.add(noisy(12, 10))
    let report = RunFixture(commit: "new", day: 20, latency: []).report
    _ = try history.add(report, named: "new", now: RunFixture.now)
    let trend = try history.trend()
    #expect(trend.exitStatus == .inconclusive)
    #expect(trend.series("latency.time")?.reason == "the newest run has no sample of the metric")
  }

  @Test func metricThatNobodyHasIsSaid() throws {
    try history.add(noisy(3, 10))
    let error = #expect(throws: HistoryError.self) { try history.trend(TrendReading(metrics: ["nothing.*"])) }
    #expect(error?.description.hasPrefix("Could not follow the metric nothing.*: no run of ") == true)
    #expect(
      try history.trend(TrendReading(metrics: ["latency.*"])).settings[0].series.map(\.metric) == [
        "latency.time"
      ])
  }

  // MARK: Renderings

  @Test func tableIsEightyColumnsWide() throws {
    try history.add(noisy(30, 10) + noisy(8, 12.5, seed: 6))
    let text = TrendTable(try history.trend()).text
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(text)")
    #expect(text.hasPrefix("REGRESSED: 1 figure regressed."))
    #expect(
      lines.contains { $0.hasPrefix("latency.time ") && $0.hasSuffix(" regressed") && $0.contains("▁") })
    #expect(text.contains("\n  ▲ 2026-12-01 regressed +2"))
  }

  @Test func manyExactFiguresAreCounted() throws {
    for run in 0..<12 {
      var report = RunFixture(commit: "c\(run)", day: Double(run)).report
      let exact = report.scenarios[0].metrics[1]
      for number in 0..<13 {
        var more = exact
        more.id = "photo.bytes-\(number)"
        report.scenarios[0].metrics.append(more)
      }
      _ = try history.add(report, named: "\(run)", now: RunFixture.now)
    }
    let trend = try history.trend()
    #expect(TrendTable(trend).text.hasSuffix("\n14 exact figures that never changed\n"))
    #expect(
      TrendPage(trend).html.contains("photo.bytes-12")
        && TrendPage(trend).html.components(separatedBy: " in every run<").count == 2)
  }

  @Test func aFigureThatIsTheSameInEveryRunIsWritten() throws {
    for run in 0..<6 {
      let fixture = RunFixture(commit: "c\(run)", day: Double(run), latency: [0], bytes: nil)
      _ = try history.add(fixture.report, named: "\(run)", now: RunFixture.now)
    }
    let html = TrendPage(try history.trend()).html
    #expect(html.contains(">0 ms in every run</p>") && !html.contains("<svg"))
  }

  @Test func aLimitAboveTheChartIsNamedAtItsEdge() throws {
    try history.add(noisy(30, 10))
    let html = TrendPage(try history.trend()).html
    #expect(html.contains(">limit 50 ms ↑</text>") && !html.contains("−"))
  }

  @Test func pageIsWholeAndEscapes() throws {
    let attack = "<script>alert(1)</script>\"'\u{202E}"
    try history.add(noisy(30, 10) + noisy(8, 12.5, seed: 6), cpu: attack, commit: "c<\"")
    let html = TrendPage(try history.trend()).html
    #expect(html.hasPrefix("<!doctype html>") && html.hasSuffix("</html>\n"))
    #expect(
      !html.contains("<script") && !html.contains("\u{202E}") && !html.contains("c<\"")
        && !html.contains("NaN"))
    #expect(html.components(separatedBy: "role=\"img\"").count == 2)
    #expect(html.contains(" in every run<"))
    #expect(html.contains("class=\"change alert\"") && html.contains("c&lt;&quot;30"))
    #expect(!html.contains("http:") && !html.contains("https:"))
    let document = try JSONDecoder().decode(Trend.self, from: TrendTable(try history.trend()).json)
    #expect(document == (try history.trend()))
  }

  /// Extreme figures, which the report's schema allows.
  @Test(arguments: [[1e308, -1e308, 0], [3e-308, 1e308, 1e-300], [0, 0, 0], [-1, -2, -3]])
  func noFigureBreaksARendering(_ figures: [Double]) throws {
    try history.add((0..<30).map { figures[$0 % figures.count] })
    let trend = try history.trend()
    #expect(!TrendTable(trend).json.isEmpty && !TrendTable(trend).text.isEmpty)
    #expect(TrendPage(trend).html.hasSuffix("</html>\n") && !TrendPage(trend).html.contains("nan"))
  }

  @Test(arguments: [([], "    "), ([1], "   ▁"), ([1, 2, 3, 4, 5], "▁▃▆█"), ([-1e308, 1e308], "  ▁█")])
  func sparklineIsAsWideAsAsked(_ values: [Double], _ line: String) {
    #expect(Sparkline.text(values, width: 4) == line)
  }
}
