import Delivery
import Foundation
import Harness

/// The books that wait for a person as one HTML file that needs no network: picture, readings, and the commands to answer by.
struct ReviewPage {
  /// Most bytes of the sections together.
  private static let limit = 32_000_000

  private(set) var count = 0
  /// Books that had no room.
  var left = 0
  private var sections: [String] = []
  private var bytes = 0

  var hasRoom: Bool { bytes < Self.limit }

  mutating func add(_ details: BookDetails, picture: [UInt8]?) {
    let shown = ShownBook(details)
    let book = details.book
    let image =
      picture.map {
        #"<img alt="the spine of book \#(book.id)" src="data:image/jpeg;base64,\#(Data($0).base64EncodedString())">"#
      } ?? "<p>No picture.</p>"
    let readings = shown.readings.map {
      "<li>\(HTMLText.escape(ShownBook.text($0.reading))) (\($0.times)×)</li>"
    }
    let section = """
      <article id="book-\(book.id)"><h2>\(book.id): \(HTMLText.escape(book.name))</h2><p>\(HTMLText.escape(shown.standing))</p>
      \(image)<ul>\(readings.joined())</ul>
      <pre>swiftwing library edit \(book.id) --confirm
      swiftwing library edit \(book.id) --title "…" --author "…"
      swiftwing library delete \(book.id)</pre></article>
      """
    sections.append(section)
    bytes += section.utf8.count
    count += 1
  }

  var html: String {
    """
    <!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <title>Books to look at</title><style>\(Self.style)</style>
    <h1>Books to look at</h1><p>\(count) here\(left > 0 ? ", \(left) more later" : "").</p>
    \(sections.joined(separator: "\n"))
    </html>

    """
  }

  private static let style = """
    body{margin:0 auto;max-width:960px;padding:24px 16px;font:15px/1.5 system-ui,sans-serif;overflow-wrap:anywhere;
    background:#fff;color:#111}article{border-top:1px solid #bbb;margin-top:24px;padding-top:12px}h2{font-size:17px;margin:0}
    p{margin:4px 0;color:#555}img{display:block;max-width:100%;max-height:480px;margin:12px 0}
    pre{background:#f3f3f3;padding:8px;white-space:pre-wrap;font-size:13px}
    @media(prefers-color-scheme:dark){body{background:#111;color:#eee}p{color:#aaa}pre{background:#222}}
    """
}
