/// A page that shows every element of the pages that this program writes, for people who change their styles: `docs/images/elements.html`.
/// `swiftwing-trials pictures docs/images` writes it again.
package enum ElementsPage {
  /// The whole page. It needs no network and no script.
  package static var html: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Elements of SwiftWing's pages</title>
    <style>\(ReportStyle.css)</style>
    </head>
    <body>
    \(ReportStyle.patterns)
    <header>
    <p class="brand">SwiftWing <span>elements of its pages</span></p>
    <h1>PASS</h1>
    <p class="headline">45 of 45 pass · 1 recorded</p>
    <dl class="facts"><div><dt>Source</dt><dd>a made-up camera</dd></div><div><dt>Limits</dt><dd>profile seed, short run</dd></div></dl>
    <p class="warning"><b>Note</b> A caution stands above all figures.</p>
    </header>
    <main>
    \(sections.map { "<section><h2>\($0.title)</h2>\n\($0.html)\n</section>" }.joined(separator: "\n"))
    </main>
    </body>
    </html>

    """
  }

  private static var sections: [(title: String, html: String)] {
    [
      ("Colours", colours), ("Verdicts: a mark and a word, colour only repeats them", verdicts),
      ("Text and links", text), ("Forms", forms), ("A table of rows", table),
      ("A figure beside its limit", figure(room(of: 91.3)) + figure(room(of: 112))),
      ("The distribution of a metric", figure(metric.map { HistogramDrawing(metric: $0).svg })),
      ("Its samples in the order taken", figure(metric.map { StripDrawing(metric: $0).svg })),
      (
        "Beside its baseline",
        figure(metric.map { ECDFDrawing(metric: $0, baseline: samples.map { $0 * 0.8 }).svg })
      ),
      ("Builds that took turns: pairs and interval", figure(ComparisonExamples.turns)),
      ("A timeline", figure(timeline)),
      ("Pictures: what is wrong has a cross", pictures), ("A camera beside others", card), ("Folds", folds),
    ]
  }

  private static let colours = """
    <table><tbody>
    <tr><th scope="row">ground</th><td>the page</td></tr>
    <tr><th scope="row">ink</th><td>text, lines</td></tr>
    <tr><th scope="row"><small>dim</small></th><td>what may be read second</td></tr>
    <tr><th scope="row"><span class="verdict alert">alert</span></th><td>what needs attention, and nothing else</td></tr>
    </tbody></table>
    """

  private static var verdicts: String {
    "<p>"
      + Verdict.allCases.map {
        "<span class=\"verdict\($0.needsAttention ? " alert" : "")\">\(ReportPage.mark($0)) \(ReportPage.word($0))</span>"
      }.joined(separator: " &nbsp; ") + "</p>"
  }

  private static let text = """
    <h3>A scenario <span class="verdict">✓ PASS</span> <small>its.id</small></h3>
    <p>A sentence with <a href="#a">a link</a>, <code>code</code> and a <small>remark</small>.</p>
    <p class="note">A note.</p>
    """

  private static let forms = """
    <p><label>Text <input type="text" value="text"></label> <label>Choice <select><option>all</option></select></label>
    <label><input type="radio" name="r" checked> one</label> <label><input type="radio" name="r"> other</label>
    <label><input type="checkbox" checked> checked</label> <button type="button">Button</button> <button type="button" disabled>Not now</button></p>
    """

  private static let table = """
    <table><thead><tr><th scope="col">verdict</th><th scope="col">figure or rule</th><th scope="col">measured</th><th scope="col">asked</th></tr></thead>
    <tbody><tr><td><span class="verdict">✓ PASS</span></td><th scope="row">Pictures that are not upright</th><td>0</td><td>None</td></tr>
    <tr class="alert"><td><span class="verdict alert">✗ FAIL</span></td><th scope="row">Scene change → presented</th><td>99 of 100 within 73.9 ms</td>
    <td>99 of 100 samples are below 50 ms</td></tr></tbody></table>
    """

  /// A picture that stands for any other: grey, with a bright corner that shows which way up it is.
  private static let example = """
    <img alt="An example" src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='320' height='200'%3E\
    %3Cpath fill='gray' d='M0 0h320v200H0z'/%3E%3Cpath fill='white' d='M0 0h80v50H0z'/%3E%3C/svg%3E">
    """

  private static let pictures = """
    <div class="shown"><figure class="picture"><div>\(example)</div><figcaption>A picture</figcaption></figure>
    <figure class="picture crossed"><div>\(example)</div><figcaption>✗ What is wrong</figcaption></figure></div>
    <figure class="strip"><figcaption>Pictures in one row</figcaption><div>
    \((1...8).map { "<p>\(example)<small>\($0)</small></p>" }.joined())</div></figure>
    """

  private static var card: String {
    """
    <div class="cards"><div class="card"><h2><span class="verdict">✓ PASS</span> A camera <small>9 of 9 pass</small></h2>
    <figure class="picture"><div>\(example)</div><figcaption>Its picture</figcaption></figure>
    <figure class="chart"><figcaption>Closest to its limit: <b>An example</b></figcaption>\(room(of: 91.3) ?? "")</figure></div></div>
    """
  }

  private static let folds = """
    <div class="folds"><details open><summary>An open fold <small>1</small></summary><pre tabindex="0">Lines of text</pre></details>
    <details><summary>A closed fold</summary><p>Its text.</p></details></div>
    """

  private static func figure(_ svg: String?) -> String { "<figure class=\"chart\">\(svg ?? "")</figure>" }

  /// Samples around 34 ms, in an order of their own, with a slow one in each 25.
  private static let samples: [Double] = (0..<120).map { (index: Int) -> Double in
    let wave = Double(index * 37 % 41) / 4
    return 29 + wave + (index % 25 == 7 ? 14 : 0)
  }

  private static var metric: DrawnMetric? { DrawnMetric(judged(samples, 50)) }

  private static func room(of value: Double) -> String? { RoomDrawing(judged([value], 100))?.svg }

  private static func judged(_ samples: [Double], _ limit: Double) -> MetricReport {
    let metric = Measurement(
      id: "example", title: "An example", unit: .milliseconds, level: .synthetic, samples: samples)
    let rule = Limit(
      metric: "example", statistic: .p99, op: .below, value: limit, unit: .milliseconds, requirement: "LAT-1",
      source: "ours")
    return MetricJudge(
      profile: Profile(name: "example", title: "An example", limits: [rule]), metrics: [metric]
    ).report(metric)
  }

  private static let timeline = TimelineDrawing(
    timeline: Timeline(lanes: [
      .init("device", spans: [.init("open", from: 0, to: 36), .init("stream", from: 36, to: 90)]),
      .init(
        "shown", spans: [.init("late", from: 55, to: 70, isAlert: true)], marks: [.init("first", at: 40)]),
    ])
  ).svg
}
