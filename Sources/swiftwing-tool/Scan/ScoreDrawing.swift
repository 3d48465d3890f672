import BookScan
import Foundation
import Harness
import Imagery

/// What was found in one photo: boxes over its picture, and the titles beside it.
struct ScoreDrawing {
  private let score: ShelfScore
  private let findings: PhotoFindings
  /// Titles that no book pairs off with.
  private let missed: [Int]

  init(_ score: ShelfScore, _ findings: PhotoFindings) {
    (self.score, self.findings) = (score, findings)
    let paired = Set(score.spineOfBook.compactMap { $0 })
    missed = score.shelf.indices.filter { !paired.contains($0) }
  }

  var svg: String {
    let (width, height) = (findings.size.width, findings.size.height)
    let size = max(width, height) / 60
    let traces = missed.compactMap(trace).map { region in
      let points = region.corners.map { "\(Self.number($0.x)),\(Self.number($0.y))" }.joined(separator: " ")
      return #"<polygon class="missed" points="\#(points)"/>"#
    }
    let boxes = findings.spines.enumerated().map { index, spine in
      let box = spine.box
      let kind = score.spineOfBook[index] != nil ? "right" : score.isComplete ? "wrong" : "other"
      let (x, y) = (Self.number(box.x), Self.number(box.y))
      return """
        <rect class="\(kind)" x="\(x)" y="\(y)" width="\(Self.number(box.width))" height="\(Self.number(box.height))"/>\
        <text x="\(x)" y="\(y)" font-size="\(size)">\(index + 1)</text>
        """
    }
    return #"<svg viewBox="0 0 \#(width) \#(height)" preserveAspectRatio="none" aria-hidden="true">"#
      + (traces + boxes).joined() + "</svg>"
  }

  var lists: String {
    let wrong = list(findings.spines.indices.filter { score.spineOfBook[$0] == nil })
    let right = list(findings.spines.indices.filter { score.spineOfBook[$0] != nil })
    let titles = missed.map { index in
      "<li>\(HTMLText.escape(score.shelf[index])) <b>\(score.isRead[index] ? "its words were read" : "not read")</b></li>"
    }.joined()
    let kind =
      score.isComplete ? "False books" : "Books that are on no list; the list of this photo is partial"
    return part(kind, "alert", wrong) + part("Missed titles", "alert", titles) + part("Books", "", right)
  }

  private func part(_ title: String, _ kind: String, _ items: String) -> String {
    items.isEmpty ? "" : "<h3 class=\"\(kind)\">\(title)</h3><ul>\(items)</ul>"
  }

  private func list(_ books: [Int]) -> String {
    books.map { index in
      let spine = findings.spines[index]
      let text = [spine.title, spine.author.map { "/ \($0)" }, spine.isbn].compactMap { $0 }.joined(
        separator: " ")
      let percent = Int((spine.confidence * 100).rounded())
      return "<li>\(index + 1) \(HTMLText.escape(text)) <b>\(percent) %</b></li>"
    }.joined()
  }

  /// The line that holds most of a missed title, at least a third of its words.
  private func trace(_ title: Int) -> TextRegion? {
    let shares = findings.lines.map { (ReadText([$0.text]).share(of: score.shelf[title]) ?? 0, $0.region) }
    guard let best = shares.max(by: { $0.0 < $1.0 }), best.0 >= 1.0 / 3 else { return nil }
    return best.1
  }

  private static func number(_ value: Double) -> String { String(Int(value.rounded())) }
}
