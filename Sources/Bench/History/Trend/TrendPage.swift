import Harness

/// A trend as a page in the look of a report, without network and scripts.
package struct TrendPage: Sendable {
  package let trend: Trend

  /// Creates the page of a trend. Nothing is judged again.
  package init(_ trend: Trend) { self.trend = trend }

  /// The whole page. Text from a report is escaped.
  package var html: String {
    let word = trend.verdict.rawValue.uppercased()
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <meta name="color-scheme" content="light dark">
      <title>\(word) · trend</title>
      <style>\(ReportStyle.css)\(Self.style)</style>
      </head>
      <body>
      <header>
      <p class="run"><b>SwiftWing</b> <span>trend of \(trend.settings.reduce(0) { $0 + $1.runs.count }) runs</span></p>
      <h1\(trend.verdict.needsAttention ? " class=\"alert\"" : "")>\(word)</h1>
      <p class="headline">\(HTMLText.escape(trend.reason))</p>
      </header>
      <main>
      \(trend.settings.map(Self.section).joined(separator: "\n"))
      </main>
      </body>
      </html>

      """
  }

  private static func section(_ setting: SettingTrend) -> String {
    let source = [setting.source, setting.format, "profile \(setting.profile)", setting.duration]
      .filter { !$0.isEmpty }.joined(separator: " · ")
    let state =
      setting.isRetired ? " Retired: no run for \(TrendReading.retirement) days; it decides nothing." : ""
    return """
      <section class="suite">
      <h2>\(HTMLText.escape(setting.fingerprint)) <small>\(setting.runs.count) runs</small></h2>
      <p class="purpose">\(HTMLText.escape(source)).\(state)</p>
      \(setting.shown.each.map { article($0, setting.runs) }.joined(separator: "\n"))
      \(counted(setting.shown.counted))</section>
      """
  }

  private static func article(_ series: Series, _ runs: [SettingTrend.Run]) -> String {
    let isAlert = series.decides && series.verdict.needsAttention
    let verdict = series.decides ? series.verdict.rawValue.uppercased() : "SHOWN"
    return """
      <article\(isAlert ? " class=\"alert\"" : "")>
      <header>
      <h3>\(HTMLText.escape(series.title)) <span class="verdict">\(TrendTable.mark(series.verdict)) \(verdict)</span></h3>
      <p class="ids"><span>\(HTMLText.escape(series.metric)) \(series.statistic.rawValue)</span> <span>\(HTMLText.escape(series.scenario))</span></p>
      </header>
      <p class="reason">\(HTMLText.escape(series.reason))</p>
      \(TrendDrawing(series: series, runs: runs).html)
      \(table(series))
      </article>
      """
  }

  private static func counted(_ series: [Series]) -> String {
    guard !series.isEmpty else { return "" }
    let names = series.map { HTMLText.escape($0.metric) }.joined(separator: ", ")
    return """
      <article>
      <header><h3>\(series.count) exact figures that never changed</h3></header>
      <p class="purpose">\(names)</p>
      </article>

      """
  }

  private static func table(_ series: Series) -> String {
    guard !series.changes.isEmpty else { return "" }
    let rows = series.changes.reversed().map { change in
      """
      <tr\(change.verdict == .regressed ? " class=\"alert\"" : "")><td><span class="verdict">\(TrendTable.mark(change.verdict)) \
      \(change.word)</span></td><td class="word">\(HTMLText.escape(String(change.started.prefix(10))))</td>\
      <td>\(HTMLText.escape(change.sentence(series)))</td>\
      <td>\(HTMLText.escape(change.candidates.joined(separator: ", ")))</td><td>\(HTMLText.escape(change.before))</td></tr>
      """
    }
    return """
      <table><thead><tr><th>verdict</th><th>first run</th><th>change</th><th>commits it may be of</th><th>last before</th></tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody></table>
      """
  }

  private static let style = """

    .trend { margin-top: 14px; }
    .trend svg .dots { stroke-width: 5; }
    svg .band { fill: var(--faint); stroke: none; }
    svg line.change { stroke: var(--dim); stroke-dasharray: 3 3; }
    svg line.change.alert { stroke: var(--alert); }
    svg text.change.alert { fill: var(--alert); }
    .verdict, .word { white-space: nowrap; }
    section.suite > h2 { font-size: 20px; }
    """
}
