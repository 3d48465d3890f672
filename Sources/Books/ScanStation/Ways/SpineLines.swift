public import BookScan

/// The text of a scan that is sent in place of its image: one spine per line, with title, author and ISBN separated by tabs. Unknown fields are
/// empty.
public enum SpineLines {
  /// The maximum length of a title or an author, in characters.
  static let fieldLimit = 500

  /// The lines for spines. Line ends and tabs within a field become spaces, and a field is cut at 500 characters.
  public static func lines(_ spines: [SpineFinding]) -> [String] {
    spines.map { spine in
      [spine.title, spine.author ?? "", spine.isbn ?? ""].map(field).joined(separator: "\t")
    }
  }

  /// The maximum number of spines of one scan.
  static let lineLimit = 1000

  /// Parses the lines, as a backend does: at most 1,000. Lines without a title are ignored.
  public static func parse(_ text: String) -> [(title: String, author: String?, isbn: String?)] {
    text.split(whereSeparator: \.isNewline).prefix(lineLimit).compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map {
        trimmed($0)
      }
      guard let title = fields.first, !title.isEmpty else { return nil }
      func value(_ index: Int) -> String? {
        fields.indices.contains(index) && !fields[index].isEmpty ? fields[index] : nil
      }
      return (title, value(1), value(2))
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    let text = text.drop(while: \.isWhitespace)
    let end = text.lastIndex { !$0.isWhitespace }
    return String(end.map { text[...$0] } ?? "")
  }

  private static func field(_ text: String) -> String {
    String(text.prefix(fieldLimit).map { $0.isNewline || $0 == "\t" ? " " : $0 })
  }
}
