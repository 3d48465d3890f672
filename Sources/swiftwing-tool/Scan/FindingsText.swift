import BookScan
import Console

/// What `scan --photos` says of the records of one photo.
enum FindingsText {
  /// One line a record, the surest first, and a last line on what is left out.
  /// - Parameter isAll: also what is probably no book.
  static func lines(_ findings: PhotoFindings, isAll: Bool) -> [String] {
    let shown = findings.spines + (isAll ? findings.unlikely : [])
    let lines = Certainty.allCases.flatMap { certainty in
      shown.filter { $0.certainty == certainty }.map(line)
    }
    guard !isAll, let hidden = hidden(findings.unlikely.count) else { return lines }
    return lines + [hidden]
  }

  static func books(_ count: Int) -> String { count == 1 ? "1 book" : "\(count) books" }

  private static func line(_ spine: SpineFinding) -> String {
    let author = spine.author.map { " / \($0)" } ?? ""
    let isbn = spine.isbn.map { "  ISBN \($0)" } ?? ""
    let title = spine.title.isEmpty ? "(title not read)" : spine.title
    return "  \(spine.certainty.label.padded(to: 10))  \(title)\(author)\(isbn)"
  }

  private static func hidden(_ count: Int) -> String? {
    switch count {
    case 0: nil
    case 1: "  1 more piece of text is probably no book; --all shows it"
    default: "  \(count) more pieces of text are probably no books; --all shows them"
    }
  }
}
