import BookScan
import Harness

/// A page of photographs with the findings drawn on them: one HTML file that needs no network.
struct ScorePage {
  private var sections: [String] = []
  /// The bytes of each picture, so that the file stays below 5 MB; base64 makes four bytes of three.
  private let pictureBytes: Int

  init(photos: Int) { pictureBytes = min(110_000, 3_300_000 / max(photos, 1)) }

  /// Adds a photograph.
  /// - Parameters:
  ///   - row: the figures of the photo as they were printed.
  mutating func add(
    _ photo: String, file: String, row: String, _ score: ShelfScore, findings: PhotoFindings
  ) {
    let drawing = ScoreDrawing(score, findings)
    let picture = PhotoPicture.html(
      file, alt: "\(photo) with what was found", longSide: 900, maximumBytes: pictureBytes)
    sections.append(
      """
      <article><h2>\(HTMLText.escape(photo))</h2><p>\(HTMLText.escape(row.replacing("  ", with: " · ")))</p>
      <figure>\(picture)\(drawing.svg)</figure>
      \(drawing.lists)</article>
      """)
  }

  /// Returns the page.
  /// - Parameter summary: the text that the run prints at its end.
  func html(summary: String, reliability: ReliabilityTable) -> String {
    """
    <!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <meta name="color-scheme" content="light dark">
    <title>Books from photographs</title><style>\(PhotoPageStyle.css)\(Self.style)</style>
    <header><h1>Books from photographs</h1><p>\(HTMLText.escape(summary))</p>
    <p class="key"><span><i class="right"></i>right: its title is on the list</span><span><i class="wrong"></i>wrong: its title is not on the list</span>\
    <span><i class="other"></i>not on the list, which lacks some of the photo's spines</span>\
    <span><i class="missed"></i>holds words of a title that was missed</span></p>
    <p>\(HTMLText.escape(reliability.sure))</p>\(reliability.svg)</header>
    \(sections.joined(separator: "\n"))
    </html>
    """
  }

  private static let style = """
    svg .right{stroke:var(--ink)}svg .wrong{stroke:var(--alert)}svg .other{stroke:var(--dim)}svg .missed{stroke:var(--alert);stroke-dasharray:5 4;stroke-width:1.5}
    ol,ul{margin:0;padding:0;list-style:none;columns:2;column-gap:32px;font-size:13px}li{break-inside:avoid;padding:1px 0}
    li b{font-weight:400;color:var(--dim)}h3{font-size:13px;margin:14px 0 4px}.alert{color:var(--alert)}
    .key span{display:inline-block;margin-right:20px}.key i{display:inline-block;width:18px;height:11px;margin-right:7px;
    border:2px solid var(--ink)}.key .wrong{border-color:var(--alert)}.key .other{border-color:var(--dim)}
    .key .missed{border:1.5px dashed var(--alert)}
    svg.reliability{max-width:360px;margin:14px 0}.reliability rect{fill:none;stroke:var(--rule)}
    .reliability text{font-size:11px;stroke:none;fill:var(--dim);text-anchor:end}.reliability text[text-anchor]{text-anchor:middle}.reliability .count{fill:var(--ink);stroke:var(--ground)}
    .reliability .diagonal{stroke:var(--rule);stroke-dasharray:4 4}.reliability polyline{fill:none;stroke:var(--ink)}.reliability circle{fill:var(--ink)}
    @media(max-width:640px){ol,ul{columns:1}}
    """
}
