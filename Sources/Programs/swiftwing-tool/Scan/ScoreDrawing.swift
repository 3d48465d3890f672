import BookScan
import Foundation
import Harness

/// Draws the findings in one photo: boxes over its picture, and the titles beside it.
struct ScoreDrawing {
  private let score: ShelfScore
  private let findings: PhotoFindings
  /// The indices of titles that no book pairs off with.
  private let missed: [Int]

  init(_ score: ShelfScore, _ findings: PhotoFindings) {
    self.score = score
    self.findings = findings
    let paired = Set(score.spineOfBook.compactMap { $0 })
    missed = score.shelf.indices.filter { !paired.contains($0) }
  }

  var svg: String {
    let drawing = PhotoDrawing(findings.size)
    let traces = missed.compactMap(trace).map { drawing.polygon($0.corners, kind: "missed") }
    let boxes = findings.spines.enumerated().map { index, spine in
      let kind = score.spineOfBook[index] != nil ? "right" : score.isComplete ? "wrong" : "other"
      return drawing.rectangle(spine.box, kind: kind)
        + drawing.text("\(index + 1)", at: Point(x: spine.box.x, y: spine.box.y))
    }
    return drawing.svg(traces + boxes)
  }

  var lists: String {
    let wrong = list(findings.spines.indices.filter { score.spineOfBook[$0] == nil })
    let right = list(findings.spines.indices.filter { score.spineOfBook[$0] != nil })
    let titles = missed.map { index in
      "<li>\(HTMLText.escape(score.shelf[index])) <b>\(score.isRead[index] ? "its words were read" : "not read")</b></li>"
    }.joined()
    let kind =
      score.isComplete ? "False books" : "Books that are on no list; the list of this photo is partial"
    return part(kind, "alert", items: wrong) + part("Missed titles", "alert", items: titles)
      + part("Books", "", items: right)
  }

  private func part(_ title: String, _ kind: String, items: String) -> String {
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

  /// Returns the line that holds most words of a missed title, at least a third of them.
  private func trace(_ title: Int) -> TextRegion? {
    let shares = findings.lines.map { (ReadText([$0.text]).share(of: score.shelf[title]) ?? 0, $0.region) }
    guard let best = shares.max(by: { $0.0 < $1.0 }), best.0 >= 1.0 / 3 else { return nil }
    return best.1
  }
}
