import BookScan
import Console

/// The text that `scan --photos` prints for the records of one photo.
enum FindingsText {
  /// Returns one line for each record, the surest first, and a last line about records that are left out.
  /// - Parameters:
  ///   - isAll: whether to include records that are probably no books.
  ///   - names: the catalogue's names of the books, in their order. A book with a name gets a second line.
  static func lines(_ findings: PhotoFindings, isAll: Bool, names: [CatalogueName?]? = nil) -> [String] {
    let named = zip(findings.spines, names ?? findings.spines.map { _ in nil })
    let shown = Array(named) + (isAll ? findings.unlikely.map { ($0, nil) } : [])
    let lines = Certainty.allCases.flatMap { certainty in
      shown.filter { $0.0.certainty == certainty }.flatMap { spine, name in
        [line(spine)] + (name.map { ["              = \($0.line)"] } ?? [])
      }
    }
    guard !isAll, let hidden = hidden(findings.unlikely.count) else { return lines }
    return lines + [hidden]
  }

  static func books(_ count: Int) -> String { count == 1 ? "1 book" : "\(count) books" }

  private static func line(_ spine: SpineFinding) -> String {
    let isbn = spine.isbn.map { "  ISBN \($0)" } ?? ""
    return "  \(spine.certainty.label.padded(to: 10))  \(BookName.text(spine.title, spine.author))\(isbn)"
  }

  private static func hidden(_ count: Int) -> String? {
    switch count {
    case 0: nil
    case 1: "  1 more piece of text is probably no book; --all shows it"
    default: "  \(count) more pieces of text are probably no books; --all shows them"
    }
  }
}
