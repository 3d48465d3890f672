import BookScan
import Foundation
import Harness
import Imagery

/// The photographs with what was found drawn on them, as one HTML file that needs no network.
struct ScorePage {
  private var sections: [String] = []
  /// Of each picture, so that the file stays below 5 MB: base64 makes four bytes of three.
  private let pictureBytes: Int

  init(photos: Int) { pictureBytes = min(110_000, 3_300_000 / max(photos, 1)) }

  /// - Parameters:
  ///   - row: the figures of the photo, as they were printed.
  mutating func add(
    _ photo: String, file: String, row: String, _ score: ShelfScore, _ findings: PhotoFindings
  ) {
    let drawing = ScoreDrawing(score, findings)
    sections.append(
      """
      <article><h2>\(HTMLText.escape(photo))</h2><p>\(HTMLText.escape(row))</p>
      <figure>\(picture(file))\(drawing.svg)</figure>
      \(drawing.lists)</article>
      """)
  }

  /// - Parameter summary: what the run says at its end.
  func html(summary: String, reliability: ReliabilityTable) -> String {
    """
    <!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <title>Books from photographs</title><style>\(Self.style)</style>
    <header><h1>Books from photographs</h1><p>\(HTMLText.escape(summary))</p>
    <p class="key"><span><i class="right"></i>pairs off with a spine</span><span><i class="wrong"></i>pairs off with none</span>\
    <span><i class="other"></i>is on no list, of a photo whose list is partial</span>\
    <span><i class="missed"></i>holds words of a missed title</span></p>
    <p>\(HTMLText.escape(reliability.sure))</p>\(reliability.svg)</header>
    \(sections.joined(separator: "\n"))
    </html>
    """
  }

  /// A small upright copy; a sentence when there can be none.
  private func picture(_ file: String) -> String {
    do {
      let (image, orientation, _) = try ImageFile.read([UInt8](Data(contentsOf: URL(filePath: file))))
      let settings = PhotoSettings(longSide: 900, quality: 70, maximumBytes: pictureBytes)
      let copy = try PhotoPipeline().process(image, orientation: orientation, settings: settings)
      return
        #"<img alt="" width="\#(copy.size.width)" height="\#(copy.size.height)" src="data:image/jpeg;base64,"#
        + Data(copy.bytes).base64EncodedString() + #"">"#
    } catch {
      return "<p>\(HTMLText.escape("No picture: \(error)"))</p>"
    }
  }

  private static let style = """
    :root{--ground:#000;--ink:#fff;--dim:rgb(255 255 255/.64);--rule:rgb(255 255 255/.26);--alert:rgb(255,59,48)}
    *{box-sizing:border-box}html{background:var(--ground);color:var(--ink);-webkit-text-size-adjust:100%}
    body{margin:0 auto;max-width:1240px;padding:32px 20px 64px;overflow-wrap:anywhere;
    font:14px/1.5 ui-monospace,"SF Mono","DejaVu Sans Mono",Menlo,Consolas,monospace}
    h1{font-size:clamp(28px,6vw,56px);line-height:1.05;letter-spacing:-.03em;margin:0 0 12px}
    h2{font-size:16px;margin:0}p{margin:4px 0;color:var(--dim)}header p:first-of-type{color:var(--ink)}
    article{border-top:1px solid var(--rule);margin-top:36px;padding-top:16px}
    figure{position:relative;margin:14px 0}img,svg{display:block;width:100%;height:auto}
    svg{position:absolute;inset:0;height:100%;filter:drop-shadow(0 0 1px #000)}svg *{vector-effect:non-scaling-stroke;fill:none;stroke-width:2}
    .right{stroke:var(--ink)}.wrong{stroke:var(--alert)}.other{stroke:var(--dim)}.missed{stroke:var(--alert);stroke-dasharray:5 4;stroke-width:1.5}
    svg text{fill:var(--ink);stroke:var(--ground);stroke-width:3;paint-order:stroke}
    ol,ul{margin:0;padding:0;list-style:none;columns:2;column-gap:32px;font-size:13px}li{break-inside:avoid;padding:1px 0}
    li b{font-weight:400;color:var(--dim)}h3{font-size:13px;margin:14px 0 4px}.alert{color:var(--alert)}
    .key span{display:inline-block;margin-right:20px}.key i{display:inline-block;width:18px;height:11px;margin-right:7px;
    border:2px solid var(--ink)}.key .wrong{border-color:var(--alert)}.key .other{border-color:var(--dim)}
    .key .missed{border:1.5px dashed var(--alert)}
    svg.reliability{position:static;height:auto;max-width:360px;margin:14px 0}.reliability rect{stroke:var(--rule)}
    .reliability text{font-size:11px;stroke:none;fill:var(--dim);text-anchor:end}.reliability text[text-anchor]{text-anchor:middle}
    .reliability .diagonal{stroke:var(--rule);stroke-dasharray:4 4}.reliability polyline{stroke:var(--ink)}.reliability circle{fill:var(--ink)}
    @media(max-width:640px){ol,ul{columns:1}}
    """
}
